/** Made branches with blocks that are alike: what `main` is, what comes to it, and a line that a branch adds to one of the blocks. */

interface Block {
  readonly id: number;
  readonly name: string;
  readonly body: readonly string[];
}

export interface Made {
  /** As `main` has it. */
  readonly base: readonly string[];
  /** As the branch has it. */
  readonly lines: readonly string[];
  /** Index of the line that it adds. */
  readonly at: number;
  /** The last one above the line, by which the block that it stands in is called. */
  readonly name: string;
}

/** The same for a seed on every machine. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return below => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const names = ['dev', 'prod', 'stage', 'test'];

/** How a block looks: named by a line that git takes for a heading, by none, or above lines that git takes for one each. */
const styles = [
  { head: (name: string) => `${name}:`, line: (text: string) => `  ${text}: 1`, end: '' },
  {
    head: (name: string) => `  "${name}": {`,
    line: (text: string) => `    "${text}": 1,`,
    end: '  },',
  },
  { head: (name: string) => `# ${name}`, line: (text: string) => `${text} = 1`, end: '' },
] as const;

/** So many states of one branch, each rebased onto what `main` has become. */
export function makeStates(seed: number, count: number): readonly Made[] {
  const random = createRandom(seed);
  const { head, line, end } = styles[seed % styles.length] ?? styles[0];
  const bodies = [0, 1].map(kind =>
    Array.from({ length: 9 }, (_, at) => line(`${'ab'[kind]}${at}`)),
  );
  const anyName = (): string => names[random(names.length)] ?? '';
  let next = 0;
  const block = (): Block => ({
    id: next++,
    name: anyName(),
    body: bodies[random(3) === 0 ? 1 : 0] ?? [],
  });
  let blocks = Array.from({ length: 3 + random(3) }, block);
  let top: readonly string[] = ['{'];
  let chosen = random(blocks.length);
  const put = (at: number): Made => {
    const base: string[] = [...top];
    let place = 0;
    for (const [index, { name, body }] of blocks.entries()) {
      base.push(head(name));
      // Below the same line of the block, whatever has come into it.
      if (index === at) place = base.length + body.findIndex(text => /4/.test(text)) + 1;
      base.push(...body, end);
    }
    const name = base
      .slice(0, place)
      .map(text => names.find(each => text === head(each)))
      .findLast(each => each !== undefined);
    return { base, lines: base.toSpliced(place, 0, line('hot')), at: place, name: name ?? '' };
  };
  const filler = (): string => line(`more${'xyz'[random(3)]}`);
  const moves: readonly (() => void)[] = [
    () => (top = [...top, filler()]),
    () => (top = [filler(), ...top]),
    () => (blocks = blocks.toSpliced(random(blocks.length + 1), 0, block())),
    () => (blocks = blocks.length < 3 ? blocks : blocks.toSpliced(random(blocks.length), 1)),
    () => (blocks = blocks.toReversed()),
    () => rework(each => ({ ...each, name: anyName() })),
    () => rework(each => ({ ...each, body: each.body.toSpliced(random(10), 0, filler()) })),
    () => rework(each => ({ ...each, body: each.body.toSpliced(1, 0, head(anyName())) })),
  ];
  const rework = (work: (each: Block) => Block): void => {
    const at = random(blocks.length);
    blocks = blocks.map((each, index) => (index === at ? work(each) : each));
  };
  return Array.from({ length: count }, (_, index) => {
    const own = blocks[chosen]?.id;
    if (index > 0) for (let left = random(3); left >= 0; left--) moves[random(moves.length)]?.();
    const same = blocks.findIndex(({ id }) => id === own);
    chosen = same === -1 || random(3) === 0 ? random(blocks.length) : same;
    return put(chosen);
  });
}
