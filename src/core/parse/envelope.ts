/** Takes an answer out of what a client or a server wraps around it: result objects and event streams. */
import { reject, type Rejection, type Wrapping } from './reading.ts';
import { rejectionIn } from './rejections.ts';
import { isList, isObject, type Json, type JsonObject } from './scanner.ts';

/** Null: the object is no wrapping that anybody knows. */
export function unwrapEnvelope(object: JsonObject): Wrapping | Rejection | null {
  const text = textOf(object);
  const isError = object.get('is_error') === true || (object.get('type') === 'result' && text === null);
  if (isError) return rejectionIn(text ?? '', 'error') ?? reject('provider', (text ?? 'The client reports an error.').slice(0, 300));
  if (text === null) return null;
  return text.trim() === '' ? reject('empty', 'The wrapping holds no text.') : { kind: 'wrapping', texts: [text], repair: 'A14' };
}

/** The records of a client, one after the other. Null when they are something else. */
export function unwrapStream(values: readonly Json[]): Wrapping | Rejection | null {
  const events = values.filter(isObject).filter(value => (typeof value.get('type') === 'string' || typeof value.get('event') === 'string') && !value.has('severity'));
  if (events.length < values.length) return null;
  const result = events.findLast(event => event.get('type') === 'result');
  return result === undefined ? reject('truncated', 'The stream of events has no final result.') : unwrapEnvelope(result);
}

function textOf(object: JsonObject): string | null {
  if (object.get('type') === 'result') return string(object.get('result'));
  const choices = object.get('choices');
  if (isList(choices)) return string(isObject(choices[0]) ? inner(choices[0].get('message'), 'content') : undefined);
  const isCall = ['name', 'arguments', 'input', 'tool', 'function'].some(key => object.has(key));
  if (isCall) return null;
  return ['response', 'result', 'answer', 'output', 'text', 'content'].map(key => string(object.get(key))).find(text => text !== null) ?? joinedText(object.get('content'));
}

/** A message whose content is a list of parts. */
function joinedText(content: Json | undefined): string | null {
  if (!isList(content)) return null;
  const parts = content.filter(isObject).filter(part => part.get('type') === 'text').map(part => string(part.get('text')) ?? '');
  return parts.length === 0 ? null : parts.join('');
}

function inner(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? value.get(key) : undefined;
}

function string(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
