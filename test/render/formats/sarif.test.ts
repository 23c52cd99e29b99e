/** SARIF as others read it: the schema, the validator of those who keep it, one more reader, and our own. */
import { sarifToMarkdown } from '@security-alert/sarif-to-markdown';
import fc from 'fast-check';
import type { Log, Result, Run as SarifRun } from 'sarif';
import { describe, expect, it } from 'vitest';
import { readSarif } from '../../../src/answers/intake/sarif.ts';
import { sarifLink, sarifMessage, sarifUri } from '../../../src/core/safety/visible-text.ts';
import type { Run } from '../../../src/core/words/run.ts';
import { renderSarif } from '../../../src/render/formats/sarif.ts';
import { golden } from '../golden.ts';
import { payloads } from '../payloads.ts';
import { poisonedRun } from '../poisoned-run.ts';
import { at, claim, finding, review, runOf, sampleRun } from '../sample-run.ts';
import { decidedRun, emptyRun, longTexts, manyClaims, undecidedRun } from './runs.ts';
import { schemaErrors, validatorErrors } from './sarif-readers.ts';

const runs: readonly (readonly [string, Run])[] = [
  ['no claim', emptyRun()],
  ['many claims', sampleRun()],
  ['decisions', decidedRun()],
  ['no decision', undecidedRun()],
  ['texts of a megabyte', longTexts()],
  ['hostile text everywhere', poisonedRun(payloads.join(' '))],
];

