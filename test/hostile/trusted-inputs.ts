/** Every file that decides about a review, in every way a repository can lay it out, and everything a change can do to it. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';

/** One way to lay out what decides. */
export interface Layout {
  readonly name: string;
  /** Folder the caller stands in, and what it asks for besides. */
  readonly cwd: string;
  readonly config: string | null;
  readonly write: (sample: SampleRepository) => void;
  /** Paths below the top of everything that decides. */
  readonly inputs: readonly string[];
}

export interface Mutation {
  readonly name: string;
  /** Does it to that path. False where it cannot be done to it. */
  readonly apply: (sample: SampleRepository, input: string) => boolean;
}

const persona = (who: string): string =>
  `---\nname: mine\nrole: general\nfocus: everything\n---\nAs the ${who} you read.\n`;

const program = (who: string): string => `import './lib.mjs';\nconsole.log('${who}');\n`;

function panelOf(root: string, home: string): string {
  const to = (file: string): string => {
    const relative = path.posix.relative(home, file);
    return relative.startsWith('.') ? relative : `./${relative}`;
  };
  return `failOn: [high]
guidelines:
  - { paths: [src], file: ${to('rules/team.md')} }
  - Errors are wrapped.
reviewers:
  - { id: program, runner: command, persona: ${to('personas/mine.md')}, command: [node, ${to('tools/rev.mjs')}, ${to('rules/house.txt')}, "--rules=${root}/rules/other.txt"] }
  - { id: snake, runner: command, command: [python3, ${to('tools/check.py')}] }
  - { id: folder, runner: replay, answers: ${to('answers')} }
  - { id: file, runner: replay, answers: ${to('answer.txt')} }
  - { id: client, runner: claude, executable: ${to('bin/claude')} }
`;
}

/** What a change would like to have decide. */
const planted =
  'failOn: [never]\nquorum: 1\nreviewers:\n  - { id: planted, runner: builtin, analyser: diff }\n';

const baseline = (reason: string): string =>
  JSON.stringify({
    schema: 'jury.baseline/1',
    dispositions: [
      {
        claim: 'c-0123456789',
        verdict: 'rejected',
        reason,
        at: '2024-01-02T03:04:05Z',
        severity: 'high',
        path: 'src/a.js',
        text: 'It is wrong',
      },
    ],
  });

const materials: Readonly<Record<string, string>> = {
  'personas/mine.md': persona('base'),
  'tools/rev.mjs': program('base'),
  'tools/lib.mjs': 'export const word = 1;\n',
  'tools/check.py': 'import helper\nprint("base")\n',
  'tools/helper.py': 'word = 1\n',
  'rules/house.txt': 'Nothing is allowed.\n',
  'rules/other.txt': 'Nothing else either.\n',
  'rules/team.md': 'No raw SQL in handlers.\n',
  'answers/1.txt': 'IMPORTANT|src/a.js:1|It is wrong\nVERDICT: needs-changes\n',
  'answer.txt': 'IMPORTANT|src/a.js:1|It is wrong too\nVERDICT: needs-changes\n',
  'bin/claude': '#!/bin/sh\necho 2.1.0\n',
  'jury.baseline.json': baseline('base'),
};

function writeMaterials(sample: SampleRepository): void {
  for (const [file, text] of Object.entries(materials)) sample.write(file, text);
  chmodSync(path.join(sample.root, 'bin/claude'), 0o755);
  sample.write('src/a.js', 'export const a = 1;\n');
  sample.write('sub/b.js', 'export const b = 1;\n');
}

function layout(
  name: string,
  config: string,
  {
    cwd = '.',
    isNamed = false,
    inputs = [config],
  }: Partial<Layout> & { readonly isNamed?: boolean } = {},
): Layout {
  return {
    name,
    cwd,
    config: isNamed ? config : null,
    inputs,
    write(sample) {
      writeMaterials(sample);
      sample.write(config, panelOf(sample.root, path.posix.dirname(config)));
    },
  };
}

