// A second tokenizer of the same family, to hold the counts against.
import { pathToFileURL } from 'node:url';
import path from 'node:path';

/** `module`: path of a module that exports `encode(text)` for o200k_base. Without one the own encoding counts the text uncut. */
export async function loadOtherTokenizer(module) {
  for (const name of module === null
    ? ['gpt-tokenizer/encoding/o200k_base']
    : [pathToFileURL(path.resolve(module)).href]) {
    const loaded = await import(name).catch(() => null);
    if (loaded?.encode) return { name: 'gpt-tokenizer', count: text => loaded.encode(text).length };
  }
  const [{ Tokenizer }, encoding] = await Promise.all([
    import('ai-tokenizer'),
    import('ai-tokenizer/encoding/o200k_base'),
  ]);
  const tokenizer = new Tokenizer(encoding);
  return {
    name: 'the same encoding over the uncut text (no other tokenizer is installed)',
    count: text => tokenizer.encode(text, [], []).length,
  };
}
