/** What the types of the library allow, and what they refuse. Compiled here, and against the packed archive; never run. */
import {
  createJury,
  UserError,
  type Answer,
  type Claim,
  type Clock,
  type ConfigInput,
  type Finding,
  type Jury,
  type JuryRequest,
  type Location,
  type Matcher,
  type Outcome,
  type Reason,
  type Review,
  type ReviewerFunction,
  type Run,
  type RunEvent,
  type Runner,
  type RunResult,
  type Seat,
  type Turn,
  type Usage,
} from '../../src/index.ts';

const config: ConfigInput = {
  quorum: 1,
  reviewers: [{ id: 'mine', runner: 'mine', timeout: 30 }],
  failOn: ['single:high'],
};
const mine: ReviewerFunction = async (turn: Turn, signal: AbortSignal) => ({
  text: signal.aborted ? '' : turn.prompt,
  stop: 'end',
});
const whole: Runner = {
  name: 'whole',
  ask: (): Promise<Answer> => Promise.reject(new Error()),
  fingerprint: (seat: Seat) => Promise.resolve(seat.id),
};
const matcher: Matcher = {
  name: 'm',
  version: '1',
  threshold: null,
  prepare: () => Promise.resolve(),
  compare: (one: Finding, other: Finding) => ({ same: one.id === other.id, score: 0, reason: '' }),
};
const clock: Clock = {
  now: () => new Date(0),
  monotonicMs: () => 0,
  sleep: () => Promise.resolve(),
};
const requests: readonly JuryRequest[] = [
  { process: 'review', range: 'main..HEAD' },
  { process: 'ask', prompt: 'Why?', mode: 'architecture' },
  { process: 'document', path: 'design.md' },
  { process: 'research', question: 'Why?' },
  { process: 'brainstorm', topic: 'How?' },
  { process: 'gates' },
];

export async function allowed(): Promise<void> {
  const jury: Jury = createJury({
    cwd: '/',
    config,
    runners: { mine, whole },
    matcher,
    clock,
    ids: { run: () => 'r', nonce: () => 'n' },
    state: '/',
  });
  for (const request of requests) {
    const run: RunResult = await jury.run(request, {
      signal: new AbortController().signal,
      onEvent: (event: RunEvent) => void event.type,
    });
    const outcome: Outcome | null = run.outcome;
    const claims: readonly Claim[] = run.claims;
    const reviews: readonly Review[] = run.reviews;
    const texts: readonly string[] = [
      jury.render(run, 'markdown'),
      jury.render(run, 'terminal', { width: 80 }),
      outcome ?? 'answered',
      ...claims.map(({ text }) => text),
    ];
    const location: Location | null = claims[0]?.location ?? null;
    const usage: Usage | undefined = reviews[0]?.usage;
    const reason: Reason | undefined = run.reasons[0];
    const whatever: Run = run;
    void [texts, location, usage, reason, whatever];
  }
  for await (const event of jury.stream({ process: 'gates' }))
    if (event.type === 'result') void event.run.outcome;
  void [
    await jury.plan({ process: 'review' }),
    await jury.show('latest'),
    await jury.consensus({ files: ['a.sarif'] }),
    new UserError('', { kind: 'input' }),
  ];
}

export async function refused(jury: Jury): Promise<void> {
  // @ts-expect-error an option that is none
  createJury({ reviewers: [] });
  // @ts-expect-error a key the configuration does not have
  createJury({ config: { reviewer: [] } });
  // @ts-expect-error a reviewer needs a name
  createJury({ config: { reviewers: [{ runner: 'mine' }] } });
  // @ts-expect-error an answer is an object with a text
  createJury({ runners: { mine: () => 'None' } });
  createJury({
    // @ts-expect-error a matcher compares
    matcher: { name: 'm', version: '1', threshold: null, prepare: () => Promise.resolve() },
  });
  // @ts-expect-error a process that is none
  await jury.run({ process: 'reveiw', range: 'HEAD' });
  // @ts-expect-error a question has no range
  await jury.run({ process: 'ask', prompt: 'Why?', range: 'HEAD' });
  // @ts-expect-error a question is asked in words
  await jury.run({ process: 'ask' });
  // @ts-expect-error only changes have a plan
  await jury.plan({ process: 'research', question: 'Why?' });
  // @ts-expect-error a format that is none
  jury.render(await jury.report('latest'), 'pdf');
}
