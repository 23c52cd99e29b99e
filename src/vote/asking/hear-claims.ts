/**
 * Contested claims as motions: each is put to readers who have not spoken about it, several in a question, in one
 * round; what is contested then goes to a panel. What goes wrong leaves a claim as it was, and its error says so.
 */
import { present } from '../../core/groups.ts';
import { sha256 } from '../../core/hash.ts';
import { renderPatch } from '../../core/change/patch.ts';
import { redact } from '../../core/safety/redaction.ts';
import type { HeardStance } from '../answers.ts';
import { type DeliberationSettings, defaultLimits } from '../../core/words/motions-settings.ts';
import {
  type ClaimBallot,
  concludeClaim,
  type HeldClaimPanel,
  outcomeOf,
  renderClaimsPrompt,
  riskOf,
  spokenAbout,
  standingOf,
} from '../claim-vote.ts';
import { type HeldPanel, type Sides, membersOf, seatSides, whyNoPanel } from '../panels.ts';
import { drawMembers } from '../triage.ts';
import type { Member } from '../../core/words/roster.ts';
import type { Asking } from '../../engine/asking/ask-member.ts';
import { describeForecast } from '../../core/spending/forecast.ts';
import type { Subject } from '../../core/words/change.ts';
import type { Claim } from '../../core/words/claim.ts';
import type { Seat } from '../../core/words/config.ts';
import { Usage } from '../../core/words/review.ts';
import {
  askingOf,
  type ClaimsAsked,
  countingCeiling,
  type HearingWorld,
  judgesOf,
  openHearing,
  placed,
} from '../../engine/asking/ask-judge.ts';
import { collectStances } from './collect-stances.ts';
import { holdTables, type PanelTable } from './hold-panels.ts';
import { placeText } from '../../core/words/finding.ts';
import { visibleName } from '../../core/safety/visible-text.ts';
import { cutText } from '../../core/prompt/answer-form.ts';

interface ClaimsRequest extends ClaimsAsked {
  settings: DeliberationSettings;
  /** Which time the run is worked on. */
  round: number;
}

/** What few support goes to all who have not spoken about it; claims in the order they came in. Rejects only when the signal aborts. */
export async function deliberate(request: ClaimsRequest, world: HearingWorld) {
  const { plan, claims, round, settings } = request;
  const motions = await motionsIn(request, world);
  const before = await world.steps.recall(spentKey(round - 1), Usage);
  const { ceiling, spent } = countingCeiling(world.ceiling, before);
  const asking = askingOf(plan, { ...world, ceiling }, round);
  try {
    const hearing = { plan, asking };
    const heard = await askAbout(motions, settings.batch, { ...hearing, note: world.note });
    const contested = heard.filter(each => outcomeOf(each, null, settings) === 'contested');
    const panels = await holdClaimPanels(contested, hearing, settings.panelConcurrency);
    const concluded = new Map(
      heard.map(each => [each.claim.id, concludeClaim(each, settings, panels.get(each.claim.id))]),
    );
    await world.steps.step(spentKey(round), async () => spent());
    return { claims: claims.map(claim => concluded.get(claim.id) ?? claim), usage: spent() };
  } finally {
    asking.endpoints.rest();
  }
}

/** A claim as a motion. */
interface ClaimMotion extends ClaimBallot {
  /** All that is shown of it, never who said it. */
  readonly text: string;
  /** Who may be told of it, and who of them is asked; in panel order. */
  readonly hearers: readonly Seat[];
  readonly asked: readonly Seat[];
}

/** What the questions about the claims of a run have in common. */
interface Hearing {
  plan: ClaimsAsked['plan'];
  asking: Asking;
}

function spentKey(round: number) {
  return `claims/spent/${round}`;
}

const withheld = 'By the rules of egress nobody who could be asked may be told of it.';

