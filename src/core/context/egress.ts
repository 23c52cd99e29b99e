/**
 * Which file may go to which reviewer. A rule says to whom its files go at most; the first rule that names a file counts, and a file
 * that none names goes to everybody. Where text of a file could travel by another way than its own (what stands around a change,
 * searches, what others said about it), the same answer holds.
 */
import picomatch from 'picomatch';
import { remember } from '../groups.ts';
import type { Subject } from '../words/change.ts';
import type { Seat } from '../words/config.ts';
import { isFree, kindOf, vendorOf } from '../words/runner.ts';
import type { EgressRule, Guideline } from '../words/guideline.ts';
import type { Finding } from '../words/finding.ts';
import { type Isolation, isOnLoopback } from '../words/isolation.ts';
import type { FileReading } from '../words/review.ts';

/** Where the text goes that a reviewer is shown. */
export interface Recipient {
  /** Vendor, host or what its configuration declares; null when nobody knows. */
  readonly provider: string | null;
  /** Host name, with the port that is written; null for one without an endpoint of its own. */
  readonly host: string | null;
  /** Nothing leaves the machine by it. */
  readonly isLocal: boolean;
}

/** The rules of a run and whom they are held against, by id of the reviewer. */
export interface EgressPlan {
  readonly rules: readonly EgressRule[];
  readonly recipients: Readonly<Record<string, Recipient>>;
  /** Folder that the paths of the subject start from, from the top of the repository; absent: they start there themselves. */
  readonly under?: string;
  /** What the paths of the subject begin with in place of `under`; absent: nothing. */
  readonly named?: string;
}

/** Endpoints that a vendor's name stands for. */
const vendorEndpoints = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;

type Receiving = Pick<Seat, 'runner' | 'model' | 'baseUrl' | 'provider'>;

/** `network`: could a program of this seat reach it? */
export function recipientOf(seat: Receiving, { network }: Pick<Isolation, 'network'>): Recipient {
  const { runner, baseUrl, provider: declared } = seat;
  const kind = kindOf(runner);
  if (isFree(runner)) return { provider: null, host: null, isLocal: true };
  if (kind === 'program')
    return { provider: declared ?? null, host: null, isLocal: !network && declared === undefined };
  const host = hostOf(destinationOf(seat));
  return {
    provider:
      declared ??
      (baseUrl === undefined ? (vendorOf(seat) ?? '') || null : (vendorAt(host) ?? host)),
    host,
    // A coding agent that has the network reaches more than its endpoint.
    isLocal:
      declared === undefined &&
      host !== null &&
      isOnLoopback(`http://${host}`) &&
      (kind === 'api' || !network),
  };
}

/** The address that a seat sends to; undefined: nobody knows, or it has to name one. */
export function destinationOf({ baseUrl, ...seat }: Receiving) {
  return (
    baseUrl ?? new Map<string, string>(Object.entries(vendorEndpoints)).get(vendorOf(seat) ?? '')
  );
}

function vendorAt(host: string | null) {
  return Object.entries(vendorEndpoints).find(([, url]) => hostOf(url) === host)?.[0];
}

function hostOf(url = '') {
  return URL.canParse(url) ? new URL(url).host || null : null;
}

/** As a change or a tree names it. */
interface NamedFile {
  readonly path: string;
  readonly oldPath?: string | null;
}

/** Beginning of why a file was skipped. */
const reason = 'egress';

export function openEgress(plan: EgressPlan = { rules: [], recipients: {} }) {
  const rules = plan.rules.map(({ files, to }) => ({ files, to, names: matcherOf(files) }));
  const ruleOf = remember(path => rules.find(({ names }) => names(placeIn(plan, path))));
  // What was moved is still what it was: both its names count.
  const rulesOf = ({ path, oldPath }: NamedFile) =>
    [path, oldPath ?? path].map(ruleOf).filter(rule => rule !== undefined);
  const refusalFor = (reviewer: string, file: NamedFile) => {
    const rule = rulesOf(file).find(({ to }) => !allows(to, plan.recipients[reviewer]));
    return rule === undefined ? null : `${reason}: ${rule.files.join(', ')} ${goesTo(rule.to)}`;
  };
  const mayRead = (reviewer: string, file: NamedFile) => refusalFor(reviewer, file) === null;
  return {
    /** One sentence part that says which rule keeps a file from a reviewer; null: it may be shown. */
    refusalFor,
    mayRead,
    /** Does any rule name it? */
    isRestricted: (file: NamedFile) => rulesOf(file).length > 0,
    /** May what was found by a reviewer who was shown its part of the subject be told to this one? */
    mayHear(
      listener: string,
      { reviewer, location }: Pick<Finding, 'reviewer' | 'location'>,
      {
        subject,
        analysers,
      }: {
        readonly subject: Subject;
        /** Reviewers that quote nothing but the file a finding is about. */
        readonly analysers: ReadonlySet<string>;
      },
    ) {
      const files: readonly NamedFile[] = subject.kind === 'question' ? [] : subject.files;
      const named = files.filter(({ path }) => path === location?.path);
      // Who was shown a file may quote it under whatever place it names.
      const isAboutItAlone = analysers.has(reviewer) && named.length > 0;
      const shown = isAboutItAlone ? [] : files.filter(file => mayRead(reviewer, file));
      return [...named, ...shown].every(file => mayRead(listener, file));
    },
  };
}

