/**
 * What must hold of every story, judged from what the reviewers really delivered and what the journal holds. Nothing of the product's own
 * coverage, counting or judging is asked.
 */
import { Violation, type Question, type Story } from './play.ts';
import { callsOf, type RecordedCall } from './records.ts';
import { failing, type Delivery, type DeliveryKind, type SimulatedReviewer } from './scenario.ts';

/** Throws `Violation` for the first one that does not. */
export function checkStory(story: Story): void {
  checkPass(story);
  checkFindings(story);
  checkPayment(story);
}

/** Throws `Violation` where what came of a story is not what came of it when nothing went wrong. */
export function checkAlike(story: Story, undisturbed: Story): void {
  // Nobody is asked any more once the gate is closed for good, whoever was still to be heard.
  if (
    story.result.outcome === 'FAIL' &&
    isInterrupted(story) &&
    undisturbed.result.outcome === 'FAIL'
  )
    return;
  // What is left of its time to one that is tried again goes by the disk, and by who was killed in between.
  const all = [...story.questions, ...undisturbed.questions];
  if (all.some(({ delivery }) => delivery.kind === 'unreachable')) return;
  const [one, other] = [story, undisturbed].map(({ result }) => describeResult(result));
  if (one !== other)
    throw new Violation(`Another outcome than without the crashes:\n${one}\ninstead of\n${other}`);
}

function isInterrupted({ result: { reasons } }: Story) {
  return reasons.some(({ rule }) => rule === 'interrupted');
}

/** Every answer that was kept, in order. */
function keptBy(reviewer: SimulatedReviewer, { records, questions }: Story) {
  return callsOf(reviewer.id, records).map((call, place) => {
    const question = questionAt(reviewer, place, questions);
    return { reviewer, delivery: question.delivery, call, question };
  });
}

/** The last that was put when so many answers were kept. */
function questionAt({ id }: SimulatedReviewer, kept: number, questions: readonly Question[]) {
  const question = questions.findLast(
    asked => asked.reviewer === id && asked.before.length === kept,
  );
  if (question) return question;
  throw new Violation(`An answer of ${id} was kept that it never gave.`);
}

const whole: ReadonlySet<DeliveryKind> = new Set(['good', 'silent', 'twice']);

/** Who lists what it read and leaves nothing out has read everything too. */
function isWhole({ kind, leavesOut }: Delivery, { shown }: Pick<Question, 'shown'>) {
  return (
    whole.has(kind) ||
    (kind === 'short' && shown.every(({ path, isText }) => !isText || path !== leavesOut))
  );
}

function checkPass(story: Story) {
  const { scenario, result } = story;
  if (result.outcome !== 'PASS') return;
  const kept = scenario.reviewers.flatMap(reviewer => keptBy(reviewer, story));
  const complete = kept.filter(({ delivery, question }) => isWhole(delivery, question));
  const completed = new Set(complete.map(({ reviewer }) => reviewer.id));
  for (const { id, required } of scenario.reviewers)
    if (required && !completed.has(id))
      throw new Violation(`PASS, and required reviewer ${id} never completed.`);
  if (completed.size < scenario.quorum)
    throw new Violation(`PASS, and ${completed.size} reviewers completed of ${scenario.quorum}.`);
  for (const { path, isText, mark } of scenario.files) {
    const readers = kept.filter(
      ({ delivery, question }) =>
        (isWhole(delivery, question) ||
          (delivery.kind === 'short' && delivery.leavesOut !== path)) &&
        question.shown.some(file => file.mark === mark),
    );
    if (!isText || readers.length === 0)
      throw new Violation(`PASS, and ${path} was read by nobody.`);
  }
  const grave = complete.flatMap(({ delivery }) =>
    delivery.said.filter(({ label }) => failing.has(label)),
  );
  if (grave.length > 0) throw new Violation(`PASS over "${grave[0]?.text ?? ''}".`);
}

