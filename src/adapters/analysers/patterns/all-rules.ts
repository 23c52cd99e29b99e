/** Every structural rule. A language more is one file and one line. */
import { cRules } from './c.ts';
import { csharpRules } from './csharp.ts';
import { goRules } from './go.ts';
import { javaRules } from './java.ts';
import { javascriptRules } from './javascript.ts';
import { phpRules } from './php.ts';
import { pythonRules } from './python.ts';
import { rubyRules } from './ruby.ts';
import type { PatternRule } from './rule.ts';
import { rustRules } from './rust.ts';

export const patternRules: readonly PatternRule[] = [
  ...javascriptRules,
  ...pythonRules,
  ...goRules,
  ...javaRules,
  ...rubyRules,
  ...rustRules,
  ...phpRules,
  ...csharpRules,
  ...cRules,
];
