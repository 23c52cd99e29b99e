/** Reads what came of a brainstorm: any text that is no excuse is an answer; the ideas in it can be asked for one by one. */
import { readBlocks, readItems } from './blocks.ts';
import { cut, toParagraph } from './plain-text.ts';
import { nothingDropped, type Reading } from './reading.ts';
import { rejectionIn } from './rejections.ts';
import { stateFinding } from './stated.ts';
import { faultOfText } from './text-fault.ts';

const blockNames = ['Summary', 'Ideas', 'Open Questions'] as const;

/** Never throws. `said` is the whole text, control characters aside. */
export function readIdeasAnswer(text: string, prompt: string): Reading {
  const fault = faultOfText(text, prompt);
  if (fault !== null) return { ok: false, cause: fault.cause, detail: fault.detail, unparsed: [], dropped: nothingDropped() };
  if (text.trim() === '') return { ok: false, cause: 'empty', detail: 'The answer has no text.', unparsed: [], dropped: nothingDropped() };
  const blocks = readBlocks(text, blockNames);
  const ideas = readItems(blocks.get('Ideas') ?? []).filter(item => !item.startsWith('ID | '));
  const phrase = ideas.length > 0 ? null : rejectionIn(text, 'answer');
  if (phrase !== null) return { ok: false, cause: phrase.cause, detail: phrase.detail, unparsed: [], dropped: nothingDropped() };
  return {
    ok: true, status: 'complete', partialCause: null, format: 'ideas', improvements: [], statedVerdict: null, unparsed: [], dropped: nothingDropped(), repairs: [], notes: [], filesReviewed: null, votes: [],
    findings: ideas.map((item, index) => {
      const [id = '', ...rest] = item.split('|').map(field => field.trim());
      const hasId = rest.length > 0 && /^[\w.#-]{1,20}$/.test(id);
      return stateFinding({ id: hasId ? id : `I${index + 1}`, label: 'IDEA', severity: 'low', text: hasId ? rest.join(' | ') : item, place: null, section: 'Ideas', raw: item });
    }),
    said: cut(toParagraph(text), 400_000),
  };
}

/** The lines of the block Summary, else the first paragraph. */
export function summaryIn(said: string): string {
  const block = readBlocks(said, blockNames).get('Summary')?.join('\n').trim() ?? '';
  return block === '' ? (said.trim().split(/\n\s*\n/)[0] ?? '') : block;
}
