/**
 * Runs the rules of secretlint's recommended preset. The library's own driver is not used: it keeps a performance mark
 * of every rule and file for ever and searches them each time, which made 2,500 files take eight minutes instead of two
 * seconds; and it obeys comments that switch rules off.
 */
import { basename } from 'node:path';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';

export interface PresetHit {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

type Rule = (typeof rules)[number];
type Context = Parameters<Rule['create']>[0];
type SourceCode = Parameters<NonNullable<ReturnType<Rule['create']>['file']>>[0];

/** Left out: what Jury's own rules judge better, and the filter that obeys comments. */
const leftOut = /basicauth|database-connection-string|privatekey|filter/;
const used = rules.filter(rule => rule.meta.type === 'scanner' && !leftOut.test(rule.meta.id));

export async function scanWithPreset(content: string, path: string): Promise<PresetHit[]> {
  const hits: PresetHit[] = [];
  const source = describeSource(content, path);
  for (const rule of used) {
    const kind = rule.meta.id.replace(/^.*secretlint-rule-/, '');
    const handlers = rule.create(contextOf(({ range: [start, end] }) => hits.push({ start, end, kind })), {});
    await handlers.file?.(source);
  }
  return hits;
}

function contextOf(report: Context['report']): Context {
  return {
    sharedOptions: {},
    // The wording of the library repeats the secret: it is not asked for.
    createTranslator: () => messageId => ({ message: '', messageId: String(messageId), data: undefined }),
    report,
    ignore: () => {},
  };
}

function describeSource(content: string, path: string): SourceCode {
  const filePath = basename(path);
  // For `.p12` a rule would open a file of that name, here and now; its content is binary anyway.
  const ext = /(?!\.p12$)\.[A-Za-z0-9]{1,12}$/i.exec(filePath)?.[0] ?? '';
  // Rules read these and nothing else; positions are computed by Jury.
  return { content, filePath, ext, contentType: 'text', hasBOM: false } as unknown as SourceCode;
}
