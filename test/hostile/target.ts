/** The repository that traps are planted in: two commits, of which the last deserves no pass, and changes that are staged and on disk. */
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';

/** Built of parts, so that nobody takes this file for one that holds a key. */
const key = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');
/** What each change holds: no command that judges it may say that it passes. */
const wrong = `export const key = '${key}';\neval(process.argv[2]);\n`;

export function createTarget(): SampleRepository {
  const sample = createSampleRepository();
  for (const [file, text] of Object.entries(materials)) sample.write(file, text);
  sample.commit('first');
  sample.write('a.js', wrong);
  sample.write('folder/b.js', 'export const b = 2;\n');
  sample.commit('second');
  change(sample);
  return sample;
}

function change(sample: SampleRepository) {
  sample.write('a.js', `${wrong}eval(process.argv[3]);\n`);
  sample.git('add', 'a.js');
  sample.write('folder/b.js', `export const other = '${key}';\n`);
  sample.write('untracked.js', 'eval(process.argv[4]);\n');
}

/** Where what a trap is made of lies: at the base of the last commit too, in the last commit alone, or in no commit. */
export type Place = 'base' | 'change' | 'disk';
export const places: readonly Place[] = ['base', 'change', 'disk'];

/** Writes files, which `write` does, in one of the places; all else stays what it was. */
export function putAt(place: Place, sample: SampleRepository, write: () => void): void {
  if (place === 'disk') return write();
  const last = sample.git('rev-parse', 'HEAD');
  sample.git('clean', '-qfdx');
  sample.git('reset', '-q', '--hard', place === 'base' ? 'HEAD~1' : 'HEAD');
  write();
  sample.git('add', '-A', '-f');
  sample.git('commit', '-q', '--amend', '-m', place);
  if (place === 'base') sample.git('cherry-pick', last);
  change(sample);
}

const motions = [
  {
    mega_motion_id: 'm-1',
    title: 'One',
    theme: 'Care',
    consolidated_text: 'The members shall act with care.',
    source_motion_ids: ['s-1'],
    all_supporting_archons: [],
    unique_archon_count: 0,
  },
];

const materials: Readonly<Record<string, string>> = {
  'a.js': 'export const one = 1;\n',
  'folder/b.js': 'export const b = 1;\n',
  'design.md': '# Design\n\n## Goals\n\nIt is fast.\n',
  'docs/plan.md': '# Plan\n\n- [ ] Write it\n',
  'coverage.lcov': 'SF:a.js\nDA:1,0\nend_of_record\n',
  'notes/findings.json': JSON.stringify({
    findings: [
      { reviewer: 'one', text: 'The key is in the code', path: 'a.js', line: 1, severity: 'high' },
      {
        reviewer: 'two',
        text: 'A key stands in the code',
        path: 'a.js',
        line: 1,
        severity: 'high',
      },
    ],
  }),
  'notes/run/one.md': '### Findings Index\n- HIGH | F1 | "a.js" | A key\nVerdict: needs-changes\n',
  'notes/run/verdicts/one.json': JSON.stringify({ agent: 'one', status: 'complete', summary: 's' }),
  'session/mega-motions.json': JSON.stringify(motions),
  'session/roster.json': JSON.stringify(['Ada', 'Grace', 'Edsger']),
};
