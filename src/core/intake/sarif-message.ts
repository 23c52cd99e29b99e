/** The words of a SARIF result: looked up, filled in, and without the links that only a viewer can follow. */
import type { Message, Rule, ToolComponent } from './sarif-log.ts';

/** Null when neither the result nor its rule says anything. */
export function textOfMessage(message: Message, rule: Rule | null, driver: ToolComponent): string | null {
  const stated = message.text ?? lookUp(message.id, rule, driver) ?? message.markdown;
  const filled = stated === undefined ? undefined : fillIn(stated, message.arguments ?? [], message.text === undefined);
  const texts = [filled === undefined ? undefined : withoutLinks(filled), rule?.shortDescription?.text, rule?.fullDescription?.text, rule?.name, rule?.id];
  return texts.find(text => text !== undefined && text.trim() !== '') ?? null;
}

function lookUp(id: string | undefined, rule: Rule | null, driver: ToolComponent): string | undefined {
  if (id === undefined) return undefined;
  const found = ownValue(rule?.messageStrings, id) ?? ownValue(driver.globalMessageStrings, id);
  return found?.text ?? found?.markdown;
}

/** Ids are untrusted: `constructor` is no message. */
function ownValue<Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A text without arguments is no template: many tools write braces in it that they never doubled. */
function fillIn(text: string, values: readonly string[], isTemplate: boolean): string {
  if (values.length === 0 && !isTemplate) return text;
  return text.replace(/\{\{|\}\}|\{(\d{1,4})\}/g, (whole, number: string | undefined) => (number === undefined ? whole.charAt(0) : (values[Number(number)] ?? whole)));
}

/** `[the source](1)` points into the result, `[docs](https://…)` out of it; `\[` is a bracket. */
function withoutLinks(text: string): string {
  return text.replace(/\[((?:[^[\]\\\n]|\\.){1,1000})\]\((?:\d{1,6}|https?:\/\/[^()\s]{1,2000})\)/g, '$1').replace(/\\([[\]])/g, '$1');
}
