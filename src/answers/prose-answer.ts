/** Reads the answers that are prose under headings: what a researcher found with its sources, and what came of a brainstorm. */
import {
  Confidence,
  researchBlocks,
  researchStatus,
  sourceRanks,
  type Research,
  type SourceRank,
} from '../core/words/review.ts';
import { cut, toLine, toParagraph, trimOff } from '../core/text.ts';
import { readItems, sectionOf, statedLines, takeEndMark } from './layout.ts';
import { emptyReading, reject, type Read, type Reading, type ReadingOptions } from './reading.ts';
import { faultOfText, rejectionIn, isPlaceholder } from './sieve.ts';
import { stateFinding } from '../core/words/stated.ts';

interface Asked {
  /** What was sent. */
  prompt: string;
  /** How the model stopped. Where nobody tells, the answer needs the mark that was asked for. */
  stop: ReadingOptions['stop'];
}

/** Never throws. An answer without a source is none, whatever it claims. */
export function readResearchAnswer(answer: string, asked: Asked): Reading {
  const { text, reading } = begin('research', answer, asked);
  if (!reading.ok) return reading;
  const blocks = new Map(
    researchBlocks.flatMap(name => {
      const block = blockOf(text, name);
      return block ? [[name, block]] : [];
    }),
  );
  if (blocks.size === 0)
    return (
      rejectionIn(text, 'answer') ??
      reject('noformat', 'None of the blocks Sources, Findings, Confidence and Gaps was found.')
    );
  const findings = listed(blocks.get('Findings')).map(readFinding);
  const research: Research = {
    sources: listed(blocks.get('Sources')).map(readSource),
    confidence: readConfidence(blocks.get('Confidence') ?? []),
    gaps: listed(blocks.get('Gaps')).map(gap => cut(toLine(gap), 2_000)),
    missing: researchBlocks.filter(name => !blocks.has(name)),
  };
  const status = researchStatus(research, findings.length);
  if (status === 'FAILED') return reject('unsourced', 'The answer names no source.');
  return {
    ...reading,
    findings,
    status: status === 'COMPLETE' ? reading.status : 'partial',
    notes: research.missing.map(name => `The block ${name} is missing.`),
    research,
  };
}

/** The text without its mark, and what is known of the reading before it is read; or what the text is when it is no answer. */
function begin(
  format: Read['format'],
  answer: string,
  { prompt, stop }: Asked,
): { text: string; reading: Reading } {
  const { text, isMarked } = takeEndMark(answer);
  const empty = text.trim() === '' ? reject('empty', 'The answer has no text.') : null;
  const fault = faultOfText(text, prompt) ?? empty;
  if (fault) return { text, reading: fault };
  const partialCause =
    stop === 'cut' ? 'truncated' : stop === 'unknown' && !isMarked ? 'unmarked' : null;
  return {
    text,
    reading: {
      ...emptyReading(format),
      status: partialCause === null ? 'complete' : 'partial',
      partialCause,
    },
  };
}

function blockOf(text: string, name: string) {
  return sectionOf(statedLines(text), new RegExp(String.raw`^\W*${name}\W*$`, 'i'));
}

function listed(lines: readonly string[] = []) {
  return readItems(lines).filter(
    // A finding may begin with its source: only what stands in brackets as a whole is of the template.
    item => !isPlaceholder(item) && !/^(?:KIND|ID) \| |^\[[^\]]*\]\W*$/.test(item),
  );
}

/** The fields of an item, the first of them by itself where it is an id. */
function fieldsOf(item: string): { id?: string; rest: readonly string[] } {
  const fields = item.split('|').map(field => field.trim());
  const id = trimOff(fields[0] ?? '', '*_`');
  return fields.length > 1 && /^[\w.#-]{1,20}$/.test(id)
    ? { id, rest: fields.slice(1) }
    : { rest: fields };
}

/** `KIND | ID | title | address`; a source in free form is ranked by what its words and its address tell. */
function readSource(item: string, index: number) {
  const [kind = '', ...others] = item.split('|');
  const stated = others.length > 0 ? rankNamed(trimOff(kind.trim(), '*_`')) : undefined;
  const { id = `S${index + 1}`, rest } = fieldsOf(stated === undefined ? item : others.join('|'));
  const [title = '', ...more] = rest.map(field => trimOff(field, '*_`'));
  return {
    rank: stated ?? guessRank(item),
    id,
    title: cut(toLine(title), 300),
    address: cut(addressIn(item) || toLine(more.join(' ')), 500),
  };
}

function addressIn(item: string) {
  return /https?:\/\/[^\s<>)\]|]{1,500}/.exec(item)?.[0] ?? '';
}

