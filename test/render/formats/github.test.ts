import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  makeVisible,
  visibleName,
  workflowMessage,
  workflowProperty,
} from '../../../src/core/safety/visible-text.ts';
import { renderGithub } from '../../../src/render/formats/entries.ts';
import { golden } from '../golden.ts';
import { payloads } from '../payloads.ts';
import { poisonedRun } from '../poisoned-run.ts';
import { sampleRun } from '../sample-run.ts';
import { decidedRun, emptyRun, longTexts, manyClaims, undecidedRun } from './runs.ts';

describe('annotations of GitHub Actions', () => {
  it('read as agreed', () => {
    const text = renderGithub(sampleRun());
    expect(text).toBe(golden('report.github.txt', text));
  });

  it('say the outcome first: a notice where the run is a pass, an error where it is none', () => {
    expect(renderGithub(emptyRun())).toBe(
      '::notice title=Jury%3A PASS::2 of 2 reviewers completed.\n',
    );
    expect(
      renderGithub(undecidedRun())
        .split('\n')
        .map(line => line.slice(0, 40)),
    ).toEqual(
      [
        '::error title=Jury%3A INCOMPLETE::0 of 1',
        '::error file=src/db/query.ts,line=1,titl',
        '',
      ].map(line => line.slice(0, 40)),
    );
  });

  it('are no errors where no gate holds anybody to anything', () => {
    const run = sampleRun();
    const record = { ...run.record, outcome: null, reasons: [], blocking: [] };
    const text = renderGithub({ ...run, record });
    expect(text).toMatch(/^::notice title=.*\n::warning [^]*\n::warning file=.*critical/);
    expect(text).not.toContain('::error');
  });

  it('leave out what was dismissed', () => {
    expect(renderGithub(decidedRun())).not.toContain('文件处理');
    expect(renderGithub(sampleRun())).toContain('文件处理');
  });

  it('are one command a line, whatever the world wrote into them', () => {
    for (const run of [longTexts(), ...payloads.map(payload => poisonedRun(payload, payload))])
      for (const line of renderGithub(run)
        .trimEnd()
        .split(/\r\n|[\n\r]/)) {
        const command = readCommand(line);
        expect(command?.name, line).toMatch(/^(?:error|warning|notice)$/);
        expect(Object.keys(command?.properties ?? {}).join(), line).toMatch(
          /^(?:file,line,(?:endLine,)?)?title$/,
        );
      }
  });

  it('say how many there are beyond those that GitHub shows of each level', () => {
    const lines = renderGithub(manyClaims(25)).trimEnd().split('\n');
    expect(lines).toHaveLength(26);
    expect(lines[0]).toContain(
      'GitHub shows 10 annotations of each level; 16 more stand in the log.',
    );
  });

  it('are read back by the rules of the runner as they are shown everywhere', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (title, message) => {
          const line = `::error title=${workflowProperty(title)}::${workflowMessage(message)}`;
          expect(line).not.toMatch(/[\r\n]/);
          expect(readCommand(line)).toEqual({
            name: 'error',
            properties: title === '' ? {} : { title: visibleName(title) },
            message: makeVisible(message),
          });
        },
      ),
    ));
});

/** As the runner of GitHub reads a line of a log: the name, properties with commas between them, and the message behind `::`. */
function readCommand(line: string) {
  const [, name, list = '', message] = /^::([a-z-]+)(?: ([^]*?))?::([^]*)$/.exec(line) ?? [];
  if (name === undefined || message === undefined) return null;
  const properties = list
    .split(',')
    .map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return {
    name,
    properties: Object.fromEntries(
      properties
        .filter(([, value]) => value !== '')
        .map(([key, value]) => [key, decode(value ?? '')]),
    ),
    message: decode(message),
  };
}

function decode(text: string) {
  return text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');
}
