/** Reads the counts of an earlier vote, so that any rule set can decide again from them alone. */
import { z } from 'zod';
import { UserError } from '../errors.ts';
import { MotionsSettings } from './motions-settings.ts';
import type { Counts } from './ratification.ts';
import { statedTexts } from './session-input.ts';
import { type RiskTier, riskTierOf } from './triage.ts';

const Count = z.int().nonnegative();

const RecordedRow = z.object({
  mega_motion_id: z.string(),
  mega_motion_title: z.string(),
  implicit_endorsements: Count,
  explicit_endorsements: Count,
  oppositions: Count,
  amendments_proposed: Count,
  abstentions: Count,
  no_response: Count,
  engaged_count: Count,
  not_assigned: Count.nullish(),
  not_drawn: Count.nullish(),
  risk_tier: z.enum(['low', 'medium', 'high']).nullish(),
  simulated: z.boolean().nullish(),
  constitutional: z
    .boolean()
    .nullish()
    .transform(declared => declared ?? null),
  amendment_texts: z.unknown().optional().transform(statedTexts),
});
type RecordedRow = z.infer<typeof RecordedRow>;

const RecordedTriage = z.object({
  session_id: z.string().nullish(),
  roster_size: Count.nullish(),
  motions: z.array(
    z.object({
      mega_motion_id: z.string(),
      mega_motion_title: z.string().nullish(),
      risk_tier: z.enum(['low', 'medium', 'high']),
    }),
  ),
});

export interface RecordedCounts {
  /** Null when only the counts are there. */
  readonly sessionId: string | null;
  readonly rosterSize: number;
  readonly motions: readonly (Counts & {
    readonly id: string;
    readonly title: string;
    readonly riskTier: RiskTier;
    /** Nothing recorded says which tier it was of. */
    readonly isTierGuessed: boolean;
    /** Counted from answers that were invented. */
    readonly isSimulated: boolean;
    /** Asked and not answered, as recorded; where the next is null, with those who were not asked. */
    readonly noResponse: number;
    readonly notAssigned: number | null;
    readonly amendmentTexts: readonly string[];
    readonly missing: number;
    readonly constitutional: boolean | null;
  })[];
}

/** `triage`: the triage recorded beside the counts; undefined when there is none. Throws `UserError` (kind `input`) naming row and key. */
export function readRecordedCounts(file: string, value: unknown, triage: unknown): RecordedCounts {
  const rows = readRows(file, value);
  const rosterSize = rosterSizeOf(file, rows);
  const recorded = readTriage(triage);
  if (recorded !== null) refuseOfAnotherVote(file, rows, rosterSize, recorded);
  const tiers = new Map(
    recorded?.motions.map(({ mega_motion_id, risk_tier }) => [mega_motion_id, risk_tier]),
  );
  return {
    rosterSize,
    sessionId: recorded?.session_id ?? null,
    motions: rows.map(row => ({
      ...row,
      id: row.mega_motion_id,
      title: row.mega_motion_title,
      amendmentTexts: row.amendment_texts,
      missing: missingOf(row),
      isSimulated: row.simulated ?? false,
      noResponse: row.no_response,
      notAssigned: row.not_assigned ?? null,
      ...tierOf(row, tiers.get(row.mega_motion_id), rosterSize),
    })),
  };
}

function readRows(file: string, value: unknown): RecordedRow[] {
  if (!Array.isArray(value))
    throw new UserError(`Error: ${file}: must be an array of counts`, { kind: 'input' });
  return value.map((item: unknown, index) => {
    const checked = RecordedRow.safeParse(item);
    if (checked.success) return checked.data;
    const issue = checked.error.issues[0];
    const [name, ...below] = issue?.path ?? [];
    const key = [name ?? '', ...below].map(String).join('.');
    const isMissing =
      typeof item === 'object' &&
      item !== null &&
      name !== undefined &&
      below.length === 0 &&
      !Object.hasOwn(item, name);
    throw new UserError(
      `Error: ${file}: row ${index}: ${key === '' ? '' : `${key}: `}${isMissing ? 'the key is missing' : (issue?.message ?? 'Invalid value')}`,
      { kind: 'input' },
    );
  });
}

/**
 * Only where `not_assigned` is told apart is `no_response` surely somebody who was asked; older records count both in one. Counts
 * do not say what those said who were drawn: who was not could say anything.
 */
function missingOf({ no_response, not_assigned, not_drawn }: RecordedRow): number {
  return typeof not_assigned === 'number' ? no_response + (not_drawn ?? 0) : 0;
}

function rosterSizeOf(file: string, rows: readonly RecordedRow[]): number {
  const sizes = rows.map(
    ({ engaged_count, no_response, not_assigned }) =>
      engaged_count + no_response + (not_assigned ?? 0),
  );
  const [size = 0] = sizes;
  const odd = sizes.findIndex(other => other !== size);
  if (odd >= 0)
    throw new UserError(
      `Error: ${file}: row ${odd}: engaged_count, no_response and not_assigned make a roster of ${sizes[odd] ?? 0}, but ${size} in row 0`,
      { kind: 'input' },
    );
  return size;
}

function readTriage(value: unknown): z.infer<typeof RecordedTriage> | null {
  if (value === undefined) return null;
  const checked = RecordedTriage.safeParse(value);
  if (checked.success) return checked.data;
  throw new UserError('Error: triage_results.json: it holds no risk tiers', {
    kind: 'input',
    cause: checked.error,
  });
}

/** The risk of motions of another session would decide about these. */
function refuseOfAnotherVote(
  file: string,
  rows: readonly RecordedRow[],
  rosterSize: number,
  { motions, roster_size }: z.infer<typeof RecordedTriage>,
): void {
  const titles = new Map(motions.map(({ mega_motion_id: id, ...rest }) => [id, rest]));
  const odd = rows.findIndex(({ mega_motion_id, mega_motion_title }) => {
    const known = titles.get(mega_motion_id);
    return (
      known === undefined || (known.mega_motion_title ?? mega_motion_title) !== mega_motion_title
    );
  });
  const row = rows[odd];
  const why =
    row !== undefined
      ? `it does not know motion "${row.mega_motion_title}" (${row.mega_motion_id}, row ${odd})`
      : (roster_size ?? rosterSize) === rosterSize
        ? null
        : `its roster has ${roster_size ?? 0} members, that of the counts ${rosterSize}`;
  if (why !== null)
    throw new UserError(`Error: triage_results.json beside ${file} is of another vote: ${why}.`, {
      kind: 'input',
      hint: 'Put the two files of one vote there, or the counts alone.',
    });
}

function tierOf(
  row: RecordedRow,
  recorded: RiskTier | undefined,
  rosterSize: number,
): Pick<RecordedCounts['motions'][number], 'riskTier' | 'isTierGuessed'> {
  const known = row.risk_tier ?? recorded;
  return known === undefined
    ? { riskTier: guessTier(row, rosterSize), isTierGuessed: true }
    : { riskTier: known, isTierGuessed: false };
}

/** What the counts and the title let one see: contributors without conflict, and whether the motion is a novel proposal. */
function guessTier(
  { implicit_endorsements, mega_motion_title }: RecordedRow,
  rosterSize: number,
): RiskTier {
  const motion = {
    isNovel: mega_motion_title.startsWith('Novel: '),
    consensusTier: 'low' as const,
    supporters: [],
  };
  return riskTierOf(
    motion,
    { support: rosterSize === 0 ? 0 : implicit_endorsements / rosterSize, conflicts: 0 },
    MotionsSettings.parse({}),
  );
}
