/**
 * Who reads which file where one question does not hold the change: the files are dealt, so that each has as many readers as are
 * wanted, and every file is dealt to a reader before any is dealt twice.
 */
export interface DealtFile {
  readonly path: string;
  readonly tokens: number;
  readonly isSensitive: boolean;
  /** Has a security reviewer read it, or does one read it in any case? */
  readonly isSecured: boolean;
  /** Reviewers that have read it in earlier rounds. */
  readonly readings: number;
  /** Readers that it needs, where these are fewer than are wanted of the others. */
  readonly most?: number;
}

export interface Dealer {
  readonly id: string;
  /** Tokens of files that its budget holds. */
  readonly capacity: number;
  /** May its budget grow where a file would else be read by nobody? */
  readonly grows: boolean;
  /** Has it read anything of the change in an earlier round? */
  readonly isHeard: boolean;
  readonly isSecurity: boolean;
  /** What it may be asked about. */
  readonly files: ReadonlySet<string>;
  /** Of these, what it is there for: it reads others only where they would be read by nobody else. */
  readonly domain: ReadonlySet<string>;
}

export interface Hand {
  /** In the order in which they are read. `turn`: those of one turn are worth the same to the panel. */
  readonly files: readonly { readonly path: string; readonly turn: number }[];
}

/**
 * For each reader its files, in the order in which it reads them: sensitive ones that no security reviewer has read, those
 * that nobody else reads, then second readings, and so on up to `wanted`, each in the order of `files`. A file goes to the reader
 * in whose domain it is with most left; of equals to the one that was dealt least. What fits nobody comes last in its turn; with
 * a number wanted it is dealt once. Who has read nothing yet is dealt a file in any case, so that it is heard.
 */
export function dealFiles(
  files: readonly DealtFile[],
  readers: readonly Dealer[],
  wanted: number = Number.POSITIVE_INFINITY,
): ReadonlyMap<string, Hand> {
  const hands = readers.map(openHand);
  const readings = new Map(files.map(({ path, readings: count }) => [path, count]));
  const give = (file: DealtFile, hand: OpenHand, turn: number): void => {
    const isFitted = hand.left >= file.tokens || hand.grown.has(file.path);
    hand.left -= file.tokens;
    hand.held.add(file.path);
    hand.dealt.push({ path: file.path, turn, isFitted });
    hand.load += file.tokens;
    readings.set(file.path, (readings.get(file.path) ?? 0) + 1);
  };
  for (const file of files.filter(({ isSensitive, isSecured }) => isSensitive && !isSecured)) {
    const guards = hands.filter(hand => hand.isSecurity && hand.files.has(file.path));
    const hand = richest(guards.filter(({ left }) => left >= file.tokens)) ?? growing(guards, file);
    // Where security has no room for it, somebody else may read it first.
    if (hand !== undefined) give(file, hand, 0);
  }
  const most = Math.min(wanted, Math.max(0, ...readings.values()) + readers.length);
  const isFit = wanted !== Number.POSITIVE_INFINITY;
  for (let round = 0; round < most; round++) {
    for (const file of files) {
      if (readings.get(file.path) !== round || round >= (file.most ?? most)) continue;
      const able = hands.filter(
        ({ files: open, domain, held }) =>
          (round === 0 ? open : domain).has(file.path) && !held.has(file.path),
      );
      const roomy = isFit && round > 0 ? able.filter(({ left }) => left >= file.tokens) : able;
      const hand = choose(file, roomy, round);
      if (hand !== undefined) give(file, hand, round);
    }
  }
  for (const hand of hands.filter(({ dealt, isHeard }) => dealt.length === 0 && !isHeard)) {
    const own = files.filter(({ path }) => hand.domain.has(path));
    const file = own.find(({ tokens }) => tokens <= hand.left) ?? own[0];
    if (file !== undefined) give(file, hand, most);
  }
  return new Map(hands.map(({ id, dealt }) => [id, { files: inOrder(dealt) }]));
}

interface OpenHand extends Dealer {
  left: number;
  load: number;
  readonly held: Set<string>;
  readonly grown: Set<string>;
  readonly dealt: { readonly path: string; readonly turn: number; readonly isFitted: boolean }[];
}

function openHand(reader: Dealer): OpenHand {
  return {
    ...reader,
    left: reader.capacity,
    load: 0,
    held: new Set(),
    grown: new Set(),
    dealt: [],
  };
}

/** With room and in the domain; with room; growing; without room. */
function choose(file: DealtFile, able: readonly OpenHand[], round: number): OpenHand | undefined {
  const isOwn = ({ domain }: OpenHand): boolean => domain.has(file.path);
  const roomy = able.filter(({ left }) => left >= file.tokens);
  return (
    richest(roomy.filter(isOwn)) ??
    richest(roomy) ??
    (round === 0 ? (growing(able.filter(isOwn), file) ?? growing(able, file)) : undefined) ??
    richest(able.filter(isOwn)) ??
    richest(able)
  );
}

/** The one with least to read grows. */
function growing(hands: readonly OpenHand[], { path }: DealtFile): OpenHand | undefined {
  const [hand] = hands.filter(({ grows }) => grows).toSorted((one, other) => one.load - other.load);
  hand?.grown.add(path);
  return hand;
}

function richest(hands: readonly OpenHand[]): OpenHand | undefined {
  return hands.toSorted(
    (one, other) => other.left - one.left || one.dealt.length - other.dealt.length,
  )[0];
}

function inOrder(dealt: OpenHand['dealt']): Hand['files'] {
  return dealt
    .map((file, index) => ({ ...file, index }))
    .toSorted(
      (one, other) =>
        one.turn - other.turn ||
        Number(other.isFitted) - Number(one.isFitted) ||
        one.index - other.index,
    )
    .map(({ path, turn }) => ({ path, turn }));
}
