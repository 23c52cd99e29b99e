/**
 * One table: evidence of P1 to P19 put to every entry point comes to what the contract says, and so does every later look at the run.
 * `SHOW_TABLE=1` prints it.
 */
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Files, SampleRepository } from '../../adapters/git/sample-repository.ts';
import {
  dead,
  type Door,
  doors,
  furtherDoors,
  none,
  reread,
  type Row,
  rows,
  scene,
  start,
  type Told,
  trusted,
  wanted,
  writeReader,
} from '../../doors.ts';
import { juryJson } from '../../cli/jury.ts';

const table: Record<string, Record<string, string>> = {};
afterAll(() => {
  if (process.env['SHOW_TABLE']) console.table(table);
});

/** What a change brings beside two readers that find nothing. */
const brings =
  (edit: (sample: SampleRepository) => void, before: Files = {}) =>
  (): SampleRepository =>
    scene({ a: none, b: none }, { edit, before });
const writes = (file: string, text: string): ReturnType<typeof brings> =>
  brings(sample => sample.write(file, text));

/** A reader that is one line of a shell. */
const seat = (line: string, more = ''): string =>
  `  - { id: own, runner: command, command: [sh, -c, ${JSON.stringify(`${line}; echo END OF ANSWER`)}]${more} }\n`;

const cell = (source: string): string =>
  `{"cells":[{"cell_type":"code","metadata":{},"source":${source}}],"metadata":{},"nbformat":4,"nbformat_minor":5}\n`;
const flow = 'eval(process.argv[2]);\n';

const block = (name: string): string =>
  `  "${name}": {\n${Array.from({ length: 9 }, (_, at) => `    "k${at}": ${at},\n`).join('')}    "end": 0\n  },\n`;
const settings = `{\n${block('dev')}${block('prod')}  "z": 0\n}\n`;
const hot = (name: string): string =>
  settings.replace(new RegExp(`"${name}": [^]*?"k4": 4,\\n`), '$&    "hot": true,\n');
/** Finds fault with what is hot in the second half. */
const byPlace = String.raw`awk '/^@@/ { split($3, p, "[+,]"); n = p[2]; next } /^[+ ]/ { if (/^[+].*hot/ && n > 13) at = n; n++ } END { print at ? "CRITICAL|a.json:" at "|Production is hot" : "None" }'`;

const text = 'any user can cancel the order of another';
const mild = 'SUGGESTION|src/order.js:1|Name it better';
const says = (answer: string) => (): SampleRepository => scene({ a: answer });

/** A client that does not say how it stopped, twice. */
const unmarked = (answer: string) => (): SampleRepository =>
  scene(
    {},
    {
      seats: ({ root }) => {
        const file = path.join(root, '../cut.json');
        writeFileSync(file, JSON.stringify({ status: 'answered', stop: 'unknown', text: answer }));
        return `  - { id: own, runner: replay, answers: ${JSON.stringify(file)} }\n`;
      },
    },
  );

