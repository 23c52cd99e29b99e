/** What a run comes to: claims in each reading, judged, and the record that tells it. */
import { toJsonText } from '../core/json.ts';
import { familyOf, familyNamed, isReader } from '../core/words/runner.ts';
import { readFindingsIndex } from '../answers/index.ts';
import type { Memory, RunStore } from '../core/ports/steps.ts';
import { groundFindings, mergeClaims } from '../core/run-files/merged-findings.ts';
import {
  type Claim,
  type Grounding,
  markAct,
  orderClaims,
  synthesiseResearch,
} from '../core/words/claim.ts';
import { decide, outcomeOf } from '../core/verdict/outcome.ts';
import type { ChangedFile, Subject } from '../core/words/change.ts';
import { type Review, addUsage, noUsage } from '../core/words/review.ts';
import type { Plan } from '../core/words/plan.ts';
import { type Run, Adopted, ReadAs } from '../core/words/run.ts';
import type { World } from './world.ts';
import { type RunUnderWay, adoptedKey, carriedKey, endKey, sinceIn } from './review/review-task.ts';
import {
  asComplaints,
  confidenceModel,
  type ConfidenceSettings,
  cutOf,
  formClaims,
  isJudgeable,
  listenersIn,
  withAnswers,
} from '../agreement/index.ts';
import { setAside } from '../core/change/set-aside.ts';
import { acceptedIn } from '../core/change/unshown.ts';
import { CarriedFrom, describeCarried } from '../core/pushes/same-patch.ts';
import { processOf } from '../core/process.ts';
import { makeRecord } from '../core/run-files/run-record.ts';
import { type EngineFinding, findInChange } from '../core/safety/engine-finding.ts';
import { certify, describeStandstill } from '../core/verdict/coverage.ts';
import {
  judgeReadings,
  openEvidence,
  otherReadings,
  withVotesOf,
} from '../core/verdict/readings.ts';
import {
  approvedOf,
  blockingClaims,
  type Evidence,
  judgeGrounding,
  judgeRun,
  overridesOf,
} from '../core/verdict/judges.ts';
import type { Seat } from '../core/words/config.ts';
import { describePanel } from '../core/verdict/panel-table.ts';
import { criteriaIn, verify } from '../core/verdict/verification.ts';
import { deliberate } from '../vote/index.ts';
import type { HeldReviews } from './review/hold-reviews.ts';
import { frameClaims } from './mask-texts.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import { askJudge } from './asking/ask-judge.ts';

interface HeldRun extends RunUnderWay, HeldReviews {}

export async function conclude(run: HeldRun): Promise<Run> {
  const { plan, subject, reviews, stages, world } = run;
  const heard = await hear(run);
  const verdict = await judge(run, heard);
  const { claims, readings } = heard;
  const { blocking, evidence, found, decision, judging } = verdict;
  const overrides = overridesOf(evidence, judging);
  const from = await world.steps.recall(carriedKey, CarriedFrom);
  const { name, threshold, version } = world.matcher;
  const said = reviews.flatMap(review => review.findings);
  const record = makeRecord({
    plan,
    subject,
    reviews,
    decision,
    coverage: verdict.coverage,
    verification: evidence.verification ?? null,
    completedAt: world.clock.now().toISOString(),
    furtherUsage: addUsage(readings.usage, heard.usage),
    claims: markAct(claims, {
      blocking,
      cut: cutOf(plan.act, confidenceModel, listenersIn(reviews, said)),
    }),
    fixed: [...heard.fixed],
    dismissed: [...heard.dismissed],
    strategy: { name, threshold, version },
    reused: false,
    parts: {
      approvals: [...approvedOf(evidence, judging)],
      readings: heard.others.map(({ taken, isJudged, claims: own }) => ({
        taken,
        isJudged,
        claims: [...own],
      })),
      judge: readings.judge ?? null,
      frames: await frameClaims(orderClaims({ claims, blocking }), subject, world.secrets),
      engineFindings: [...found],
      consensusReview: verdict.table,
      stages: stages.length > 1 ? [...stages] : null,
      research: heard.research,
      gate: overrides.length > 0 ? { overrides } : null,
      adopted: (await world.steps.recall(adoptedKey, Adopted)) ?? null,
      carried: from ? describeCarried(from, reviews, await sinceIn(plan.seats, world.steps)) : null,
      standstill: verdict.standstill,
    },
  });
  const { folder, copies } = world.store;
  return { record, reviews: [...reviews], subject, folder, copies };
}

