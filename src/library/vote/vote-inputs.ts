/** What decides the answers of a vote, part by part: by its fingerprints a run is found again, and what has changed is named. */
import { sha256 } from '../../adapters/system/ids.ts';
import { byCodePoint } from '../../core/vote/motion.ts';
import type { PreparedVote } from './prepare-vote.ts';

/** SHA-256 in hex by the name of the part, as a sentence calls it. */
export type VoteInputs = Readonly<Record<string, string>>;

/** How many are asked at a time, what may be spent, and how and where results are written decide nothing. */
export function fingerprintInputs({
  request: { includeDeferred, secondPass = 'ask' },
  input,
  rules,
  settings,
  sample,
  config,
}: PreparedVote): VoteInputs {
  const { concurrency: _, panel_concurrency: __, save_packets: ___, ...decisive } = settings;
  const { reviewer, endpoints } = config.motions ?? {};
  const { roster, id, name, motions } = input.session;
  // Which supporters are known depends on the roster, which is a part of its own.
  const named = motions.map(({ supporters, unknownSupporters, ...motion }) => [
    motion,
    [...supporters, ...unknownSupporters].sort(byCodePoint),
  ]);
  const parts = {
    session: [id, name, named, input.positions],
    roster,
    rules,
    settings: [
      { ...decisive, reviewer: null, endpoints: null },
      includeDeferred,
      sample,
      secondPass,
    ],
    reviewers: [reviewer, endpoints, config.timeout, config.isolation],
  };
  return Object.fromEntries(
    Object.entries(parts).map(([part, value]) => [part, sha256(JSON.stringify(value))]),
  );
}

export function hashOfInputs(inputs: VoteInputs): string {
  return sha256(JSON.stringify(Object.entries(inputs)));
}

/** `the roster and the rules were`: what is not as it was. */
export function nameChanges(before: VoteInputs | undefined, now: VoteInputs): string {
  // Earlier versions noted no parts.
  const names =
    before === undefined ? [] : Object.keys(now).filter(name => before[name] !== now[name]);
  if (names.length === 0) return 'what is put to the vote, or by whom, was';
  const listed = new Intl.ListFormat('en-GB').format(names.map(name => `the ${name}`));
  return `${listed} ${names.length > 1 || listed.endsWith('s') ? 'were' : 'was'}`;
}
