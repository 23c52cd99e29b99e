/** Structural rules over syntax trees: security and correctness patterns of several languages, as data. */
import { grammarOf } from '../../core/languages/languages.ts';
import { isFixturePath } from '../../core/languages/path-kinds.ts';
import { withTree } from '../../adapters/syntax/grammars.ts';
import { perFile } from '../analyser.ts';
import { findInTree } from '../match.ts';
import { compileRules } from './rule-files.ts';

/** For one file; a parser that needs longer has met something nobody wrote by hand. */
const parseLimitMs = 3_000;
const longestText = 3_000_000;

export const patterns = perFile({
  outside: ({ path }) => (grammarOf(path) === null ? 'no rules for this language' : null),
  isContentWithHunks: false,
  readsAll: false,
  async examine(source, task) {
    const grammar = grammarOf(source.path);
    if (grammar === null || source.added.length === 0) return [];
    if (isFixturePath(source.path)) return { skipped: 'data of tests' };
    if (source.text.length > longestText) return { skipped: 'too large to parse' };
    const compiled = await compileRules(grammar);
    if (!compiled) return [];
    const endsAt = performance.now() + parseLimitMs;
    const isOver = () => task.signal.aborted || performance.now() > endsAt;
    const found = await withTree(grammar, source.text, isOver, tree =>
      findInTree(tree.rootNode, source, compiled, isOver),
    );
    return found ?? { skipped: 'it could not be parsed in time' };
  },
});