const unheard = { collect: '-' };
const checked = { collect: '-', 'pre-commit': 'FAIL claim' };
const further: readonly Row[] = [
  {
    what: 'P2: two that were dead',
    sample: () => scene({ a: dead, b: dead, c: none }),
    meanwhile: sample => ['a', 'b'].forEach(id => writeReader(sample, id, none)),
    is: 'PASS',
  },
  {
    what: 'P7: a cell of a notebook',
    sample: () =>
      scene(
        {},
        {
          before: { 'n.ipynb': cell('["a"]') },
          edit: sample => sample.write('n.ipynb', cell('"TOKEN"')),
          seats: () => seat("grep -q TOKEN && echo 'CRITICAL|n.ipynb|it runs' || echo None"),
        },
      ),
    is: 'FAIL claim',
    door: unheard,
  },
  {
    what: 'P8: a text that becomes code',
    sample: brings(sample => sample.git('mv', 'docs/x.txt', 'src/x.js'), {
      'docs/x.txt': `let a1 = 1;\nlet a2 = 2;\n${flow}`,
    }),
    is: 'FAIL claim',
    door: checked,
  },
  {
    what: 'P9: a carriage return alone',
    sample: writes('src/order.js', `let b = 1; // note\r// note\n${flow}`),
    is: 'FAIL claim engine',
    door: { ...checked, 'pre-commit': 'FAIL claim engine' },
  },
  {
    what: 'P9: one that stood there before',
    sample: brings(sample => sample.write('src/old.js', `let b = 1; // note\r// note\n${flow}`), {
      'src/old.js': 'let b = 1; // note\r// note\n',
    }),
    is: 'FAIL claim',
    door: checked,
  },
  {
    what: 'P9: a file that calls itself generated',
    sample: writes('src/order.js', `// This file is auto-generated. Do not edit.\n${flow}`),
    is: 'FAIL claim',
    door: checked,
  },
  {
    what: 'P10: a link out',
    sample: brings(({ root }) => symlinkSync('/etc/shadow', path.join(root, 'thing'))),
    is: 'INCOMPLETE unread',
    door: { ...unheard, 'pre-commit': 'INCOMPLETE unread' },
  },
  {
    what: 'P12: a branch that moves meanwhile',
    sample: () =>
      scene(
        {},
        {
          seats: ({ root }) =>
            seat(
              `cat ${root}/.git/ORIG > ${root}/.git/refs/heads/main; echo None`,
              `, isolation: { write: [${JSON.stringify(root)}] }`,
            ),
          edit: sample => {
            sample.write('.git/ORIG', sample.git('rev-parse', 'HEAD'));
            sample.write('src/order.js', 'export const first = 2;\n');
          },
        },
      ),
    is: 'INCOMPLETE changed',
    door: { ...unheard, hook: '-', 'review --pr': '-', github: '-', 'gates --run': '-' },
  },
  {
    what: 'P13: a hunk that moved to an equal block',
    sample: () =>
      scene(
        {},
        {
          before: { 'a.json': settings },
          edit: sample => sample.write('a.json', hot('dev')),
          seats: () => seat(byPlace),
        },
      ),
    meanwhile: sample => {
      sample.git('reset', '-q', '--hard', 'HEAD~1');
      for (const each of [settings, hot('prod')]) {
        sample.write('a.json', `\n${each}`);
        sample.commit('again');
      }
    },
    is: 'FAIL claim',
    door: unheard,
  },
  {
    what: 'P14: what an agent obeys',
    sample: writes('.claude/commands/docs/agents.md', 'x = 1\n'),
    is: 'INCOMPLETE require-human',
    door: { ...unheard, 'pre-commit': 'INCOMPLETE require-human' },
  },
  {
    what: 'P15: a critical under a suggestion',
    sample: says(`${mild}\n**CRITICAL**: src/order.js:2 ${text}\nVERDICT: risky`),
    is: 'FAIL claim',
  },
  {
    what: 'P15: a critical in a quotation',
    sample: says(`${mild}\n> CRITICAL|src/order.js:2|${text}\nVERDICT: risky`),
    is: 'INCOMPLETE quorum unread',
    door: { collect: 'PASS' },
  },
  {
    what: 'P16: a P0 in the prose',
    sample: says(
      `### Findings Index\n- P3 | A-1 | "S" | Name it better\nVerdict: risky\n### Issues Found\n1. A-1: a name.\n2. **P0**: ${text}`,
    ),
    is: 'FAIL claim',
  },
  {
    what: 'P17: the review of another tool',
    sample: says(
      `{"findings":[{"title":"[P1] Check who cancels","body":"${text}","priority":1,"code_location":{"absolute_file_path":"/w/src/order.js","line_range":{"start":2,"end":2}}}],"overall_correctness":"patch is incorrect"}`,
    ),
    is: 'FAIL claim',
    // Of the range all files are known there, so that nothing is guessed from the end of an absolute path.
    door: { collect: 'INCOMPLETE ungrounded' },
  },
  {
    what: 'P17: a table',
    sample: says(`| Severity | File | Issue |\n|---|---|---|\n| High | src/order.js:2 | ${text} |`),
    is: 'FAIL claim',
  },
  { what: 'P17: a nothing', sample: says('No P0/P1 findings. Ship as-is.'), is: 'PASS' },
  {
    what: 'P18: None, without the end mark',
    sample: unmarked('I looked at all of it.\nNone'),
    is: 'INCOMPLETE quorum unread',
    door: unheard,
  },
  {
    what: 'P18: a high, without the end mark',
    sample: unmarked(`HIGH|src/order.js:2|${text}`),
    is: 'FAIL claim quorum unread',
    door: unheard,
  },
  { what: 'P19: None', sample: says(none), is: 'PASS' },
];

async function enter(
  name: string,
  door: Door,
  { what, sample: make, meanwhile }: Row,
): Promise<Told> {
  const sample = make();
  if (meanwhile) {
    await door(sample);
    meanwhile(sample);
  }
  const told = await door(sample);
  table[what] = { ...table[what], [name]: `${told.outcome} ${told.code}` };
  return told;
}

const all: Readonly<Record<string, Door>> = { ...doors, ...furtherDoors };
describe.each(Object.entries(all))('%s', (name, door) => {
  const known = name in doors ? [] : rows;
  it.each([...known, ...further].filter(row => wanted(name, row) !== null))('$what', async row => {
    const told = await enter(name, door, row);
    expect(told).toMatchObject(wanted(name, row) ?? {});
    const { outcome, code } = told;
    const again = {
      screen: [outcome, outcome],
      report: code,
      disk: [outcome, code],
      mcp: [outcome, code],
    };
    if (name !== 'gates --run') expect(await reread(told.at)).toEqual(again);
  });
});

it('P11: a new file is read at every door that looks at what is not committed', async () => {
  const sample = scene({ a: none });
  sample.write('src/new.js', 'export const third = 3;\n');
  for (const words of [['review'], ['gates']])
    expect(juryJson(sample.root, words, trusted).record.coverage.files).toMatchObject([
      { path: 'src/new.js', by: ['a'] },
    ]);
  for (const process of ['review', 'gates'])
    expect((await start(sample, { process })).code).toBe(0);
});
