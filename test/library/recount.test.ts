/** A vote that nobody touched is found to be so, whatever was voted on and however it was held; what cannot be read is said. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJury, type Jury, MotionsRequest, type ReviewerFunction } from '../../src/index.ts';
import { hurrying, makeSession } from './session-folder.ts';

const names = 'Ada Bo Cy Di Ed Flo Gus'.split(' ');
const words = 'endorse endorse amend oppose oppose abstain maybe'.split(' ');

interface Sample {
  readonly members: number;
  /** For each motion: how many support it, and what it declares. */
  readonly motions: readonly (readonly [supporters: number, constitutional: boolean | null])[];
  readonly novel: boolean;
  readonly opposed: boolean;
  readonly rules: string;
  readonly secondPass: 'ask' | 'assume';
  readonly sample: number | undefined;
  readonly detector: 'off' | 'model';
  readonly seed: number;
}

const Samples: fc.Arbitrary<Sample> = fc.record({
  members: fc.integer({ min: 1, max: names.length }),
  motions: fc.array(
    fc.tuple(fc.integer({ min: 0, max: names.length }), fc.constantFrom(true, false, null)),
    { minLength: 1, maxLength: 5 },
  ),
  novel: fc.boolean(),
  opposed: fc.boolean(),
  rules: fc.constantFrom('explicit', 'seed', 'quorum', 'guarded'),
  secondPass: fc.constantFrom('ask', 'assume'),
  sample: fc.constantFrom(undefined, 1, 2),
  detector: fc.constantFrom('off', 'model'),
  seed: fc.integer({ min: 0, max: 1_000_000 }),
});

interface Held {
  readonly jury: Jury;
  readonly request: (more: object) => MotionsRequest;
  readonly results: string;
}

function open(sample: Sample): Held {
  const { results, ...where } = makeSession({
    roster: names.slice(0, sample.members),
    'mega-motions': sample.motions.map(([supporters, constitutional], index) => ({
      mega_motion_id: `m-${index}`,
      title: `Motion ${index}`,
      consolidated_text: `Members shall ${index % 2 === 0 ? '' : 'not '}publish audit logs every month.`,
      all_supporting_archons: names.slice(0, supporters),
      constitutional,
    })),
    ...(sample.novel && {
      'novel-proposals': [{ proposal_id: 'p', archon_name: 'Ada', text: 'New.' }],
    }),
    ...(sample.opposed && {
      positions: [{ archon_name: 'Ada', mega_motion_id: 'm-0', stance: 'oppose' }],
    }),
  });
  const jury = createJury({
    ...where,
    config: {
      motions: { reviewer: { runner: 'mine' }, conflicts: { detector: sample.detector } },
    },
    runners: { mine: answering(sample.seed) },
    clock: hurrying,
  });
  const { rules, secondPass, sample: size } = sample;
  return {
    jury,
    request: more =>
      MotionsRequest.parse({ dir: 'session', rules, secondPass, sample: size, ...more }),
    results,
  };
}

const real = { realAgent: true };

