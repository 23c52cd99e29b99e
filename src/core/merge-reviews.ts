/** Makes one review of those that one reviewer gave of the parts of a subject. */
import type { Finding } from './finding.ts';
import { addUsage, noUsage, type FileReading, type Review } from './review.ts';

/** `parts` in order, at least one. Complete when all are; failed when all are; a file is read in full when each part that holds it was. */
export function mergeReviews(parts: readonly [Review, ...Review[]]): Review {
  const [first] = parts;
  if (parts.length === 1) return first;
  const failed = parts.filter(({ status }) => status === 'failed');
  const status = parts.every(part => part.status === 'complete') ? 'complete' : failed.length === parts.length ? 'failed' : 'partial';
  return {
    ...first,
    status,
    model: parts.find(({ model }) => model !== null)?.model ?? null,
    failure: status === 'complete' ? null : (parts.find(({ failure }) => failure !== null)?.failure ?? null),
    format: parts.find(({ format }) => format !== null)?.format ?? null,
    findings: nameApart(parts.flatMap(({ findings }) => findings)),
    statedVerdict: worstStated(parts),
    coverage: mergeReadings(parts.map(({ coverage }) => coverage)),
    usage: parts.map(({ usage }) => usage).reduce(addUsage, noUsage),
    attempts: parts.reduce((sum, { attempts }) => sum + attempts, 0),
    durationMs: parts.reduce((sum, { durationMs }) => sum + durationMs, 0),
    unparsed: parts.flatMap(({ unparsed }) => unparsed),
    dropped: parts.map(({ dropped }) => dropped).reduce((one, other) => ({ placeholder: one.placeholder + other.placeholder, template: one.template + other.template, prompt: one.prompt + other.prompt })),
    repairs: [...new Set(parts.flatMap(({ repairs }) => repairs))],
    notes: parts.flatMap(({ notes, failure }, index) => [...notes, ...(failure === null ? [] : [failure.message])].map(note => `Part ${index + 1}: ${note}`)),
  };
}

/** `outside` says that a part does not hold the file. */
export function mergeReadings(parts: readonly (readonly FileReading[])[]): FileReading[] {
  const byPath = new Map<string, FileReading[]>();
  for (const reading of parts.flat()) byPath.set(reading.path, [...(byPath.get(reading.path) ?? []), reading]);
  return [...byPath.values()].map(readings => {
    const held = readings.filter(({ extent }) => extent !== 'outside');
    const [reading = readings[0]] = held;
    if (reading === undefined) throw new Error('A path without readings.');
    const lacking = held.find(({ extent }) => extent !== 'full');
    if (lacking === undefined) return reading;
    return held.every(({ extent }) => extent === 'skipped') ? lacking : { ...lacking, extent: 'partial', why: lacking.why ?? 'a part of it was not read' };
  });
}

/** Each part counts its findings from one: a second use of an id becomes `<id>#2`. */
function nameApart(findings: readonly Finding[]): Finding[] {
  const uses = new Map<string, number>();
  const taken = new Set<string>();
  return findings.map(finding => {
    let count = uses.get(finding.originalId) ?? 0;
    let originalId: string;
    do {
      count += 1;
      originalId = count === 1 ? finding.originalId : `${finding.originalId}#${count}`;
    } while (taken.has(originalId));
    uses.set(finding.originalId, count);
    taken.add(originalId);
    return { ...finding, originalId, id: `${finding.reviewer}/${originalId}` };
  });
}

/** One safe part does not speak for another. */
function worstStated(parts: readonly Review[]): string | null {
  const stated = parts.flatMap(({ statedVerdict }) => (statedVerdict === null ? [] : [statedVerdict]));
  const worst = ['risky', 'needs-changes', 'safe'].flatMap(word => stated.filter(words => words.toLowerCase().includes(word)));
  return worst[0] ?? stated[0] ?? null;
}