/** Where the prompt numbers none, those of what is put before the reviewers beside it. */
function criteriaOf({ prompt }: Plan, subject: Subject) {
  const asked = criteriaIn(prompt ?? '');
  return asked.length > 0 || subject.kind !== 'question'
    ? asked
    : criteriaIn(subject.context ?? '');
}

/** The claims of each reading, as the memory of the project knows them, with what a vote makes of them. */
async function hear(run: HeldRun) {
  const { plan, subject, reviews, world, signal, onEvent } = run;
  const confidence = await confidenceSettingsFor(subject, plan.seats, world.memory);
  const readings = await formReadings(run, confidence);
  const { formed } = readings;
  onEvent({ type: 'claim-form', claims: formed.length });
  const research = researchOf(run, formed);
  const open = openEvidence({ ...world, ...run, rules: plan.rules });
  const rest = {
    verification: plan.mode === 'verification' ? verify(reviews, criteriaOf(plan, subject)) : null,
    research,
    isInterrupted: signal.aborted,
    isMoved: !signal.aborted && (await world.isMoved()),
    month: (await run.ceiling.refusals()).ofMonth,
  };
  const evidenceOf = (claims: readonly Claim[]): Evidence => ({ ...open(claims), ...rest });
  const recall = recallOf(run, world, confidence?.recalibration ?? null, evidenceOf);
  const standing = await recall(formed, true);
  // What a judge joined with a claim that somebody dismissed was dismissed by nobody.
  const decided = readings.unjudged === formed ? standing : await recall(readings.unjudged, false);
  const gone = decided.claims.filter(({ state }) => state === 'dismissed');
  const dismissed = new Set(gone.flatMap(claim => claim.findings.map(({ id }) => id)));
  const others = await Promise.all(
    otherReadings(
      await readings.others(dismissed),
      formed.filter(claim => !claim.findings.every(({ id }) => dismissed.has(id))),
    ).map(async reading => ({
      ...reading,
      claims: (await recall(reading.claims, false)).claims,
      research: researchOf(run, reading.claims),
    })),
  );
  const voted = await putToVote(standing.claims, run);
  return {
    ...standing,
    ...voted,
    readings,
    research,
    evidenceOf,
    others: others.map(each => ({ ...each, claims: withVotesOf(each.claims, voted.claims) })),
  };
}

function judgingOf({ policy, rules }: Plan) {
  return { ...policy, rules };
}

function researchOf({ plan, reviews }: HeldRun, claims: readonly Claim[]) {
  return processOf(plan.command).contract === 'research'
    ? synthesiseResearch(reviews, claims)
    : null;
}

