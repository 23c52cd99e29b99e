/** Every Team Panel of a journal, in order, as its readers take it apart. Whatever else stands in it is passed over. */
export function readTeamPanels(journal: string): Record<(typeof lists)[number][1], string[]>[] {
  return journal
    .split(/^### /m)
    .filter(block => /^Team Panel\s*$/m.test(block.split('\n', 1)[0] ?? ''))
    .map(readPanel);
}

const lists = [
  ['Assumptions', 'assumptions'],
  ['Open Questions', 'openQuestions'],
  ['Proposed Spikes', 'proposedSpikes'],
] as const;

function readPanel(block: string) {
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
