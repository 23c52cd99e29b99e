/**
 * Finds and reads `jury.config.{yaml,yml,json}`: upwards from the caller's working directory, or the file the caller
 * names. YAML and JSON are data here; nothing of a configuration is ever executed.
 */
import path from 'node:path';
import type { Document, LineCounter, YAMLParseError } from 'yaml';
import {
  configWith,
  type Config,
  type ConfigInput,
  type ReviewerConfig,
} from '../../core/words/config.ts';
import { didYouMean, usageError, type UserError } from '../../core/errors.ts';
import { firstProblem, formatPath } from '../../core/schema-problem.ts';
import { traitsOf } from '../../core/words/runner.ts';
import { readGivenFile, readRegularFile, whyUnreadable } from '../system/given-file.ts';

const configurationNames = ['jury.config.yaml', 'jury.config.yml', 'jury.config.json'] as const;

export interface ConfigurationFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/**
 * The named file, or the nearest one upwards from `cwd`; null when nobody wrote one. Throws `UserError` when a named one cannot
 * be read.
 */
export async function findConfiguration(
  cwd: string,
  named: string | null,
  signal?: AbortSignal,
): Promise<ConfigurationFile | null> {
  if (named !== null) {
    const file = path.resolve(cwd, named);
    return { file, text: await readNamed(file, signal) };
  }
  for (const file of configurationCandidates(cwd)) {
    const text = await readIfThere(file);
    if (text !== null) return { file, text };
  }
  return null;
}

/** Where a configuration may lie, absolute: the first that is there counts. */
export function configurationCandidates(cwd: string): string[] {
  const folder = path.resolve(cwd);
  const here = configurationNames.map(name => path.join(folder, name));
  return folder === path.dirname(folder)
    ? here
    : [...here, ...configurationCandidates(path.dirname(folder))];
}

/** Checks a configuration that a program gives as an object, which may seat runners of these names. The error names the key. */
export function checkConfiguration(given: ConfigInput, runners: readonly string[]): Config {
  const schema = configWith(runners);
  const checked = schema.safeParse(given, { reportInput: true });
  if (!checked.success) {
    const problem = firstProblem(schema, checked.error);
    throw usageError(
      `config: ${formatPath(problem.path)}: ${problem.sentence}`,
      didYouMean(problem.suggestions),
      checked.error,
    );
  }
  refuseDuplicates(checked.data, 'config');
  return checked.data;
}

/**
 * Checks the text of a configuration, which may seat runners of these names besides the built-in ones. The error names file, line
 * and key.
 */
export async function parseConfiguration(
  { file, text }: ConfigurationFile,
  runners: readonly string[] = [],
): Promise<Config> {
  // As PowerShell writes it: read as UTF-8 it is noise, which a person cannot see in the file.
  if (text.startsWith('\uFFFD') || text.includes('\0'))
    throw usageError(`${file} is no UTF-8 text.`, 'Save it as UTF-8.');
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
  });
  const syntax = document.errors[0];
  if (syntax) {
    const { line, col } = lines.linePos(syntax.pos[0]);
    throw usageError(
      `${file}:${line}:${col}: ${sayMalformed(syntax)}`,
      mendOfSyntax[syntax.code] ?? null,
      syntax,
    );
  }
  const data: unknown = document.toJS({ maxAliasCount: 50 }) ?? {};
  const schema = configWith(runners);
  const checked = schema.safeParse(data, { reportInput: true });
  if (!checked.success) {
    const problem = firstProblem(schema, checked.error);
    throw usageError(
      `${file}:${lineOf(document, lines, problem.path)}: ${formatPath(problem.path)}: ${problem.sentence}`,
      didYouMean(problem.suggestions),
      checked.error,
    );
  }
  refuseDuplicates(checked.data, file);
  const lacking = (checked.data.reviewers ?? []).findIndex(each => lackedKey(each) !== null);
  const reviewer = checked.data.reviewers?.[lacking];
  if (reviewer !== undefined)
    throw lacks(reviewer, `${file}:${lineOf(document, lines, ['reviewers', lacking])}: `);
  return checked.data;
}

/** The key that its runner cannot do without; null where it is there. */
export function lackedKey(reviewer: ReviewerConfig): string | null {
  const [key] = traitsOf(reviewer.runner).needs ?? [];
  return key !== undefined && reviewer[key] === undefined ? key : null;
}

/** `place`: file and line, where they are known. */
export function lacks(reviewer: ReviewerConfig, place = ''): UserError {
  const [key = '', example = ''] = traitsOf(reviewer.runner).needs ?? [];
  return usageError(
    `${place}Reviewer "${reviewer.id}": runner ${reviewer.runner} needs the key "${key}", such as ${key}: ${example}.`,
    'See "jury help configuration".',
  );
}

function sayMalformed({ code, message }: YAMLParseError): string {
  const [, kind, end = ''] = /^Flow (map|sequence) in .* end with a ([}\]])$/.exec(message) ?? [];
  if (code === 'BAD_INDENT' && kind !== undefined)
    return `Before this, a ${end === '}' ? '{' : '['} that was opened should have ended with ${end}.`;
  return (message.split('\n')[0] ?? 'It is not well-formed').replace(/[.:]?$/, '.');
}

const mendOfSyntax: Partial<Record<YAMLParseError['code'], string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_ALIAS: 'Put a text that begins with * in quotes.',
  BAD_SCALAR_START: 'Put such a text in quotes.',
};

function refuseDuplicates(config: Config, file: string): void {
  const seen = new Set<string>();
  for (const { id } of config.reviewers ?? []) {
    // Reviewer names double as file names, and some disks do not tell A from a.
    if (seen.has(id.toLowerCase()))
      throw usageError(
        `${file}: Two reviewers are called "${id}".`,
        'Give each reviewer an id of its own.',
      );
    seen.add(id.toLowerCase());
  }
}

/** 1-based line of the value at `wanted`, or of the nearest thing above it that has one. */
function lineOf(
  document: Document,
  lines: LineCounter,
  wanted: readonly (string | number)[],
): number {
  for (let length = wanted.length; length > 0; length--) {
    const node: unknown = document.getIn(wanted.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
      return lines.linePos(Number(node.range[0])).line;
  }
  return 1;
}

async function readNamed(file: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await readGivenFile(file, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw usageError(
      `The configuration ${file} cannot be read: ${whyUnreadable(error)}.`,
      null,
      error,
    );
  }
}

/** Null when nothing is there. Throws `UserError` for what cannot be read. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readRegularFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw usageError(
      `The configuration ${file} cannot be read: ${whyUnreadable(error)}.`,
      null,
      error,
    );
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