/** Answers by lot, the same for the same question; some are of no use. */
function answering(seed: number): ReviewerFunction {
  const draw = (what: string, most: number): number =>
    Number.parseInt(createHash('sha256').update(`${seed} ${what}`).digest('hex').slice(0, 8), 16) %
    most;
  return ({ instructions, prompt }) => {
    const member = /^You are (\w+)/m.exec(`${instructions}\n${prompt}`)?.[1] ?? 'facilitator';
    if (prompt.startsWith('# Text 0'))
      return {
        text: '[{"text": 1, "quote_of_0": "publish audit logs every month.", "quote": "publish audit logs every month."}]',
      };
    const ids = [...prompt.matchAll(/motion_id: "([\w-]+)"/g)].map(([, id]) => id ?? '');
    if (ids.length > 0) {
      return {
        text: JSON.stringify(
          ids.map(id => ({
            motion_id: id,
            stance: words[draw(`${member} ${id}`, words.length)],
            reasoning: `${member} on ${id}`,
            opposition_concerns: draw(member, 2) === 0 ? [] : ['It costs too much.'],
            amendment_text: draw(id, 3) === 0 ? '' : `As ${member} says.`,
          })),
        ),
      };
    }
    if (member !== 'facilitator')
      return { text: [`${member} argues.`, '', 'VOTE: pass', 'VOTE: fail'][draw(member, 4)] ?? '' };
    return {
      text:
        draw(prompt, 3) === 0
          ? 'Prose.'
          : JSON.stringify({
              recommendation: ['pass', 'fail', 'amend'][draw(`${prompt}!`, 3)],
              votes: { Ada: 'pass', bo: 'amend' },
              revised_motion_text: draw(`${prompt}?`, 2) === 0 ? null : 'Members shall publish.',
              dissenting_opinions: [{ archon_name: 'Cy', opinion: 'No.' }],
            }),
    };
  };
}

const intact = { intact: true, first_broken_seq: null, recount: 'same', first_difference: null };

describe('a recount of an undisturbed vote', () => {
  it(
    'finds nothing, whatever was asked and answered, also when it was topped up',
    () =>
      fc.assert(
        fc.asyncProperty(Samples, fc.integer({ min: 1, max: 30 }), async (sample, maxCalls) => {
          const { jury, request, results } = open(sample);
          const capped = await jury.vote(request({ ...real, maxCalls }));
          expect(await jury.verifyAudit(results)).toMatchObject(intact);
          await jury.vote(request({ ...real, maxCalls: 10_000 }), {
            resumes: capped?.runId ?? null,
          });
          expect(await jury.verifyAudit(results)).toMatchObject(intact);
        }),
        { numRuns: 12 },
      ),
    120_000,
  );

  it(
    'finds nothing where nobody was asked',
    () =>
      fc.assert(
        fc.asyncProperty(Samples, fc.boolean(), async (sample, simulate) => {
          const { jury, request, results } = open({ ...sample, secondPass: 'assume' });
          await jury.vote(request(simulate ? { simulate } : {}));
          expect(await jury.verifyAudit(results)).toMatchObject(intact);
        }),
        { numRuns: 10 },
      ),
    60_000,
  );
});