/** Every judge is heard about every reading. */
async function judge(run: HeldRun, heard: Awaited<ReturnType<typeof hear>>) {
  const { plan, subject, excluded, round, packs, reviews, ceiling, before, signal, world } = run;
  const { claims, evidenceOf } = heard;
  const judging = judgingOf(plan);
  const judgeClaims = (found: Evidence['found']) =>
    judgeReadings(
      { ...evidenceOf(claims), found },
      heard.others.map(({ claims: own, research, ...read }) => ({
        ...read,
        evidence: { ...evidenceOf(own), found, research },
      })),
      judging,
    );
  const blocking = blockingClaims(claims, judgeClaims([]));
  const found: readonly EngineFinding[] =
    subject.kind === 'change'
      ? findInChange({
          change: subject,
          secrets: packs.secrets.filter(secret => world.isCredential(secret)),
          claims,
          analysers: new Set(
            reviews.filter(review => !isReader(review)).map(({ reviewer }) => reviewer),
          ),
          blocking,
        })
      : [];
  const evidence = { ...evidenceOf(claims), found };
  const coverage = certify(evidence.matrix, {
    bytesOf: packs.bytesOf,
    excluded,
    accepted: acceptedIn(subject),
  });
  const merged = mergeClaims(
    { claims, reviewers: reviews.map(({ reviewer, status }) => ({ id: reviewer, status })) },
    reviews,
  );
  const grounding = await groundMerged(merged, reviews, world.store);
  const decision = decide(
    {},
    [...judgeClaims(found), ...judgeGrounding(plan.run, grounding)],
    plan.rules.parameters,
  );
  // What is judged again asks nobody, and is no attempt to go on.
  const isStill =
    round > 1 &&
    !signal.aborted &&
    (await world.steps.recall(endKey(round))) === undefined &&
    (await ceiling.spent()).calls === before.calls;
  const hasTable =
    subject.kind === 'change' &&
    plan.spending !== null &&
    processOf(plan.command).returned === 'review';
  const { run: id, seats, rules } = plan;
  const told = { run: id, seats, reviews, claims, matrix: evidence.matrix, rules, isStill };
  return {
    blocking,
    found,
    evidence,
    judging,
    decision,
    coverage,
    table: hasTable ? describePanel(told, decision) : null,
    standstill: isStill
      ? describeStandstill(coverage, reviews, (await ceiling.refusals()).last)
      : null,
  };
}

/** Without a vote, or with one that was interrupted, the claims are as they were. */
function putToVote(claims: readonly Claim[], run: HeldRun) {
  const { deliberation: settings } = run.plan;
  return unlessInterrupted(run, { claims, usage: noUsage }, world =>
    settings ? deliberate({ ...run, claims, settings }, world) : null,
  );
}

/** What is asked beside the reviews; `otherwise` where it was not asked to its end: then it is when the run is resumed. */
async function unlessInterrupted<Heard, None>(
  run: HeldRun,
  otherwise: None,
  ask: (world: World & HeldRun) => Promise<Heard> | null,
) {
  try {
    return (!run.signal.aborted && (await ask({ ...run.world, ...run }))) || otherwise;
  } catch (error) {
    if (!run.signal.aborted) throw error;
    return otherwise;
  }
}

// Claims in each reading: as they are shown, and as they would be without a judge, or if words denied less.

/** Confidence null: none is computed. */
async function formReadings(run: HeldRun, confidence: ConfidenceSettings | null) {
  const { plan, reviews, world, note } = run;
  const findings = reviews.flatMap(review => review.findings);
  const form = (said: Review['findings'], matcher: Matcher, warn?: (sentence: string) => void) =>
    formClaims({
      findings: said,
      matcher,
      panel: plan.seats.map(({ id }) => id),
      reviews,
      ...(confidence ? { confidence } : {}),
      ...(warn !== undefined && { warn }),
    });
  // A judge is asked about pairs as if no words denied anything: a denial is what it may tell.
  if (world.judge) await form(asComplaints(findings, 'complaints') ?? findings, world.matcher);
  const { judged, judge, usage } = await putToJudge(run);
  const unjudged = await form(findings, world.matcher, note);
  return {
    /** As they are shown. */
    formed: judged ? await form(findings, judged) : unjudged,
    /** The same without the answers of a judge. */
    unjudged,
    /** Null where no judge answered. */
    judge,
    /** Of the judge. */
    usage,
    /** All others, without findings that somebody dismissed. */
    async others(dismissed: ReadonlySet<string>) {
      const left = findings.filter(({ id }) => !dismissed.has(id));
      const readings = [];
      for (const taken of ReadAs.shape.taken.options) {
        const said = taken === 'words' ? left : asComplaints(left, taken);
        // With a judge, or where there is none, words are read as they are shown.
        const isShown = (matcher: Matcher) =>
          taken === 'words' && matcher === (judged ?? world.matcher);
        for (const matcher of new Set([world.matcher, judged ?? world.matcher]))
          if (said && !isShown(matcher))
            readings.push({
              taken,
              isJudged: matcher === judged,
              claims: await form(said, matcher),
            });
      }
      return readings;
    },
  };
}