describe('SARIF', () => {
  it('reads as agreed', () => {
    const text = renderSarif(decidedRun());
    expect(text).toBe(golden('report.sarif', text));
  });

  it.each(runs)('is what the schema says, with %s', (_, run) =>
    expect(schemaErrors(logOf(run))).toEqual([]),
  );

  it('is what the schema says whatever the world wrote into it', () => {
    for (const payload of payloads)
      expect(schemaErrors(logOf(poisonedRun(payload, payload))), payload).toEqual([]);
  });

  it('is refused by the schema where it is not, so that the schema was asked', () => {
    const log = logOf(sampleRun());
    expect(schemaErrors({ ...log, version: '2.2.0' })).not.toEqual([]);
  });

  it('has nothing against it at the validator and its rules for GitHub, but that no address of Jury is known', () => {
    const found = validatorErrors(runs.map(([, run]) => renderSarif(run)));
    expect(found.filter(line => !line.startsWith('SARIF2005'))).toEqual([]);
    const log = logOf(sampleRun());
    for (const result of log.runs[0]?.results ?? []) delete result.locations;
    expect(validatorErrors([JSON.stringify(log), '{}']).join('\n')).toMatch(/GH1015/);
  }, 120_000);

  it('is read by a program that makes a comment of it', () => {
    const read = sarifToMarkdown({
      owner: 'o',
      repo: 'r',
      branch: 'main',
      sourceRoot: '',
      title: 'x',
    });
    const [comment] = read(logOf(decidedRun()));
    const body = comment?.body;
    expect(comment?.hasMessages).toBe(true);
    expect(body).toContain('blob/main/src/db/query.ts#L42-L45');
    expect(body).toContain('sql-injection');
    expect(body).toMatch(/suppress/i);
    expect(read(logOf(emptyRun()))[0]?.hasMessages).toBe(false);
  });

  it('is read by Jury again: places, severities, what was dismissed left out, a failed run no pass', () => {
    const { entries, reviews } = readSarif('x.sarif', logOf(decidedRun()), []);
    const [first, claimed] = entries;
    const last = entries.at(-1);
    expect(reviews[0]?.status).not.toBe('complete');
    expect(first?.rule).toBe('run-unread');
    expect(claimed?.finding.location).toMatchObject({ path: 'src/db/query.ts', line: 42 });
    expect(claimed?.finding.severity).toBe('high');
    expect(last?.finding.location?.path).toBe('src/http/上传/文件处理.ts');
    expect(entries.filter(({ leftOut }) => leftOut === 'suppressed')).toHaveLength(1);
    expect(readSarif('x.sarif', logOf(emptyRun()), []).reviews[0]?.status).toBe('complete');
  });

  it('says by level how bad, in words who agrees, who denies and who never looked, and beside it the other wordings', () => {
    const results = resultsOf(sampleRun());
    expect(results.map(({ level }) => level)).toEqual([
      'error',
      'error',
      'error',
      'error',
      'warning',
      'note',
    ]);
    const denied = results.find(({ ruleId }) => ruleId === 'not-idempotent');
    expect(denied?.message.text).toMatch(/Said by gamma \(1 of 3/);
    expect(denied?.message.text).toMatch(/Denied by beta: “Parts that fail are aborted/);
    expect(denied?.message.text).toMatch(/Read and not said by alpha\./);
    expect(denied?.message.text).toMatch(
      /Never looked: delta ✗ \(timeout after 120s\), epsilon\. Confidence: 62%/,
    );
    expect(denied?.relatedLocations?.map(({ message }) => message?.text)).toEqual([
      'beta (denies it): Parts that fail are aborted after the third retry',
    ]);
    expect(results[1]?.relatedLocations?.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('suppresses what somebody dismissed, with the reason, and leaves out what is fixed', () => {
    const results = resultsOf(decidedRun());
    expect(results.flatMap(({ suppressions }) => suppressions ?? [])).toEqual([
      {
        kind: 'external',
        status: 'accepted',
        justification: 'Dismissed (tolerated until 2027-01-31): Only trusted callers reach it',
      },
    ]);
    expect(results.filter(({ properties }) => properties?.['state'] === 'fixed')).toEqual([]);
  });

  it.each([
    [undecidedRun(), undefined, false, 2, ['error', 'error'], 1],
    [sampleRun(), undefined, false, 1, ['error', 'warning', 'error'], 6],
    [emptyRun(), undefined, true, 0, [], 0],
    [emptyRun(), 130, false, 130, [], 0],
  ])(
    'never reads as clean where something was not reviewed (%#)',
    (run, exitCode, isWhole, code, levels, amount) => {
      const log = JSON.parse(renderSarif(run, exitCode)) as Log;
      const [invocation] = log.runs[0]?.invocations ?? [];
      expect(invocation).toMatchObject({ executionSuccessful: isWhole, exitCode: code });
      expect(invocation?.toolExecutionNotifications?.map(({ level }) => level)).toEqual(levels);
      expect(log.runs[0]?.results).toHaveLength(amount);
    },
  );

  it('gives every result one place in a file of the repository and a fingerprint of its own', () => {
    for (const [name, run] of [...runs, ['many', manyClaims(500)] as const]) {
      const results = resultsOf(run);
      for (const { locations } of results) {
        expect(locations, name).toHaveLength(1);
        const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
        expect(artifactLocation?.uri, name).not.toMatch(/^\/|^[a-z]+:|\\|[^\x21-\x7E]/i);
        expect(region?.startLine, name).toBeGreaterThan(0);
      }
      const prints = results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints));
      expect(new Set(prints).size, name).toBe(prints.length);
    }
  });

  it('sends nobody to a line that has nothing to do with it', () => {
    const places = [
      at('/etc/passwd', 4, { anchoring: 'unanchored' }),
      at('src/db/query.ts', 9, { side: 'old' }),
      null,
      at('src/db/query.ts', null),
    ];
    const claims = places.map((location, index) =>
      claim(index + 1, [finding({ reviewer: 'alpha', text: `Trouble ${index}`, location }, index)]),
    );
    const results = resultsOf(runOf([review('alpha', [])], claims));
    expect(results.map(placeOf)).toEqual(Array.from({ length: 4 }, () => ['src/db/query.ts', 1]));
    expect(results.map(({ message }) => message.text?.split('\n\n').at(-1))).toEqual([
      'It names /etc/passwd:4, which was not found.',
      'It names no line.',
      'It is about line 9 before the change.',
      'It names no place.',
    ]);
  });

  it('cuts texts of a megabyte', () =>
    expect(renderSarif(longTexts()).length).toBeLessThan(40_000));
});

describe('the encoders of SARIF', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...payloads),
    fc.constantFrom('](1)', '[a](b)', '\\](', '[', '\uD800'),
  );

  it('leave no link in a message but ours', () =>
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        expect(sarifMessage(`${one}[x](1)${other}`)).not.toMatch(/(?<!\\)(?:\\\\)*\]\(/);
        expect(sarifLink(one, 1)).toMatch(/^\[(?:[^[\]\\]|\\.)*\]\(1\)$/su);
      }),
    ));

  it('make of every path an address that leads back to it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), path => {
        const uri = sarifUri(path);
        expect(uri).toMatch(/^[\w.!~*'()%/-]*$/);
        expect(decodeURIComponent(uri)).toBe(path);
      }),
    );
    expect(sarifUri('a\uD800b/c d#?.ts')).toBe('a%EF%BF%BDb/c%20d%23%3F.ts');
  });
});

function logOf(run: Run) {
  return JSON.parse(renderSarif(run)) as Log;
}

function resultsOf(run: Run) {
  const [first] = logOf(run).runs as [SarifRun];
  return first.results ?? [];
}

function placeOf({ locations }: Result) {
  const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
  return [artifactLocation?.uri, region?.startLine];
}
