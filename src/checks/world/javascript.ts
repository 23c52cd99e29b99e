/**
 * JavaScript and TypeScript correctness: the linter with Jury's rules over the new text of the changed files. Comments
 * in the change that switch rules off are not obeyed: what they would silence keeps its severity, and they are named.
 */
import { setImmediate } from 'node:timers/promises';
import type { ChangedFile } from '../../core/words/change.ts';
import type { RunnerWorld } from '../../adapters/runners/runner-world.ts';
import {
  openFile,
  quoteOf,
  readingOf,
  type Analysis,
  type Reading,
  type Remark,
  type Task,
} from '../analyser.ts';
import { type Diagnostic, lintFiles, type LinterRule, readLinterRules } from './oxlint.ts';
import { isFixturePath, isScriptPath, isTestPath } from '../../core/languages/path-kinds.ts';
import { familyOf } from '../../core/languages/languages.ts';
import type { Source } from '../source.ts';

export async function javascript(task: Task, world: RunnerWorld): Promise<Analysis> {
  const sources = new Map<string, Source>();
  const readings = new Map<string, Reading>();
  for (const file of task.change.files) {
    task.signal.throwIfAborted();
    const opened = await openFile(reach, file, task);
    const reading = 'extent' in opened ? opened : readingOf(opened, reach);
    // A part of a program does not parse.
    const isPart = reading.extent === 'partial';
    readings.set(file.path, isPart ? { ...reading, extent: 'skipped' } : reading);
    if (!('extent' in opened) && !isPart && file.status !== 'deleted')
      sources.set(snapshotName(file, sources.size), opened);
    await setImmediate();
  }
  const texts = new Map(
    [...sources].map(
      ([name, { text }]) =>
        [name, text.replace(directive, '$1_$2').replace(/\r(?!\n)/g, '\u2028')] as const,
    ),
  );
  const { diagnostics, fatal } = await lintFiles(texts, world, task.signal);
  task.signal.throwIfAborted();
  for (const name of fatal) {
    const path = sources.get(name)?.path ?? '';
    readings.set(path, { path, extent: 'skipped', why: 'the linter does not survive it' });
  }
  for (const { filename, code } of diagnostics) {
    const path = sources.get(filename)?.path;
    if (code === undefined && path !== undefined && readings.get(path)?.extent === 'full')
      readings.set(path, { path, extent: 'partial', why: 'does not parse' });
  }
  const rules = await readLinterRules();
  return {
    remarks: onceEach(diagnostics, sources).flatMap(told => toRemark(told, rules)),
    coverage: task.change.files.map(
      ({ path }) => readings.get(path) ?? { path, extent: 'full', why: null },
    ),
  };
}

/** A diagnostic, and the changed line that it is about. */
interface Told extends Diagnostic {
  readonly source: Source;
  readonly line: number;
}

/**
 * A place is told once by a rule, and a file that does not parse once: what follows the first place comes of it. A minified line has tens
 * of thousands that differ in nothing that is told.
 */
function onceEach(diagnostics: readonly Diagnostic[], sources: ReadonlyMap<string, Source>) {
  const told = new Map<string, Told>();
  for (const diagnostic of diagnostics) {
    const { filename, code, labels } = diagnostic;
    const source = sources.get(filename);
    const line = labels
      .map(({ span }) => span.line)
      .findLast(each => typeof source?.touched(each, each) === 'number');
    if (!source || line === undefined) continue;
    const key = JSON.stringify([filename, code, code === undefined ? 0 : line]);
    if (code !== undefined || !told.has(key)) told.set(key, { ...diagnostic, source, line });
  }
  return [...told.values()];
}

const reach = {
  outside: ({ path }: ChangedFile) =>
    familyOf(path) === 'javascript' ? null : 'no JavaScript or TypeScript',
  isContentWithHunks: false,
  readsAll: false,
};