/** Null: no judge was asked. */
async function putToJudge(run: HeldRun) {
  const { matcher, judge } = run.world;
  const none = { judged: null, judge: null, usage: noUsage };
  if (!judge || !isJudgeable(matcher)) return none;
  return unlessInterrupted(run, none, async world => {
    const panel = matcher.panel();
    const { judging, usage } = await askJudge(panel, run, { ...world, judge });
    const answers = judging.answers();
    return {
      judged: withAnswers(matcher, panel, judging),
      judge: answers.length > 0 ? { ...judge.accuracy, answers } : null,
      usage,
    };
  });
}

// How sure claims are, and what the memory of the project knows of them.

/** Null for a question: the model was fitted on what reviewers say about changes. */
export async function confidenceSettingsFor(
  subject: Subject,
  seats: readonly Seat[],
  memory: Pick<Memory, 'reliability' | 'recalibration'> | null,
): Promise<ConfidenceSettings | null> {
  if (subject.kind !== 'change') return null;
  return {
    model: confidenceModel,
    reliability: (await memory?.reliability()) ?? [],
    recalibration: (await memory?.recalibration()) ?? null,
    families: familiesOf(seats),
  };
}

/** Reviewers whose family nobody knows are left out. */
export function familiesOf(
  seats: readonly Pick<Seat, 'id' | 'family' | 'model' | 'runner'>[],
): ReadonlyMap<string, string> {
  return new Map(
    seats.flatMap(seat => {
      const family = familyOf(seat) ?? familyNamed(seat.id);
      return family === null ? [] : [[seat.id, family] as const];
    }),
  );
}

/**
 * Gives claims the ids and states they have in the memory of the project. Questions have none: every claim is new. `isKept`: are they
 * remembered, too?
 */
export function recallOf(
  { plan, subject, reviews }: Pick<HeldRun, 'plan' | 'subject' | 'reviews'>,
  { clock, memory, repository }: Pick<World, 'clock' | 'memory' | 'repository'>,
  recalibration: NonNullable<ConfidenceSettings['recalibration']> | null,
  evidenceOf: (claims: readonly Claim[]) => Evidence,
) {
  const recalling = {
    run: plan.run,
    at: clock.now().toISOString(),
    reviews,
    families: familiesOf(plan.seats),
    recalibration,
    read: async (file: ChangedFile, side: 'new' | 'old') => repository?.read(file, side) ?? null,
    isDecided: (claims: readonly Claim[]) =>
      outcomeOf(judgeRun(evidenceOf(claims), judgingOf(plan))) !== 'INCOMPLETE',
  };
  return async (claims: readonly Claim[], isKept: boolean) => {
    if (!memory || subject.kind !== 'change') return { claims, fixed: [], dismissed: [] };
    const recalled = await memory[isKept ? 'remember' : 'recognise']({
      ...recalling,
      change: subject,
      claims,
    });
    return { fixed: recalled.fixed, ...setAside(recalled, plan.protectedPaths) };
  };
}

// Checks on every run that what was merged is what reviewers wrote, in the files they wrote it.

/** Writes `grounding.json`. */
async function groundMerged(
  findings: readonly unknown[],
  reviews: readonly Review[],
  store: RunStore,
): Promise<Grounding> {
  const agents = [];
  for (const { reviewer } of reviews)
    agents.push({
      agent: reviewer,
      index: readFindingsIndex((await store.read(`reviews/${reviewer}.md`)) ?? ''),
    });
  const grounding = groundFindings({ findings, agents, foreignSkipped: 0, strict: false });
  await store.write('grounding.json', toJsonText(grounding));
  return grounding;
}
