/** What can be said of an image without building one: that every step is understood, and that what it copies and starts is there. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import picomatch from 'picomatch';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const file = DockerfileParser.parse(read('Dockerfile'));
const steps = file.getInstructions().map(step => ({
  keyword: step.getKeyword(),
  words: (step.getArgumentsContent() ?? '').split(/\s+/),
  text: step.getArgumentsContent() ?? '',
}));
const allowed = read('.dockerignore')
  .split('\n')
  .filter(line => line.startsWith('!'))
  .map(line => line.slice(1));

function last(keyword: string) {
  return steps.findLast(step => step.keyword === keyword)?.text ?? '';
}

it('every step is one that the builder knows', () => {
  const known = 'ARG FROM WORKDIR COPY RUN ENV VOLUME USER ENTRYPOINT'.split(' ');
  expect(steps.length).toBeGreaterThan(10);
  expect(steps.filter(({ keyword }) => !known.includes(keyword))).toEqual([]);
});

it('what it copies from the project exists and is sent to the builder', () => {
  const sources = file
    .getCOPYs()
    .filter(copy => copy.getFlags().length === 0)
    .flatMap(copy => copy.getArguments().slice(0, -1))
    .map(argument => argument.getValue());
  const sent = picomatch(
    allowed.flatMap(name => [name, `${name}/**`]),
    { dot: true },
  );
  expect(sources).toContain('package-lock.json');
  expect(sources.filter(name => name !== '.' && !existsSync(path.join(root, name)))).toEqual([]);
  expect(sources.filter(name => name !== '.' && !sent(name))).toEqual([]);
  expect(allowed.filter(name => !existsSync(path.join(root, name)))).toEqual([]);
});

it('all that goes into the package is sent to the builder, or is made by the build', () => {
  const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] };
  const made = ['dist', 'man', 'schema'];
  expect(
    files.filter(
      name => !name.startsWith('!') && ![...allowed, ...made].includes(name.split('/')[0] ?? name),
    ),
  ).toEqual([]);
});

it('the base is pinned by digest, in every stage', () => {
  const [base = ''] = steps.filter(({ keyword }) => keyword === 'ARG').map(({ text }) => text);
  expect(base).toMatch(/^BASE=node:\d+-\w+-slim@sha256:[0-9a-f]{64}$/);
  expect(file.getFROMs().map(from => from.getImage())).toEqual(['${BASE}', '${BASE}']);
});

it('scripts that it starts exist', () => {
  const scripts = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const texts = steps.filter(({ keyword }) => keyword === 'RUN').map(({ text }) => text);
  const named = texts.flatMap(text => [...text.matchAll(/npm run (\w+)/g)].map(([, name]) => name));
  expect(named).toEqual(['build']);
  expect(Object.keys(scripts.scripts)).toEqual(expect.arrayContaining(named));
  expect(texts.filter(text => text.startsWith('node ')).map(text => text.split(' ')[1])).toEqual([
    'scripts/setup.mjs',
  ]);
});

it('a container runs as nobody special, with its state outside of the project', () => {
  expect([last('USER'), last('ENTRYPOINT'), last('VOLUME')]).toEqual([
    'node',
    '["jury"]',
    '/state',
  ]);
  expect(last('ENV')).toContain('JURY_STATE=/state/');
});
