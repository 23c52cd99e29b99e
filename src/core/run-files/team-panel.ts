/** `journal.md`, the journal for people: what was assumed, what is open and what is proposed, block after block. */
import { codePath, readable } from '../safety/markdown-text.ts';

export interface TeamPanel {
  readonly assumptions: readonly string[];
  readonly openQuestions: readonly string[];
  /** Spike branches are called `spike/<task>-<n>`. */
  readonly proposedSpikes: readonly string[];
}

/** One pack as it stood when it was removed from the run memory. */
export interface ContextSnapshot {
  readonly uri: string;
  readonly tokenEstimate: number;
  readonly rung: number;
  readonly stopReason: string;
}

const lists = [
  ['Assumptions', 'assumptions'],
  ['Open Questions', 'openQuestions'],
  ['Proposed Spikes', 'proposedSpikes'],
] as const satisfies readonly (readonly [string, keyof TeamPanel])[];

/** `thread`: URL of the issue or pull request; null when unknown. */
export function journalHead(thread: string | null): string {
  return thread === null ? '# Journal\n' : `# Journal\nThread: ${codePath(thread)}\n`;
}

/** A heading without entries is kept, so that a reader sees that there were none. Ends with an empty line. */
export function renderTeamPanel(panel: TeamPanel): string {
  const lines = lists.flatMap(([heading, key]) => [
    `**${heading}**`,
    ...panel[key].map(entry => `- ${readable(entry)}`),
  ]);
  return `### Team Panel\n${lines.join('\n')}\n\n`;
}

export function renderContextSnapshots(snapshots: readonly ContextSnapshot[]): string {
  const lines = snapshots.map(
    ({ uri, tokenEstimate, rung, stopReason }) =>
      `- ${codePath(uri)} · ${tokenEstimate} tokens · rung ${rung} · ${readable(stopReason)}`,
  );
  return `### Context Snapshots\n${lines.join('\n')}\n\n`;
}

/** Every Team Panel of a journal, in order. Whatever else stands in it is passed over. */
export function readTeamPanels(journal: string): TeamPanel[] {
  return journal
    .split(/^### /m)
    .filter(block => /^Team Panel\s*$/m.test(block.split('\n', 1)[0] ?? ''))
    .map(readPanel);
}

function readPanel(block: string): TeamPanel {
  const panel = {
    assumptions: [] as string[],
    openQuestions: [] as string[],
    proposedSpikes: [] as string[],
  };
  let current: string[] | null = null;
  for (const line of block.split('\n')) {
    const list = lists.find(([heading]) => line.trim() === `**${heading}**`);
    if (list) current = panel[list[1]];
    else if (line.startsWith('- ')) current?.push(line.slice(2));
  }
  return panel;
}