/** From the top of the repository. */
function placeIn({ under = '', named = '' }: EgressPlan, path: string) {
  const head = named === '' || named.endsWith('/') ? named : `${named}/`;
  const own = path.startsWith(head) ? path.slice(head.length) : path;
  return under === '' ? own : `${under}/${own}`;
}

/** A name without a glob is a file of that name, or a folder with all that is in it; one without a slash lies in any folder. */
function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const matches = picomatch(
    patterns.flatMap(pattern =>
      /[*?[\](){}!+@|]/.test(pattern) ? pattern : [pattern, `${pattern}/**`],
    ),
    { dot: true },
  );
  const names = picomatch(
    patterns.filter(pattern => !pattern.includes('/')),
    { dot: true, basename: true },
  );
  const folders = new Set(patterns.filter(pattern => !/[/*?[\](){}!+@|]/.test(pattern)));
  return path =>
    matches(path) ||
    names(path) ||
    path
      .split('/')
      .slice(0, -1)
      .some(folder => folders.has(folder));
}

function allows(to: EgressRule['to'], recipient: Recipient | undefined) {
  if (to === 'never') return false;
  if (recipient?.isLocal === true) return true;
  if (to === 'local' || recipient === undefined) return false;
  const { provider, host } = recipient;
  return [provider, host, host?.replace(/:\d+$/, '') ?? null].some(
    name => name !== null && to.includes(name),
  );
}

function goesTo(to: EgressRule['to']) {
  if (to === 'never') return 'goes to no reviewer; exclude it or change the rule';
  return (
    `goes to ${to === 'local' ? 'local reviewers' : `local reviewers and ${to.join(', ')}`} only; ` +
    'seat one of them, exclude it or change the rule'
  );
}

/** Was it a rule that kept a reviewer from a file? */
export function isWithheld(why: string | null) {
  return why?.startsWith(`${reason}: `) === true;
}

/** To be asked about nothing is no review: such a reviewer is not asked. */
export function isKeptFromAll(readings: readonly FileReading[]) {
  const own = readings.filter(({ extent }) => extent !== 'outside');
  return own.length > 0 && own.every(({ why }) => isWithheld(why));
}

/** The part of a change that one reviewer may see. */
export function withoutFiles<Whole extends { readonly files: readonly NamedFile[] }>(
  whole: Whole,
  isHidden: (file: Whole['files'][number]) => boolean,
) {
  const files = whole.files.filter(file => !isHidden(file));
  return files.length < whole.files.length ? { ...whole, files } : whole;
}

// Which of the team's guidelines a reviewer is told: those for it, for a file it is shown, from a file it may see.

/** In the order of the configuration. Built-in analysers read no prompt, and other questions than reviews have none. */
export function openGuidelines({
  guidelines,
  egress,
  mode,
}: {
  readonly guidelines: readonly Guideline[];
  readonly egress?: EgressPlan;
  readonly mode: string;
}): (
  seat: Pick<Seat, 'id' | 'runner' | 'persona'>,
  paths: readonly string[],
) => readonly Guideline[] {
  if (guidelines.length === 0 || mode !== 'code-review') return () => [];
  const { mayRead } = openEgress(egress);
  const known = guidelines.map(guideline => ({
    guideline,
    names: guideline.paths === null ? () => true : matcherOf(guideline.paths),
  }));
  return (seat, paths) =>
    kindOf(seat.runner) === 'check'
      ? []
      : known
          .filter(
            ({ guideline, names }) =>
              (guideline.reviewers?.some(one => one === seat.id || one === seat.persona.name) ??
                true) &&
              (guideline.file === null || mayRead(seat.id, { path: guideline.file })) &&
              paths.some(names),
          )
          .map(({ guideline }) => guideline);
}