/** A configuration behind a link: of the file, or of the folder that holds it. */
function linked(name: string, link: string, target: string, inputs: readonly string[]): Layout {
  return {
    ...layout(name, 'jury.config.yaml', { inputs }),
    write(sample) {
      writeMaterials(sample);
      sample.write('conf/jury.yaml', panelOf(sample.root, '.'));
      mkdirSync(path.dirname(path.join(sample.root, link)), { recursive: true });
      symlinkSync(target, path.join(sample.root, link));
      if (link !== 'jury.config.yaml')
        symlinkSync(`${link}/jury.yaml`, path.join(sample.root, 'jury.config.yaml'));
    },
  };
}

export const layouts: readonly Layout[] = [
  layout('at the top', 'jury.config.yaml', {
    inputs: ['jury.config.yaml', ...Object.keys(materials)],
  }),
  layout('as .yml', 'jury.config.yml'),
  layout('as .json', 'jury.config.json'),
  layout('in the folder one stands in', 'sub/jury.config.yaml', { cwd: 'sub' }),
  layout('above the folder one stands in', 'jury.config.yaml', { cwd: 'sub' }),
  layout('named', 'conf/own.yaml', { isNamed: true }),
  linked('behind a link', 'jury.config.yaml', 'conf/jury.yaml', [
    'jury.config.yaml',
    'conf/jury.yaml',
  ]),
  linked('behind the link of a folder', 'way', 'conf', [
    'jury.config.yaml',
    'conf/jury.yaml',
    'way',
  ]),
];

function evilFor(input: string): string {
  if (/config|\.yaml$|^way$/.test(input)) return planted;
  if (input.endsWith('.md')) return persona('change');
  if (input.endsWith('.mjs')) return program('change');
  if (input === 'jury.baseline.json') return baseline('change');
  return 'None\nVERDICT: safe\n';
}

function at(sample: SampleRepository, input: string): string {
  return path.join(sample.root, input);
}

function isFileIn(sample: SampleRepository, input: string): boolean {
  return existsSync(at(sample, input)) && !isFolder(at(sample, input));
}

function isFolder(file: string): boolean {
  try {
    readFileSync(file);
    return false;
  } catch {
    return true;
  }
}

/** Rewrites the bytes of a file. */
function rewritten(
  name: string,
  change: (bytes: Buffer, input: string) => Buffer | string,
): Mutation {
  return {
    name,
    apply(sample, input) {
      if (!isFileIn(sample, input)) return false;
      const bytes = readFileSync(at(sample, input));
      // A link is written through: what it leads to is an input of its own.
      writeFileSync(at(sample, input), change(bytes, input));
      return true;
    },
  };
}

/** Puts something else in its place. */
function replaced(name: string, put: (sample: SampleRepository, input: string) => void): Mutation {
  return {
    name,
    apply(sample, input) {
      rmSync(at(sample, input), { recursive: true });
      put(sample, input);
      return true;
    },
  };
}

/** Puts something beside it, where there is anything to shadow it by. */
function beside(name: string, pathsFor: (input: string) => readonly string[]): Mutation {
  return {
    name,
    apply(sample, input) {
      const paths = pathsFor(input).filter(file => !existsSync(at(sample, file)));
      for (const file of paths) sample.write(file, evilFor(input));
      return paths.length > 0;
    },
  };
}

const folderOf = (input: string): string => path.posix.dirname(input);

/** The folder it lies in, where that is not the top. */
function movedFolder(
  name: string,
  then: (sample: SampleRepository, folder: string, input: string) => void,
): Mutation {
  return {
    name,
    apply(sample, input) {
      const folder = folderOf(input);
      if (folder === '.') return false;
      then(sample, folder, input);
      return true;
    },
  };
}