/** What was delivered whole and kept stands in the claims, once; what came too late, or never, does not. */
function checkFindings(story: Story) {
  const { scenario, result } = story;
  const stated = result.claims.flatMap(claim => claim.findings);
  const ids = stated.map(({ id }) => id);
  if (new Set(ids).size < ids.length)
    throw new Violation(`A finding is counted twice: ${ids.join(' ')}`);
  const countOf = (mark: string) => stated.filter(({ text }) => text.includes(mark)).length;
  for (const reviewer of scenario.reviewers) {
    const kept = keptBy(reviewer, story);
    // An answer that breaks off is replaced by the next one that can be read, and by nothing else.
    const last = kept.findLast(
      each => isWhole(each.delivery, each.question) || each.delivery.kind === 'cut',
    );
    for (const each of kept)
      for (const { mark, text } of each.delivery.said) {
        const { delivery, question } = each;
        if ((isWhole(delivery, question) || each === last) && countOf(mark) !== 1)
          throw new Violation(
            `Said once by ${reviewer.id}, counted ${countOf(mark)} times: ${text}`,
          );
        if (delivery.kind === 'late' && countOf(mark) > 0)
          throw new Violation(`Counted although it came too late: ${text}`);
      }
    const own = stated.filter(finding => finding.reviewer === reviewer.id);
    const said = kept.flatMap(({ delivery }) => delivery.said);
    const stranger = own.find(finding => !said.some(({ mark }) => finding.text.includes(mark)));
    if (stranger !== undefined) throw new Violation(`${reviewer.id} never said: ${stranger.text}`);
  }
}

const tryAgain: ReadonlySet<DeliveryKind> = new Set(['empty', 'babble']);

/** Nobody is asked again who has answered, unless the answer was none. */
function checkPayment({ scenario, questions, records, acknowledged }: Story) {
  for (const [reviewer, count] of acknowledged)
    if (callsOf(reviewer, records).length < count)
      throw new Violation(`An answer of ${reviewer} that was kept is lost.`);
  for (const question of questions) {
    const reviewer = scenario.reviewers.find(({ id }) => id === question.reviewer);
    if (reviewer === undefined) continue;
    if (question.before.length < question.acknowledged)
      throw new Violation(`${reviewer.id} is asked again: an answer that was kept is lost.`);
    const earlier = question.before.map((call, place) => ({
      call,
      delivery: questionAt(reviewer, place, questions).delivery,
    }));
    if (earlier.some(({ delivery }) => isWhole(delivery, question)))
      throw new Violation(`${reviewer.id} is asked again although its review is complete.`);
    const last = earlier.findLast(
      ({ call }) => call.run === question.run && call.round === question.round,
    );
    if (last !== undefined && !isRepeatable(last.delivery, last.call, question))
      throw new Violation(
        `${reviewer.id} is asked again in round ${question.round}, attempt ${question.attempt}, after an answer that was kept (${last.delivery.kind}).`,
      );
  }
}

function isRepeatable(
  { kind }: Delivery,
  { attempt, count }: RecordedCall,
  { attempt: now }: Question,
) {
  if (kind === 'unreachable') return now === attempt && count <= 1;
  return tryAgain.has(kind) && attempt === 1 && now === 2;
}

function describeResult({ outcome, record, reviews, claims }: Story['result']) {
  return JSON.stringify(
    {
      outcome,
      reasons: record.reasons
        .map(
          ({ rule, effect, subject }) =>
            `${effect} ${rule} ${subject === record.run ? 'run' : subject}`,
        )
        .toSorted(),
      reviews: reviews.map(({ reviewer, status, failure, findings }) => ({
        reviewer,
        status,
        cause: failure?.cause ?? null,
        findings: findings.map(({ text, severity }) => `${severity} ${text}`),
      })),
      claims: claims
        .map(({ severity, agreement, state, findings }) => ({
          severity,
          agreement,
          state,
          findings: findings.map(({ text }) => text).toSorted(),
        }))
        .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
      files: record.coverage.files,
    },
    null,
    1,
  );
}
