/** The vendor family a reviewer belongs to: two seats of one family make the same mistakes. */
import type { Seat } from './config.ts';
import { traitsOf } from './runner.ts';

/** By a word of the model's name. */
const models: readonly (readonly [word: RegExp, family: string])[] = [
  [/claude|anthropic|\b(sonnet|opus|haiku)\b/, 'anthropic'],
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

/**
 * As configured, else by the model's name, else by the runner; null when none of them tells. Static analysers have none: each
 * errs in its own way.
 */
export function familyOf({ family, model, runner }: Pick<Seat, 'family' | 'model' | 'runner'>) {
  // What serves a model says nothing about who made it.
  const name = (model ?? '').toLowerCase().replace(/^openai-compatible\//, '');
  const { vendor = null } = traitsOf(runner);
  const usual = vendor === 'by-model' ? null : vendor;
  return family ?? modelFamily(name) ?? usual;
}

/** By the name alone, as findings from elsewhere give it. `arm#1` and `arm#2` are one arm asked twice, whoever made it. */
export function familyNamed(reviewer: string) {
  const name = reviewer.toLowerCase();
  const [, arm = null] = /^(.+)#\d+$/.exec(name) ?? [];
  return modelFamily(name) ?? arm;
}

function modelFamily(name: string) {
  return models.find(([word]) => word.test(name))?.[1];
}
