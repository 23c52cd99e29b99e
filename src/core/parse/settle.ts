/** Turns the draft of a format into a reading: ids, repetitions, caps, the stated verdict, and whether the evidence is complete. */
import type { StatedFinding } from '../finding.ts';
import type { Cause } from '../review.ts';
import { rankOf } from '../severity.ts';
import { computeVerdict } from '../verdict/verdict-file.ts';
import { cut } from './plain-text.ts';
import type { Draft, Read, ReadingOptions, Unread } from './reading.ts';
import { isMilder } from './verdict-words.ts';

/** Findings of one answer that are kept; the most severe ones when there are more. */
const findingLimit = 1_000;

export function settle(draft: Draft, options: ReadingOptions, repairs: readonly string[]): Read | Unread {
  const notes = [...draft.notes];
  const findings = capFindings(nameFindings(dropRepetitions(draft.findings, notes), notes), notes);
  const failure = failureOf(draft, findings, options);
  if (failure !== null) return { ok: false, ...failure, unparsed: [...draft.unparsed], dropped: draft.dropped };
  const doubt = doubtOf(draft, options);
  return {
    ok: true,
    status: doubt === null ? 'complete' : 'partial',
    partialCause: doubt?.cause ?? null,
    format: draft.format,
    findings,
    improvements: nameFindings(draft.improvements, notes),
    statedVerdict: keptVerdict(draft, findings, notes),
    unparsed: draft.unparsed.map(line => cut(line, 2_000)),
    dropped: draft.dropped,
    repairs: [...repairs],
    notes,
    filesReviewed: draft.filesReviewed === null ? null : [...draft.filesReviewed],
    votes: [...draft.votes],
    ...(draft.extra && { extra: draft.extra }),
    ...(draft.vetoReasons && { vetoReasons: draft.vetoReasons }),
  };
}

function dropRepetitions(findings: readonly StatedFinding[], notes: string[]): StatedFinding[] {
  const counts = new Map<string, number>();
  const kept = findings.filter(finding => {
    const key = [finding.severity, finding.text, finding.path ?? '', finding.line ?? '', finding.section ?? ''].join('\0');
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1;
  });
  const repeated = [...counts.values()].filter(count => count > 1);
  const most = repeated.reduce((one, other) => Math.max(one, other), 0);
  if (most > 0) notes.push(`${repeated.length === 1 ? 'A finding was' : `${repeated.length} findings were`} stated more than once (up to ${most} times) and counted once.`);
  return kept;
}

/** The reviewer's id, or `#n` by position; a second use of an id becomes `<id>#2`. */
function nameFindings(findings: readonly StatedFinding[], notes: string[]): StatedFinding[] {
  const uses = new Map<string, number>();
  const taken = new Set<string>();
  return findings.map((finding, index) => {
    const id = finding.originalId === '' ? `#${index + 1}` : finding.originalId;
    let count = uses.get(id) ?? 0;
    let name: string;
    do {
      count += 1;
      name = count === 1 ? id : `${id}#${count}`;
    } while (taken.has(name));
    uses.set(id, count);
    taken.add(name);
    if (name !== id) notes.push(`The id ${id} was used again; the finding is called ${name}.`);
    return { ...finding, originalId: name };
  });
}

function capFindings(findings: StatedFinding[], notes: string[]): StatedFinding[] {
  if (findings.length <= findingLimit) return findings;
  notes.push(`${findings.length} findings were stated; the ${findingLimit} most severe are kept.`);
  const kept = new Set([...findings].sort((one, other) => rankOf(one.severity) - rankOf(other.severity)).slice(0, findingLimit));
  return findings.filter(finding => kept.has(finding));
}

function failureOf(draft: Draft, findings: readonly StatedFinding[], options: ReadingOptions): { cause: Cause; detail: string } | null {
  const verdict = draft.verdict?.verdict ?? null;
  const isSilent = findings.length === 0 && draft.improvements.length === 0;
  if (draft.format === 'json' && options.stop === 'cut') return { cause: 'truncated', detail: 'The answer was cut off.' };
  if (isSilent && verdict === 'error') return { cause: 'unread', detail: 'The reviewer reports an error instead of findings.' };
  if (isSilent && (verdict === 'risky' || verdict === 'needs-changes')) {
    return { cause: 'contradict', detail: `The stated verdict is "${cut(draft.verdict?.words ?? '', 80)}", but there is no finding.` };
  }
  return null;
}

/** Why the reading is less than complete; null when it is complete. */
function doubtOf(draft: Draft, options: ReadingOptions): { readonly cause: Cause | null } | null {
  if (draft.doubt !== null) return draft.doubt;
  if (draft.verdict?.verdict === 'error') return { cause: 'unread' };
  if (draft.format === 'json') return null;
  if (options.stop === 'cut') return { cause: 'truncated' };
  if (!draft.hasEndMark && (draft.format === 'index' || options.stop === 'unknown')) return { cause: 'truncated' };
  // Lines and indexes carry no nonce and no list of files: nothing proves that they answer this very question.
  return options.strict ? { cause: 'unproven' } : null;
}

function keptVerdict(draft: Draft, findings: readonly StatedFinding[], notes: string[]): string | null {
  if (draft.verdict === null) return null;
  const computed = computeVerdict(findings.map(finding => finding.severity));
  if (!isMilder(draft.verdict, computed)) return cut(draft.verdict.words, 200);
  notes.push(`The stated verdict "${cut(draft.verdict.words, 80)}" is milder than the findings and was dropped.`);
  return null;
}