function motionsIn(request: ClaimsRequest, { secrets }: HearingWorld) {
  const { subject, claims, settings } = request;
  const judges = judgesOf(request);
  const hearersOf = openHearing(request);
  const byId = new Map(claims.map(claim => [claim.id, claim]));
  const open = claims.filter(({ state }) => state !== 'dismissed');
  const motions = open.map(async claim => {
    const contrary = claim.contradicts.flatMap(id => byId.get(id) ?? []);
    // What was said of each, wherever, and that it was said of the place of the claim.
    const told = [claim, ...contrary].flatMap(({ location, findings }) =>
      findings.flatMap(finding => [finding, { reviewer: finding.reviewer, location }]),
    );
    const hearers = hearersOf(judges, told);
    const spoken = spokenAbout(claim, contrary);
    const fresh = hearers.filter(({ id }) => !spoken.has(id));
    const motion = { claim, hearers, spoken, votes: [], noResponse: [] };
    // Well supported: it needs no answer.
    if (riskOf(claim, settings) === 'low') return { ...motion, text: '', asked: [], error: null };
    const text = describeClaim(claim, contrary, codeAround(claim, subject));
    const nobody = judges.every(({ id }) => spoken.has(id))
      ? 'Nobody is left who could be asked.'
      : withheld;
    const error = fresh.length > 0 ? null : nobody;
    const spans = await secrets.scan(text, 'claim.txt');
    return { ...motion, text: redact(text, spans).text, asked: fresh, error };
  });
  return Promise.all(motions);
}

/** One question to each about several claims, in an order of its own; what it leaves out is asked again alone. */
async function askAbout(
  motions: readonly ClaimMotion[],
  batch: number,
  { plan, asking, note }: Hearing & Pick<HearingWorld, 'note'>,
) {
  const motionsOf = (ids: readonly string[]) =>
    ids.flatMap(id => motions.find(({ claim }) => claim.id === id) ?? []);
  const tasks = plan.seats.map(seat => ({
    ...placed(seat),
    member: seat.id,
    instructions: instructionsOf(seat),
    ids: motions.filter(({ asked }) => asked.includes(seat)).map(({ claim }) => claim.id),
    render: (ids: readonly string[]) =>
      renderClaimsPrompt(motionsOf(ids), {
        fence: plan.fence,
        question: `claims/${seat.id}`,
      }),
  }));
  const settings = {
    key: 'claims',
    batch,
    concurrency: plan.concurrency,
    orderOf: (member: string, id: string) => sha256(`${plan.subjectHash}|${member}|${id}`),
    mark: (ids: readonly string[]) =>
      sha256(JSON.stringify(motionsOf(ids).map(({ claim, text }) => [claim.id, text]))).slice(
        0,
        12,
      ),
  };
  const stances = await collectStances(tasks, settings, asking, ({ expected }) => {
    if (expected.calls > 0)
      note(
        `Claims are put to those who have not spoken. ${describeForecast(expected, plan.limits)}`,
      );
    const secret = motions.filter(({ error }) => error === withheld).length;
    if (secret > 0)
      note(`Claims not put to the vote: by the rules of egress nobody may be told of ${secret}.`);
  });
  return motions.map(motion => {
    const own = stances.filter(stance => stance.mega_motion_id === motion.claim.id);
    return {
      ...motion,
      votes: own.flatMap(heard => voteOf(heard) ?? []),
      noResponse: own.flatMap(({ archon_id: reviewer, stance, error }) =>
        stance === null ? { reviewer, error: error ?? '' } : [],
      ),
    };
  });
}

/** What should be changed about it is a concern. Null: it did not answer. */
function voteOf(heard: HeardStance) {
  const { archon_id: reviewer, stance, reasoning, confidence } = heard;
  const concerns = present(...heard.opposition_concerns, heard.amendment_text);
  return stance && { reviewer, stance, reasoning, concerns, confidence: confidence ?? 0 };
}

/** The hunk that holds the place, or the whole patch of the file where none does. */
function codeAround({ location }: Claim, subject: Subject) {
  if (subject.kind !== 'change' || location === null) return '';
  const file = subject.files.find(({ path }) => path === location.path);
  if (file === undefined) return '';
  const { side, line } = location;
  const around = file.hunks.filter(hunk => {
    const lines = (line ?? -1) - hunk[`${side}Start`];
    return lines >= 0 && lines < hunk[`${side}Lines`];
  });
  return renderPatch(around.length === 0 ? file : { ...file, hunks: around });
}