/** Nothing of the change but the ending is in the name. */
function snapshotName({ path }: ChangedFile, index: number) {
  return `f${index}${/(?:\.d)?\.(?:[cm]?js|jsx|[cm]?ts|tsx)$/i.exec(path)?.[0].toLowerCase() ?? '.js'}`;
}

const directive = /(eslint|oxlint)-(disable|enable)/g;

function toRemark(
  { message, code, help, source, line }: Told,
  rules: ReadonlyMap<string, LinterRule>,
): Remark[] {
  if (code === undefined)
    return isFixturePath(source.path) || /@flow\b/.test(source.text.slice(0, 2_000))
      ? []
      : [syntaxRemark(source, line, message)];
  const rule = code.replace(/^([\w-]+)\(([\w-]+)\)$/, '$1/$2');
  const known = rules.get(rule);
  if (!known || isQuiet(known, source, line)) return [];
  const { severity, category, cwe } = known;
  const silencer = findSilencer(source, line, rule);
  if (silencer && !silencer.isAdded) return [];
  const note = silencer
    ? `Silenced by \`${silencer.directive}\` in line ${silencer.line}, which this change adds: `
    : '';
  return [
    {
      rule: `javascript/${rule}`,
      severity,
      category,
      ...(cwe !== undefined && { weakness: cwe }),
      path: source.path,
      line,
      quote: quoteOf(source, line),
      // First, so that what is cut to a line still says it.
      issue: `${note}${oneLine(message)}`,
      recommendation:
        help === undefined
          ? 'Rewrite the expression so that it does what was meant.'
          : oneLine(help),
    },
  ];
}

const farthest = 60;

function isQuiet({ quietInTests, unless }: LinterRule, source: Source, line: number) {
  const { path, lines } = source;
  if (quietInTests && (isTestPath(path) || isScriptPath(path))) return true;
  const places: Readonly<Record<string, readonly string[]>> = {
    line: lines.slice(line - 1, line),
    around: lines.slice(Math.max(0, line - farthest), line),
    below: lines.slice(line - 1, line + farthest),
  };
  return unless.some(({ place, pattern }) => pattern.test(places[place]?.join('\n') ?? ''));
}

function syntaxRemark(source: Source, line: number, message: string): Remark {
  return {
    rule: 'javascript/syntax',
    severity: 'high',
    category: 'correctness',
    path: source.path,
    line,
    quote: quoteOf(source, line),
    issue: `The file does not parse: ${oneLine(message)}`,
    recommendation: 'Repair the syntax.',
  };
}

interface Silencer {
  readonly line: number;
  /** `eslint-disable-next-line` */
  readonly directive: string;
  readonly isAdded: boolean;
}

/** A comment on the line, the one above or the top of the file that switches the rule off. */
function findSilencer(source: Source, line: number, rule: string): Silencer | null {
  const name = rule.replace(/^.*\//, '');
  const top = Array.from({ length: Math.min(10, source.lines.length) }, (_, index) => index + 1);
  const found = [line, line - 1, ...top].flatMap((place, order): Silencer[] => {
    const [directive, reach, names = ''] =
      /(?:eslint|oxlint)-disable(-next-line|-line)?(?![\w-])(.*)$/.exec(
        source.lines[place - 1] ?? '',
      ) ?? [];
    if (directive === undefined || (order >= 2 && reach !== undefined)) return [];
    const rest = names.replace(/\*\/.*$|--.*$/, '').trim();
    return rest === '' || rest.includes(name)
      ? [
          {
            line: place,
            directive: directive.slice(0, directive.length - names.length),
            isAdded: source.touched(place, place) !== null,
          },
        ]
      : [];
  });
  return found[0] ?? null;
}

/** The linter repeats names from the change: one line, without control characters. */
function oneLine(text: string) {
  // oxlint-disable-next-line no-control-regex -- they are what is removed
  return text
    .replace(/[\u0000-\u001F\u007F-\u009F\s]+/g, ' ')
    .trim()
    .slice(0, 400);
}