export const mutations: readonly Mutation[] = [
  rewritten('flips a byte', bytes => {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(flipped.length >> 1) ^ 1, flipped.length >> 1);
    return flipped;
  }),
  rewritten('writes its own', (_, input) => evilFor(input)),
  rewritten('appends to it', (bytes, input) =>
    Buffer.concat([bytes, Buffer.from(`\n${evilFor(input)}`)]),
  ),
  rewritten('empties it', () => ''),
  rewritten('re-encodes its line ends', bytes => bytes.toString('utf8').replaceAll('\n', '\r\n')),
  rewritten('re-encodes it with a mark before', bytes =>
    Buffer.concat([Buffer.from('\u{FEFF}'), bytes]),
  ),
  rewritten('re-encodes it as UTF-16', bytes => Buffer.from(bytes.toString('utf8'), 'utf16le')),
  rewritten('re-encodes it as one that is no text', bytes =>
    Buffer.concat([bytes, Buffer.from([0xff, 0xfe, 0])]),
  ),
  {
    name: 'turns its mode',
    apply(sample, input) {
      if (!isFileIn(sample, input)) return false;
      chmodSync(at(sample, input), input.startsWith('bin/') ? 0o644 : 0o755);
      return true;
    },
  },
  replaced('deletes it', () => {}),
  {
    name: 'renames it',
    apply(sample, input) {
      renameSync(at(sample, input), `${at(sample, input)}.old`);
      return true;
    },
  },
  {
    name: 'renames it and puts its own there',
    apply(sample, input) {
      renameSync(at(sample, input), `${at(sample, input)}.old`);
      sample.write(input, evilFor(input));
      return true;
    },
  },
  {
    name: 'renames it in another case',
    apply(sample, input) {
      renameSync(
        at(sample, input),
        at(sample, path.posix.join(folderOf(input), path.posix.basename(input).toUpperCase())),
      );
      return true;
    },
  },
  replaced('links it to a file of its own', (sample, input) => {
    sample.write('evil/file', evilFor(input));
    symlinkSync(
      path.relative(path.dirname(at(sample, input)), at(sample, 'evil/file')),
      at(sample, input),
    );
  }),
  replaced('links it to nothing', (sample, input) => symlinkSync('/dev/null', at(sample, input))),
  replaced('links it out of the repository', (sample, input) => {
    sample.write('../elsewhere', evilFor(input));
    symlinkSync(path.join(sample.root, '../elsewhere'), at(sample, input));
  }),
  replaced('links it to itself', (sample, input) =>
    symlinkSync(path.basename(input), at(sample, input)),
  ),
  replaced('makes a folder of it', (sample, input) =>
    sample.write(`${input}/inside`, evilFor(input)),
  ),
  movedFolder('links its folder to one of its own', (sample, folder, input) => {
    cpSync(at(sample, folder), at(sample, 'evil'), { recursive: true });
    writeFileSync(at(sample, `evil/${path.posix.basename(input)}`), evilFor(input));
    rmSync(at(sample, folder), { recursive: true });
    symlinkSync('evil', at(sample, folder));
  }),
  movedFolder('renames its folder', (sample, folder) =>
    renameSync(at(sample, folder), at(sample, `${folder}-old`)),
  ),
  movedFolder('makes a file of its folder', (sample, folder) => {
    rmSync(at(sample, folder), { recursive: true });
    sample.write(folder, 'x\n');
  }),
  {
    name: 'stops tracking it, ignores it and leaves its own on disk',
    apply(sample, input) {
      if (!isFileIn(sample, input)) return false;
      sample.git('rm', '-q', '--cached', input);
      sample.write('.gitignore', `/${input}\n`);
      rmSync(at(sample, input));
      sample.write(input, evilFor(input));
      return true;
    },
  },
  {
    name: 'hides its own from the diff',
    apply(sample, input) {
      if (!isFileIn(sample, input)) return false;
      sample.write('.gitattributes', '* -diff -text\n');
      writeFileSync(at(sample, input), evilFor(input));
      return true;
    },
  },
  beside('adds one in another case beside it', input => [
    path.posix.join(folderOf(input), path.posix.basename(input).toUpperCase()),
  ]),
  beside('shadows it', input =>
    /^(?:sub\/)?jury\.config\.\w+$/.test(input)
      ? [
          'jury.config.yaml',
          'jury.config.yml',
          'jury.config.json',
          'sub/jury.config.yaml',
          'sub/jury.config.yml',
        ]
      : input === 'tools/helper.py'
        ? ['tools/helper/__init__.py', 'tools/print.py', 'tools/sitecustomize.py']
        : input === 'tools/lib.mjs'
          ? ['tools/lib.mjs.js', 'tools/lib.js', 'tools/package.json', 'package.json']
          : input === 'answers/1.txt'
            ? ['answers/0.txt', 'answers/2.txt', 'answers/1/1.txt']
            : [],
  ),
];