/** Contested claims argued out on the panels of motions, by claim. Arguments are read without knowing whose they are. */
async function holdClaimPanels(
  contested: readonly ClaimMotion[],
  { plan, asking }: Hearing,
  panelConcurrency: number,
) {
  const seatOf = ({ id }: Member) => {
    const seat = plan.seats.find(one => one.id === id);
    if (seat === undefined) throw new Error(`${id} sits on a panel and not in the run.`);
    return seat;
  };
  const panels = new Map<string, HeldClaimPanel>();
  const tables = [];
  for (const motion of contested) {
    const { id } = motion.claim;
    const table = seatTable(motion, plan.run);
    if (typeof table === 'string') panels.set(id, { skipped: table });
    else tables.push({ ...table, claim: id });
  }
  const held = await holdTables(tables, {
    asking,
    settings: { panel_concurrency: panelConcurrency },
    fence: plan.fence,
    textLimits: defaultLimits,
    seatFor: member => placed(seatOf(member)),
    identify: member => instructionsOf(seatOf(member)),
  });
  for (const panel of held) panels.set(panel.table.claim, resultOf(panel));
  return panels;
}

/** Why no panel is held, where none is. */
function seatTable({ text, hearers, ...motion }: ClaimMotion, run: string): PanelTable | string {
  const { id } = motion.claim;
  const nothing = { role: null, backstory: null, model: null, baseUrl: null };
  const members = new Map(
    hearers.map((hearer, index) => [
      hearer.id,
      { id: hearer.id, name: `Reviewer ${index + 1}`, ...nothing },
    ]),
  );
  const standing = standingOf(motion, null);
  const neutral = standing.neutral.flatMap(reviewer => members.get(reviewer) ?? []);
  const sides = seatSides({ ...standing, neutral: idsOf(drawMembers(neutral, id, run)) }, members);
  const skipped = whyNoPanel(sides, {
    for: standing.for.length,
    against: standing.against.length,
  });
  const sitting = new Set(idsOf(membersOf(sides)));
  // A facilitator does not argue, where a reviewer is left.
  const facilitator = hearers.find(hearer => !sitting.has(hearer.id)) ?? hearers[0];
  if (skipped !== null || facilitator === undefined) return skipped ?? '';
  return {
    ...sides,
    amendments: [],
    key: `claims/panel/${id}`,
    title: 'Is this finding about the change real?',
    text,
    riskTier: null,
    facilitator: placed(facilitator),
  };
}

/** In the names of the reviewers. */
function resultOf({ table, said, report, error }: HeldPanel & { table: Sides }): HeldClaimPanel {
  const ids = new Map(membersOf(table).map(({ name, id }) => [name, id]));
  const named = said.map(one => ({ ...one, archon_name: ids.get(one.archon_name) ?? '' }));
  return {
    panel: {
      status: report === null ? 'failed' : 'concluded',
      error,
      supporters: idsOf(table.supporters),
      critics: idsOf(table.critics),
      neutrals: idsOf(table.neutrals),
      recommendation: report?.synthesis.recommendation ?? null,
      votes: Object.fromEntries(
        named.flatMap(({ archon_name, vote }) => (vote === null ? [] : [[archon_name, vote]])),
      ),
    },
    said: named,
  };
}

function idsOf(members: readonly Member[]) {
  return members.map(({ id }) => id);
}

const longestWording = 600;

const mostWordings = 4;

const claimInstructions =
  'You review the findings of a panel of reviewers of a code change. You did not raise the findings you are shown; ' +
  'judge each by its evidence alone, whoever said it and however sure it sounds. You do not know how anybody else ' +
  'votes.';

/** What is known about a claim, without a name. `code`: the lines it is about; empty when it names no place. */
function describeClaim(
  { severity, text, location, findings }: Claim,
  opposites: readonly Claim[],
  code: string,
) {
  const place =
    location === null
      ? 'none named'
      : visibleName(placeText(location)) +
        (location.anchoring === 'unanchored' ? ' (not found in the change)' : '');
  const said = present(
    ...new Set(
      findings.flatMap(finding => [finding.text, finding.evidence, finding.recommendation]),
    ),
  ).filter(words => words.trim() !== '' && words !== text);
  return present(
    `Finding: ${text}`,
    `Severity: ${severity}`,
    `Place: ${place}`,
    ...said
      .slice(0, mostWordings)
      .map(words => `In other words, or as evidence: ${cutText(words, longestWording).text}`),
    ...opposites.map(
      opposite =>
        `Another finding says the opposite: ${cutText(opposite.text, longestWording).text}`,
    ),
    code !== '' && `Code:\n${code}`,
  ).join('\n');
}

/** With the focus of the reviewer who is asked. */
function instructionsOf({ persona }: Seat) {
  return `${claimInstructions}\n\nYour focus: ${persona.focus}`;
}