const rankWords: readonly (readonly [SourceRank, RegExp])[] = [
  ['internal', /\b(?:internal|learnings?|this project|repository|memory)\b/i],
  ['official', /\b(?:official|documentation|docs|specification|standard|rfc)\b/i],
  ['community', /\b(?:community|blog|forum|discussion|issue|stack ?overflow|q&a)\b/i],
  ['code', /\b(?:code|examples?|snippets?|gist)\b/i],
];

/** What an address tells of its source. */
const addressWords: typeof rankWords = [
  ['community', /stackoverflow|reddit|medium\.com|\bblog\b|discourse|forum|news\.ycombinator/i],
  ['official', /\bdocs?\.|\/docs?\/|developer\.|rfc-editor|w3\.org|\/(?:reference|manual|spec)\b/i],
  ['code', /github\.com\/[^/]+\/[^/]+\/(?:blob|tree)|gist\./i],
];

function rankIn(table: typeof rankWords, text: string): SourceRank | undefined {
  return table.find(([, words]) => words.test(text))?.[0];
}

function rankNamed(field: string): SourceRank | undefined {
  const word = field.trim().toLowerCase();
  return (
    sourceRanks.find(rank => word === rank) ??
    (word.length > 40 ? undefined : rankIn(rankWords, word))
  );
}

/** What nobody can place is taken for hearsay. */
function guessRank(item: string): SourceRank {
  const address = addressIn(item);
  const isPath = address === '' && /(?:^|\s|`)[\w.-]+\/[\w./-]+\.\w{1,5}\b/.test(item);
  const told = rankIn(addressWords, address) ?? (isPath ? 'internal' : undefined);
  return told ?? rankIn(rankWords, item.slice(0, 500)) ?? 'community';
}

/** `ID | statement | S1, S2`, or a sentence with `[S1]` in it. */
function readFinding(item: string, index: number) {
  const { id = `F${index + 1}`, rest } = fieldsOf(item);
  const last = rest.at(-1) ?? '';
  const isCited = rest.length > 1 && /^[[\]\w.#,; -]{1,200}$/.test(last);
  const text = (isCited ? rest.slice(0, -1) : rest).join(' | ');
  const cited = isCited
    ? last.split(/[,;\s[\]]+/)
    : [...text.slice(0, 4_000).matchAll(/\[([\w.#-]{1,20})\]/g)].map(match => match[1] ?? '');
  const sources = cited.filter(source => source !== '').join(', ');
  return stateFinding(
    {
      originalId: id,
      label: 'FINDING',
      severity: 'low',
      text,
      section: 'Findings',
      evidence: sources || null,
      raw: item,
    },
    null,
  );
}

function readConfidence(lines: readonly string[]) {
  const word = /\b(high|medium|moderate|low)\b/i
    .exec(lines.join('\n').slice(0, 400).replace('[high, medium or low, and why]', ''))?.[1]
    ?.toLowerCase();
  const known = Confidence.safeParse(word === 'moderate' ? 'medium' : word);
  return known.success ? known.data : null;
}

/** Never throws. `said` is the whole text, control characters aside. */
export function readIdeasAnswer(answer: string, asked: Asked): Reading {
  const { text, reading } = begin('ideas', answer, asked);
  if (!reading.ok) return reading;
  const ideas = readItems(blockOf(text, 'Ideas') ?? []).filter(item => !item.startsWith('ID | '));
  const idea = { label: 'IDEA', severity: 'low', section: 'Ideas' } as const;
  const findings = ideas.map((raw, index) => {
    const { id: originalId = `I${index + 1}`, rest } = fieldsOf(raw);
    return stateFinding({ ...idea, raw, originalId, text: rest.join(' | ') }, null);
  });
  const read: Read = { ...reading, findings, said: cut(toParagraph(text), 400_000) };
  if (ideas.length > 0) return read;
  return (
    rejectionIn(text, 'answer') ?? {
      ...read,
      status: 'partial',
      notes: ['The block Ideas is missing.'],
    }
  );
}

/** The lines of the block Summary, else the first paragraph. */
export function summaryIn(said: string) {
  const block = blockOf(said, 'Summary')?.join('\n').trim() ?? '';
  return block === '' ? (said.trim().split(/\n\s*\n/)[0] ?? '') : block;
}
