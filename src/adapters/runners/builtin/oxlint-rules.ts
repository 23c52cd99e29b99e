/**
 * Rules of the JavaScript linter that are worth a reviewer's voice, with the weight they get. Style, taste and rules
 * that need the rest of the project (types, imports, unused names) are left out: on a change alone they are noise.
 */
import type { Severity } from '../../../core/severity.ts';

/** Wrong whenever the line runs. */
const broken = [
  'eslint/constructor-super', 'eslint/no-const-assign', 'eslint/no-this-before-super', 'eslint/no-obj-calls', 'eslint/no-new-native-nonconstructor',
  'eslint/no-import-assign', 'eslint/for-direction', 'eslint/valid-typeof', 'eslint/no-invalid-regexp', 'eslint/no-unsafe-optional-chaining',
  'eslint/no-unsafe-negation', 'eslint/use-isnan', 'eslint/no-setter-return', 'eslint/no-eval', 'oxc/missing-throw', 'oxc/bad-comparison-sequence',
  'oxc/bad-min-max-func', 'oxc/uninvoked-array-callback', 'unicorn/no-accessor-recursion', 'eslint/no-unexpected-multiline', 'eslint/no-dupe-else-if',
];

/** Almost surely not what was meant. */
const mistaken = [
  'eslint/no-async-promise-executor', 'eslint/no-caller', 'eslint/no-class-assign', 'eslint/no-compare-neg-zero', 'eslint/no-cond-assign',
  'eslint/no-constant-binary-expression', 'eslint/no-delete-var', 'eslint/no-dupe-class-members', 'eslint/no-dupe-keys', 'eslint/no-duplicate-case',
  'eslint/no-empty-character-class', 'eslint/no-ex-assign', 'eslint/no-func-assign', 'eslint/no-global-assign', 'eslint/no-iterator', 'eslint/no-loss-of-precision',
  'eslint/no-misleading-character-class', 'eslint/no-nonoctal-decimal-escape', 'eslint/no-self-assign', 'eslint/no-self-compare', 'eslint/no-shadow-restricted-names', 'eslint/no-sparse-arrays',
  'eslint/no-unassigned-vars', 'eslint/no-unreachable', 'eslint/no-unsafe-finally', 'eslint/no-useless-backreference', 'eslint/require-yield',
  'oxc/bad-array-method-on-arguments', 'oxc/bad-char-at-comparison', 'oxc/bad-match-all-arg', 'oxc/bad-object-literal-comparison', 'oxc/bad-replace-all-arg',
  'oxc/const-comparisons', 'oxc/double-comparisons', 'oxc/erasing-op', 'oxc/number-arg-out-of-range', 'oxc/misrefactored-assign-op',
  'typescript/no-duplicate-enum-values', 'typescript/no-extra-non-null-assertion', 'typescript/no-misused-new', 'typescript/no-non-null-asserted-optional-chain',
  'typescript/no-unsafe-declaration-merging', 'unicorn/no-await-in-promise-methods', 'unicorn/no-invalid-fetch-options', 'unicorn/no-invalid-remove-event-listener',
  'unicorn/no-array-fill-with-reference-type', 'unicorn/no-negation-in-equality-check', 'unicorn/no-new-buffer', 'unicorn/require-number-to-fixed-digits-argument',
  'promise/no-new-statics', 'promise/no-multiple-resolved', 'react/jsx-no-duplicate-props', 'react/no-danger-with-children', 'react/no-direct-mutation-state', 'react/void-dom-elements-no-children',
];

/** Odd, and harmless as a rule. */
const odd = ['eslint/getter-return', 'eslint/no-extend-native', 'eslint/no-empty-pattern', 'eslint/no-useless-catch', 'eslint/no-irregular-whitespace', 'eslint/no-unused-labels', 'oxc/only-used-in-recursion', 'unicorn/no-useless-fallback-in-spread', 'react/jsx-key'];

/** `plugin/rule` to the severity of its findings. */
export const oxlintRules: ReadonlyMap<string, Severity> = new Map<string, Severity>([
  ...broken.map(rule => [rule, 'high'] as const),
  ...mistaken.map(rule => [rule, 'medium'] as const),
  ...odd.map(rule => [rule, 'low'] as const),
]);

/** Tests and scripts do these things on purpose: a throw fails the test, which is what it is for. */
export const rulesQuietInTests: ReadonlySet<string> = new Set(['eslint/no-eval', 'eslint/no-unsafe-optional-chaining', 'eslint/no-unreachable', 'eslint/no-self-compare', 'eslint/no-constant-binary-expression', 'eslint/no-sparse-arrays', 'eslint/no-loss-of-precision']);

/** Lines on which a rule is right and the code is fine all the same. */
export const acceptedLines: ReadonlyMap<string, RegExp> = new Map([
  ['eslint/no-unreachable', /^\s*break;?\s*$/],
  // The idiom of reading until nothing is left; a fixed value on the right is no idiom.
  ['eslint/no-cond-assign', /\bwhile\s*\((?![^=]*=\s*(?:-?\d|["'`]|true|false|null|undefined))/],
]);

/** Rules about safety rather than correctness. */
export const securityRules: ReadonlySet<string> = new Set(['eslint/no-eval', 'unicorn/no-new-buffer']);

/** The whole configuration the linter gets: no file of the change and no folder above the snapshot has a say. */
export const oxlintConfig = {
  plugins: ['oxc', 'typescript', 'unicorn', 'promise', 'react'],
  categories: { correctness: 'off' },
  rules: Object.fromEntries([...oxlintRules.keys()].map(rule => [rule.replace(/^eslint\//, ''), 'warn'])),
  options: { respectEslintDisableDirectives: false },
} as const;