describe('results that cannot be counted again', () => {
  const sample: Sample = {
    members: 5,
    motions: [[1, null]],
    novel: false,
    opposed: false,
    rules: 'guarded',
    secondPass: 'ask',
    sample: undefined,
    detector: 'off',
    seed: 7,
  };
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

  it.each([
    [
      'review_responses.json',
      (text: string) => text.slice(0, -40),
      /is not valid JSON: .* at line \d+/,
    ],
    ['review_responses.json', () => '{}', /must be an array/],
    ['review_responses.json', () => '', /is empty/],
    ['review_responses.json', () => '[1} ', /not valid JSON/],
    ['review_responses.json', () => deep, /more than 64 deep/],
    [
      'review_responses.json',
      () => '[{"__proto__": {"stance": "ENDORSE"}}]',
      /element 0: archon_id/,
    ],
    ['vote_inputs.json', (text: string) => text.slice(0, 300), /is not valid JSON: .* at line \d+/],
    ['vote_inputs.json', () => deep, /more than 64 deep/],
    ['vote_inputs.json', () => '{"__proto__": {"mode": "real"}}', /vote_inputs\.json: schema/],
    [
      'vote_inputs.json',
      (text: string) => text.replace(/"share": \[\s*\d+/, '"share": [7'),
      /vote_inputs\.json: rules/,
    ],
    ['pipeline_result.json', () => 'null', /pipeline_result\.json: /],
    ['aggregations.json', () => '[]', /aggregations\.json: motion m-0: says nothing/],
    ['report.md', () => '', /report\.md: line 1: says ""/],
  ])('are told apart in one sentence: %s', async (name, change, sentence) => {
    const { jury, request, results } = open(sample);
    await jury.vote(request(real));
    const file = path.join(results, name);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const found = await jury.verifyAudit(results);
    expect(found).toMatchObject({
      intact: false,
      results: 'changed',
      changed: [name],
      recount: 'different',
      first_difference: expect.stringMatching(sentence) as string,
    });
    expect(found.first_difference).not.toContain('\n');
  });

  it('are not read where they are endless or no files', async () => {
    const { jury, request, results } = open(sample);
    await jury.vote(request(real));
    const file = path.join(results, 'review_responses.json');
    truncateSync(file, 600 * 2 ** 20);
    expect((await jury.verifyAudit(results)).first_difference).toMatch(
      /review_responses\.json cannot be read: it is larger than 500 MiB$/,
    );
    rmSync(file);
    symlinkSync('/dev/zero', file);
    expect(await jury.verifyAudit(results)).toMatchObject({
      changed: ['review_responses.json'],
      first_difference: 'review_responses.json: is no file',
    });
  });

  it('are an earlier state where the run has ended with another head since', async () => {
    const { jury, request, results } = open({ ...sample, seed: 7 });
    await jury.vote(request({ ...real, maxCalls: 1 }));
    const copy = `${results}-copy`;
    cpSync(results, copy, { recursive: true });
    expect((await jury.verifyAudit(copy)).anchors).toMatchObject({
      journal: true,
      superseded: false,
    });
    await jury.vote(request({ ...real, maxCalls: 500 }));
    expect(await jury.verifyAudit(copy)).toMatchObject({
      intact: null,
      recount: 'same',
      anchors: { journal: true, superseded: true },
    });
    await expect(jury.signAudit(copy)).rejects.toThrow('is not signed');
    expect(await jury.verifyAudit(results)).toMatchObject({
      intact: true,
      anchors: { journal: true, superseded: false },
    });
  });

  it.each([
    ['deep', deep, /more than 64 deep/],
    ['a number', '7', /must be an array/],
    ['cut off', '[{"seq": 1', /is not valid JSON/],
    ['of other rows', '[{"__proto__": {"seq": 1}}]', /element 0: seq/],
  ])('are refused as a whole when the trail is %s', async (_, text, sentence) => {
    const { jury, request, results } = open(sample);
    await jury.vote(request(real));
    writeFileSync(path.join(results, 'audit_trail.json'), text);
    await expect(jury.verifyAudit(results)).rejects.toThrow(sentence);
  });

  it('of an earlier version are said not to have been counted', async () => {
    const { jury, request, results } = open(sample);
    await jury.vote(request(real));
    const trail = path.join(results, 'audit_trail.json');
    const events = JSON.parse(readFileSync(trail, 'utf8')) as {
      details: Record<string, unknown>;
    }[];
    for (const { details } of events)
      for (const key of Object.keys(details)) if (key.endsWith('_sha256')) delete details[key];
    rmSync(path.join(results, 'vote_inputs.json'));
    writeFileSync(trail, JSON.stringify(events));
    expect(await jury.verifyAudit(results)).toMatchObject({
      results: 'not_recorded',
      recount: 'not_recorded',
      first_difference: null,
    });
  });

  it('are no pass where the trail alone is named', async () => {
    const { jury, request, results } = open(sample);
    await jury.vote(request(real));
    expect(await jury.verifyAudit(path.join(results, 'audit_trail.json'))).toMatchObject({
      intact: null,
      first_broken_seq: null,
      results: 'not_checked',
    });
  });

  it('of another version are no forgery, and no pass', async () => {
    const { jury, request, results } = open(sample);
    await jury.vote(request(real));
    const file = path.join(results, 'vote_inputs.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('jury.vote-inputs/2', 'jury.vote-inputs/1'));
    expect(await jury.verifyAudit(results)).toMatchObject({ recount: 'not_recorded' });
  });
});
