/** The vendor family a reviewer belongs to: two seats of one family make the same mistakes. */
import type { Seat } from '../words/config.ts';

/** By a word of the model's name. */
const models: readonly (readonly [word: RegExp, family: string])[] = [
  [/claude|anthropic/, 'anthropic'],
  [/gpt|codex|openai|\bo[1-9]\b/, 'openai'],
  [/gemini|gemma|google/, 'google'],
  [/qwen/, 'qwen'],
  [/llama/, 'meta'],
  [/mistral|codestral|devstral/, 'mistral'],
  [/deepseek/, 'deepseek'],
  [/grok/, 'xai'],
  [/kimi/, 'moonshot'],
  [/glm/, 'zhipu'],
];

const runners: ReadonlyMap<string, string> = new Map([
  ['claude', 'anthropic'],
  ['codex', 'openai'],
  ['gemini', 'google'],
]);

/** As configured, else by the model's name, else by the runner; null when none of them tells. Static analysers have none: each errs in its own way. */
export function familyOf({
  family,
  model,
  runner,
}: Pick<Seat, 'family' | 'model' | 'runner'>): string | null {
  // What serves a model says nothing about who made it.
  const name = (model ?? '').toLowerCase().replace(/^openai-compatible\//, '');
  return family ?? models.find(([word]) => word.test(name))?.[1] ?? runners.get(runner) ?? null;
}
