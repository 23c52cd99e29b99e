/** What a person types, and the definition that stands first; a small repository in several languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository, type SampleRepository } from '../git/sample-repository.ts';
import { indexSample, type SampleIndex } from './open-sample-index.ts';

function createProject() {
  const sample = createSampleRepository();
  const files: Readonly<Record<string, string>> = {
    'context.go':
      'package web\n\n// CreateTestContext returns a fresh engine and context for testing ' +
      'purposes.\nfunc CreateTestContext(w Writer) (c *Context, r *Engine) {\n\tr = New()\n\tc = ' +
      'r.allocate(w)\n\treturn\n}\n\nfunc (c *Context) ClientIP() string {\n\treturn c.remote\n}\n',
    'context_test.go': `package web\n\n${'One Two Three Four Five Six'
      .split(' ')
      .map(
        name =>
          `func Test${name}(t *testing.T) {\n\tcreateTestContext := CreateTestContext\n\tcontext, _ := ` +
          `createTestContext(nil)\n\t_ = context.ClientIP()\n}\n`,
      )
      .join('\n')}`,
    'src/links.ts':
      "import { send } from './send.ts';\n\n/** Sends many operations in one request. */\nexport " +
      'function httpBatchLink(options: Options) {\n  return send(options);\n}\n\nexport function ' +
      'httpLink(options: Options) {\n  return send(options);\n}\n',
    'src/base64.ts':
      'export function decodeBase64Url(text: string): Uint8Array {\n  return decode(text);\n}\n',
    'src/parse_request.py':
      'class RequestParser:\n    def parse_nested_query(self, text):\n        return ' +
      'text.split("&")\n\n    def parse_header(self, line):\n        return line\n',
    'lib/retry.rb':
      'module Retry\n  # Waits longer after each failed attempt.\n  def self.with_backoff(attempts)\n   ' +
      ' attempts.times { sleep 1 }\n  end\nend\n',
    'core/src/suggestions.rs':
      '/// Names that look like the one that was typed.\npub fn did_you_mean(typed: &str, possible: ' +
      '&[String]) -> Vec<String> {\n    possible.to_vec()\n}\n',
    'src/main/Shuffle.java':
      'class Shuffle {\n    /** Puts the values into a random order. */\n    static void ' +
      'shuffleArray(int[] values) {\n        swap(values);\n    }\n}\n',
    'client_test.go':
      'package web\n\nfunc TestClientIP(t *testing.T) {\n\tcontext := New()\n\t_ = context.ClientIP()\n}\n',
    'src/lower.ts': 'export function parseHeader(line: string) {\n  return line;\n}\n',
    'src/upper.ts': 'export class ParseHeader {\n  line = 1;\n}\n',
    'docs/scattered.md': ['harbor', 'lantern', 'harbor', 'lantern', 'harbor']
      .map(word => `${word}\n${'Some other sentence of the guide.\n'.repeat(30)}`)
      .join(''),
    'docs/together.md': `${'Yet another sentence of the guide.\n'.repeat(50)}A lantern.\nA harbor.\n`,
    'docs/rare.md': 'There is one quokka.\n',
    'docs/one.md': 'There is a marmot.\n',
    'docs/another.md': 'And here is a marmot.\n',
    // As a test might stand in for it.
    'e2e/links.ts':
      '/** Sends many operations in one request. */\nexport function httpBatchLink(options: Options) {\n  return send(options);\n}\n',
    'src/send.ts': `export function send(options: Options) {\n${'  log(options.header);\n'.repeat(3)}  return options;\n}\n`,
  };
  for (const [path, text] of Object.entries(files)) sample.write(path, text);
  sample.commit('one');
  return sample;
}

describe('a search', () => {
  let sample: SampleRepository;
  let index: SampleIndex;
  const pathsOf = (query: string) => index.search(query, 10).map(({ path }) => path);
  beforeAll(async () => {
    sample = createProject();
    await indexSample(sample.root);
    // What is searched was kept and is read again.
    index = await indexSample(sample.root);
  });

  it.each([
    ['another case', 'createTestContext', 'context.go', 'func CreateTestContext('],
    ['no case at all', 'createtestcontext', 'context.go', 'func CreateTestContext('],
    ['separators', 'create_test_context', 'context.go', 'func CreateTestContext('],
    ['its case, where two differ in nothing else', 'parseHeader', 'src/lower.ts', 'parseHeader'],
    ['the same, the other way', 'ParseHeader', 'src/upper.ts', 'ParseHeader'],
    ['the words of a name in camel case', 'batch link', 'src/links.ts', 'httpBatchLink('],
    [
      'the words of one with separators',
      'nested query',
      'src/parse_request.py',
      'def parse_nested',
    ],
    ['hyphens', 'with-backoff', 'lib/retry.rb', 'def self.with_backoff'],
    ['the digits in it', 'base 64', 'src/base64.ts', 'decodeBase64Url('],
    ['a comment above it', 'random order', 'src/main/Shuffle.java', 'void shuffleArray('],
    ['another ending of a word', 'waiting longer', 'lib/retry.rb', 'def self.with_backoff'],
    ['words of a function elsewhere tested', 'client ip', 'context.go', ') ClientIP('],
    ['the word for a test', 'test client ip', 'client_test.go', 'func TestClientIP('],
  ])('finds a definition by %s', (_, query, path, signature) => {
    const [hit] = index.search(query, 5);
    expect(hit).toMatchObject({ path, text: expect.stringContaining(signature) });
  });

  it('puts words that stand together before words far apart, and a rare word before a common one', () => {
    expect(pathsOf('lantern harbor').slice(0, 2)).toEqual([
      'docs/together.md',
      'docs/scattered.md',
    ]);
    expect(pathsOf('marmot quokka')[0]).toBe('docs/rare.md');
  });

  it('gives lines of the file as they stand there, none of them twice', () => {
    for (const query of ['context', 'options', 'parse', 'sentence lantern']) {
      const hits = index.search(query, 50);
      expect(hits.length).toBeGreaterThan(0);
      for (const { path, startLine, endLine, text } of hits) {
        const written = readFileSync(join(sample.root, path), 'utf8').split(/(?<=\n)/);
        expect(text).toBe(written.slice(startLine - 1, endLine).join(''));
      }
      const places = hits.map(({ path, startLine }) => `${path}:${startLine}`);
      expect(new Set(places).size).toBe(places.length);
    }
  });
});
