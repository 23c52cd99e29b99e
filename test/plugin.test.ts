import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { commands } from '../src/cli/commands.ts';
import { untouched } from './cli/memory-terminal.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface PluginScript {
  readonly makePlugin: () => ReadonlyMap<string, string>;
  readonly listMade: () => readonly string[];
}
const script = '../scripts/build-plugin.mjs';
const { makePlugin, listMade } = (await import(script)) as PluginScript;
const made = makePlugin();

const names = (pattern: RegExp) =>
  [...made.keys()].flatMap(file => pattern.exec(file)?.[1] ?? []).toSorted();

describe('the plugin and its counterparts', () => {
  it('are what the one source makes, and nothing besides', () => {
    expect(listMade()).toEqual([...made.keys()].toSorted());
    for (const [file, text] of made)
      expect(read(file), `${file}: run "node scripts/build-plugin.mjs"`).toBe(text);
  });

  it('offer the same commands and skills to every client', () => {
    const commands = names(/^plugin\/commands\/(.+)\.md$/);
    const skills = names(/^plugin\/skills\/(.+)\/SKILL\.md$/);
    expect(names(/^plugin\/gemini\/commands\/jury\/(.+)\.toml$/)).toEqual(commands);
    expect(names(/^plugin\/gemini\/skills\/(.+)\/SKILL\.md$/)).toEqual(skills);
    expect(names(/^plugin\/codex\/skills\/(.+)\/SKILL\.md$/)).toEqual(
      [...skills, ...commands.map(name => `jury-${name}`)].toSorted(),
    );
    expect(skills).toHaveLength(6);
  });

  it('give every persona as an agent, in its own words and with the output contract', () => {
    const agents = [...made].filter(([file]) => file.startsWith('plugin/agents/'));
    expect(agents.length).toBeGreaterThan(5);
    for (const [file, text] of agents) {
      const [, , body = ''] = read(`personas/${path.basename(file)}`).split(/^---$/m);
      expect(text).toContain(body.trim());
      expect(text).toContain(`Write ALL findings to \`{OUTPUT_DIR}/${path.basename(file)}\`.`);
      expect(text).toContain(
        /^capability: research$/m.test(read(`personas/${path.basename(file)}`))
          ? file.includes('brainstorm')
            ? '### Ideas'
            : '### Sources'
          : '### Findings Index',
      );
    }
  });

  it('have front matter with a name and a description that a client can read', () => {
    for (const [file, text] of made) {
      if (!file.endsWith('.md')) continue;
      const head = parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '') as Record<
        string,
        unknown
      >;
      expect(String(head.description).length, file).toBeGreaterThan(20);
      expect(String(head.description).length, file).toBeLessThanOrEqual(1_024);
      if (!file.includes('/commands/')) expect(head.name, file).toMatch(/^[a-z0-9-]{1,64}$/);
    }
  });
});

/** Every command line in a text: those of shell blocks and those between backticks. */
function* commandLines(text: string) {
  for (const [, block = ''] of text.matchAll(/```sh\n([\s\S]*?)```/g))
    yield* block.split('\n').filter(line => line.trim() !== '');
  for (const [, line = ''] of text.replace(/```sh\n[\s\S]*?```/g, '').matchAll(/`(jury [^`]*)`/g))
    yield line;
}

function wordsOf(line: string) {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** What skills of others are told to run. */
const page = 'docs/call-from-a-skill.md';

const lines = new Map(
  [...made, [page, read(page)] as const].flatMap(([file, text]) =>
    [...commandLines(text)].map(line => [line, file] as const),
  ),
);

it('finds the command lines at all', () => expect(lines.size).toBeGreaterThan(20));

it.each([...lines])('"%s" is a command line of ours (%s)', async line => {
  const [program, name = '', ...args] = wordsOf(line);
  expect(program).toBe('jury');
  expect(Object.keys(commands)).toContain(name);
  await expect((await commands[name]?.())?.execute(name, args, untouched)).rejects.toThrow(
    'it runs',
  );
});
