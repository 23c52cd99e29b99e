import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/core/words/claim.ts';
import type { Verification } from '../../../src/core/verdict/verification.ts';
import { blockingClaims, judgeGrounding, judgeRun } from '../../../src/core/verdict/judges.ts';
import {
  decide,
  describeVerdict,
  exitCodeOf,
  outcomeOf,
  sayOutcome,
} from '../../../src/core/verdict/outcome.ts';
import {
  judgeMotions,
  outcomes,
  Reasons,
  type Outcome,
  type Reason,
} from '../../../src/core/verdict/record.ts';
import { defaultRulesOf } from '../../../src/core/process.ts';
import { defaultFailOn } from '../../../src/core/words/config.ts';
import { failRulePattern, parseFailRules } from '../../../src/core/verdict/rule-set.ts';
import {
  failedReview,
  failureOf,
  sampleClaim,
  sampleFinding,
  sampleLocation,
  sampleReview,
} from '../sample.ts';
import {
  evidenceOf,
  rulesOf,
  ruleSets,
  sampleSeat,
  type EvidenceChanges,
  type RuleSetName,
} from './panel.ts';

const unplaced = sampleClaim({ location: sampleLocation({ anchoring: 'unanchored', line: null }) });
const votedDown = sampleClaim({
  deliberation: {
    outcome: 'voted_down',
    for: ['alpha'],
    against: ['beta', 'gamma'],
  } as unknown as NonNullable<Claim['deliberation']>,
});
const failVote = (reviewer: string): Claim =>
  sampleClaim({
    supporters: [reviewer],
    findings: [sampleFinding({ reviewer, label: 'FAIL', text: 'Criterion 1: it is not there' })],
  });
const votes = (
  result: 'pass' | 'fail' | 'disputed',
  pass: string[] = [],
  fail: string[] = [],
): Verification => ({
  result: result === 'disputed' ? 'undecided' : result,
  criteria: [{ criterion: 1, pass, fail, result }],
});
const guard = sampleSeat('guard', { role: 'security', name: 'security-reviewer', veto: true });
const guardUnread = sampleReview({
  reviewer: 'guard',
  coverage: [{ path: 'src/a.ts', extent: 'skipped', why: 'too large' }],
});
const sensitive = [{ path: 'src/a.ts', sensitive: true, reason: 'path' }];
const required = { reviews: [sampleReview(), { ...failedReview('beta'), required: true }] };
const failed = { reviews: [failedReview('alpha')] };
const beta = sampleReview({ reviewer: 'beta' });
const partial = sampleReview({
  status: 'partial',
  failure: failureOf('budget'),
});
const spared = {
  ...failedReview('beta'),
  failure: failureOf('month', 'The ceiling is reached.'),
} as const;
const veto = { reviewer: 'alpha', verdict: 'VETO', ground: 'CRITICAL injection' } as const;
const warning = { reviewer: 'alpha', verdict: 'WARN', ground: null } as const;
const reason = (
  rule: Reason['rule'],
  effect: Reason['effect'] = 'FAIL',
  sentence = '',
): Reason => ({ rule, effect, subject: '', sentence });
const touched: Reason = {
  rule: 'require-human',
  effect: 'INCOMPLETE',
  subject: 'configuration',
  sentence: 'The change touches it.',
};

/** The rules of the reasons after the outcome; by rule set, `-` for all others, or under every one. */
type Expected = Partial<Record<RuleSetName | '-', string>> | string;
/** Under the rule sets that fail on claims. */
const byClaims = (here: string, elsewhere = 'PASS'): Expected => ({
  review: here,
  gates: here,
  'veto with fail rules': here,
  '-': elsewhere,
});
/** Under the rule sets to which a quorum is enough. */
const byAnyQuorum = (here: string, elsewhere: string): Expected => ({
  review: here,
  gates: here,
  question: here,
  '-': elsewhere,
});

const rows: readonly (readonly [what: string, evidence: EvidenceChanges, expected: Expected])[] = [
  ['nothing found, all read', {}, 'PASS'],
  ['a claim that hits a fail rule', { claims: [sampleClaim()] }, byClaims('FAIL claim')],
  [
    'the same, and a required reviewer is missing',
    { claims: [sampleClaim()], ...required },
    byClaims('FAIL claim required', 'INCOMPLETE required'),
  ],
  ['a dismissed claim', { claims: [sampleClaim({ state: 'dismissed' })] }, 'PASS'],
  [
    'words of one of three that are grave and in no finding',
    { reviews: [sampleReview(), beta, sampleReview({ reviewer: 'c', unaccounted: 'critical' })] },
    byClaims('INCOMPLETE ungrounded'),
  ],
  [
    'a blocker at a place that is not there',
    { claims: [unplaced] },
    byClaims('INCOMPLETE ungrounded'),
  ],
  [
    'the same, said by two',
    { claims: [{ ...unplaced, supporters: ['alpha', 'beta'] }] },
    byClaims('FAIL claim'),
  ],
  ['a blocker that was voted down', { claims: [votedDown] }, byClaims('INCOMPLETE vote')],
  [
    'a veto',
    { verdicts: [veto] },
    { 'ignored vetoes': 'PASS', question: 'PASS', '-': 'FAIL veto' },
  ],
  [
    'a veto of an analyser',
    { seats: [sampleSeat('alpha', {}, 'builtin')], verdicts: [veto] },
    { review: 'PASS', gates: 'PASS', 'ignored vetoes': 'PASS', question: 'PASS', '-': 'FAIL veto' },
  ],
  ['a warning', { verdicts: [warning] }, { strict: 'FAIL veto', '-': 'PASS' }],
  [
    'a sensitive file that security did not read',
    {
      files: sensitive,
      seats: [sampleSeat('alpha'), guard],
      reviews: [sampleReview(), guardUnread],
    },
    {
      review: 'INCOMPLETE security',
      gates: 'INCOMPLETE security',
      question: 'PASS',
      '-': 'FAIL security',
    },
  ],
  [
    'a sensitive file and nobody of security',
    { files: sensitive },
    byAnyQuorum('PASS', 'FAIL security'),
  ],
  [
    'a sensitive file, checks of security and nobody who reads',
    {
      files: sensitive,
      seats: [{ ...guard, id: 'alpha', runner: 'builtin' }],
      reviews: [sampleReview({ runner: 'builtin' })],
    },
    { review: 'PASS', gates: 'INCOMPLETE quorum', question: 'PASS', '-': 'FAIL security' },
  ],
  [
    'checks that completed beside a reader that failed',
    {
      reviews: [sampleReview({ reviewer: 'lint', role: 'check' }), failedReview('beta')],
    },
    byAnyQuorum('INCOMPLETE quorum unread', 'INCOMPLETE required quorum unread'),
  ],
  [
    'a critical of one that another reader of the file denies',
    {
      claims: [
        sampleClaim({
          supporters: ['alpha'],
          against: [{ reviewer: 'beta', finding: 'beta/1', statement: 'It is checked.' }],
        }),
      ],
      reviews: [sampleReview(), beta],
    },
    byClaims('INCOMPLETE vote'),
  ],
  [
    'a critical about a file that its reviewer was not shown',
    {
      claims: [sampleClaim({ supporters: ['alpha'], location: sampleLocation() })],
      reviews: [
        sampleReview({ coverage: [{ path: 'src/a.ts', extent: 'outside', why: 'dealt' }] }),
        beta,
      ],
    },
    byClaims('INCOMPLETE ungrounded'),
  ],
  [
    'a sensitive file that a security reviewer read before it was cut off',
    {
      files: sensitive,
      seats: [sampleSeat('beta'), { ...guard, id: 'alpha' }],
      reviews: [partial, beta],
    },
    'PASS',
  ],
  [
    'a finding of the engine',
    { found: [{ path: 'src/a.ts', text: 'src/a.ts:1 hides something.' }] },
    'FAIL engine',
  ],
  [
    'a reviewer that failed, quorum met',
    { reviews: [sampleReview(), failedReview('beta')] },
    byAnyQuorum('PASS', 'INCOMPLETE required'),
  ],
  [
    'nobody completed',
    failed,
    byAnyQuorum('INCOMPLETE quorum unread', 'INCOMPLETE required quorum unread'),
  ],
  ['the only reviewer was cut off after it read everything', { reviews: [partial] }, 'PASS'],
  [
    'a required reviewer was cut off',
    { reviews: [sampleReview(), { ...partial, reviewer: 'beta', required: true }] },
    'INCOMPLETE required',
  ],
  ['a file nobody read', { units: ['src/a.ts', 'src/b.ts'] }, 'INCOMPLETE unread'],
  ['an empty subject', { units: [] }, 'INCOMPLETE unread'],
  ['a change of the configuration', { known: [touched] }, 'INCOMPLETE require-human'],
  [
    'a submodule, which is said once',
    {
      units: ['src/a.ts', 'lib'],
      known: [{ ...touched, rule: 'unread', subject: 'lib', object: 'a'.repeat(40) }],
    },
    'INCOMPLETE unread',
  ],
  ['an interruption', { isInterrupted: true }, 'INCOMPLETE interrupted'],
  [
    'a reviewer that was not asked for the sake of the month, quorum met',
    { reviews: [sampleReview(), spared] },
    byAnyQuorum('INCOMPLETE month', 'INCOMPLETE month required'),
  ],
  [
    'a claim nobody was asked about for the sake of the month',
    { month: 'The ceiling is reached.' },
    'INCOMPLETE month',
  ],
  [
    'a research that found too little',
    { research: { status: 'PARTIAL', why: 'no source' } },
    'INCOMPLETE quorum',
  ],
  [
    'a criterion that is not met',
    { verification: votes('fail', [], ['alpha']), claims: [failVote('alpha')] },
    'FAIL verification',
  ],
  [
    'a criterion that is disputed',
    { verification: votes('disputed', ['beta'], ['alpha']), claims: [failVote('alpha')] },
    'INCOMPLETE verification',
  ],
  [
    'no criterion at all',
    { verification: { result: 'undecided', criteria: [] } },
    'INCOMPLETE verification',
  ],
  ['every criterion met', { verification: votes('pass', ['alpha']) }, 'PASS'],
  [
    'a FAIL that names no criterion',
    { verification: votes('pass', ['alpha', 'beta']), claims: [failVote('alpha')] },
    byClaims('FAIL claim', 'INCOMPLETE verification'),
  ],
];

const names = Object.keys(ruleSets) as RuleSetName[];
const judge = (evidence: EvidenceChanges, changes?: Parameters<typeof rulesOf>[1]) =>
  judgeRun(evidenceOf(evidence), rulesOf('review', changes));

describe('the outcome of a run', () => {
  for (const name of names) {
    it.each(rows)(`under the rule set "${name}": %s`, (_what, evidence, expected) => {
      const reasons = judgeRun(evidenceOf(evidence), rulesOf(name));
      expect([outcomeOf(reasons), ...reasons.map(({ rule }) => rule)].join(' ')).toBe(
        typeof expected === 'string' ? expected : (expected[name] ?? expected['-']),
      );
    });
  }

  it('is FAIL before INCOMPLETE before PASS, and the reasons that fail it stand first', () => {
    const decided = decide({ run: 'x' }, [
      reason('quorum', 'INCOMPLETE', 'one'),
      reason('quorum', 'FAIL', 'two'),
      reason('quorum', 'INCOMPLETE', 'three'),
    ]);
    expect(decided).toMatchObject({
      run: 'x',
      outcome: 'FAIL',
      reasons: [{ sentence: 'two' }, { sentence: 'one' }, { sentence: 'three' }],
    });
    expect([outcomeOf([]), outcomeOf([reason('quorum', 'INCOMPLETE')])]).toEqual([
      'PASS',
      'INCOMPLETE',
    ]);
  });

  it('has one exit code, and the process that was interrupted another', () => {
    expect(outcomes.map(each => exitCodeOf(each))).toEqual([0, 1, 2]);
    expect(outcomes.map(each => exitCodeOf(each, true))).toEqual([130, 130, 130]);
  });

  it('is never a pass without a reviewer that was listening to every file', () => {
    const some = fc.array(
      fc.constantFrom(
        sampleReview(),
        partial,
        failedReview('alpha'),
        sampleReview({ coverage: [] }),
      ),
    );
    fc.assert(
      fc.property(
        some,
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(...names),
        (reviews, quorum, name) => {
          const outcome = outcomeOf(judgeRun(evidenceOf({ reviews }), rulesOf(name, { quorum })));
          const { length: read } = reviews.filter(
            ({ status, coverage }) => status !== 'failed' && coverage.length > 0,
          );
          if (read === 0) expect(outcome).not.toBe('PASS');
          // At least one is wanted.
          if (name === 'review') expect(outcome).toBe(read >= quorum ? 'PASS' : 'INCOMPLETE');
        },
      ),
    );
  });

  it('needs no veto against what is grounded and nothing against what is not', () => {
    const grounding = {
      status: 'violation' as const,
      checked: 3,
      ungrounded: ['P0|F1'],
      severity_mismatch: [],
      wrong_agent: [],
      foreign_skipped: 0,
      strict: false,
    };
    expect(judgeGrounding('run', grounding)).toMatchObject([
      {
        rule: 'ungrounded',
        effect: 'INCOMPLETE',
        sentence: '1 of 3 merged findings trace to nothing a reviewer wrote: P0|F1.',
      },
    ]);
    expect([
      judgeGrounding('run', null),
      judgeGrounding('run', { ...grounding, status: 'warn' }),
    ]).toEqual([[], []]);
  });

  it('of a vote on motions is open while answers could change it', () =>
    expect(
      [judgeMotions(0, false), judgeMotions(2, false), judgeMotions(0, true)].map(outcomeOf),
    ).toEqual(['PASS', 'INCOMPLETE', 'INCOMPLETE']));
});

describe('the reasons of a run', () => {
  it.each<[string, EvidenceChanges, string]>([
    [
      'a required reviewer that failed',
      required,
      'Required reviewer beta did not complete: deadline.',
    ],
    [
      'fewer complete reviews than the quorum',
      failed,
      '0 of 1 reviewers were heard; the quorum is 1.',
    ],
    [
      'a file nobody read',
      { units: ['src/a.ts', 'src/b.ts'] },
      'src/b.ts was read in full by no reviewer.',
    ],
    [
      'a file too large for everybody',
      {
        reviews: [
          sampleReview({ coverage: [{ path: 'src/a.ts', extent: 'skipped', why: 'too large' }] }),
        ],
      },
      'src/a.ts was read in full by no reviewer (too large).',
    ],
    ['an empty subject', { units: [] }, 'Nothing was left to review.'],
    ['a claim', { claims: [sampleClaim()] }, 'c-0000000001 is critical and supported by 1 of 2.'],
  ])('say in one sentence: %s', (_what, evidence, sentence) =>
    expect(judge(evidence).map(reason => reason.sentence)).toContain(sentence),
  );

  it('name the claims that fail it', () => {
    const claims = [sampleClaim(), sampleClaim({ id: 'c-0000000002', severity: 'low' })];
    expect(blockingClaims(claims, judge({ claims }))).toEqual(['c-0000000001']);
  });

  it('leave a blocker without ground out where the configuration says so', () => {
    for (const claim of [unplaced, votedDown])
      expect(judge({ claims: [claim] }, { unverifiedBlocker: 'warn' })).toEqual([]);
  });

  it('of version 0.1 were sentences: they are shown and never make a pass', () =>
    expect(outcomeOf(Reasons.parse(['The quorum was not met.', touched]))).toBe('INCOMPLETE'));
});

describe('the words of a consensus review', () => {
  it.each<[Outcome, readonly Reason[], number, number, string]>([
    ['PASS', [], 3, 0, 'APPROVED (3 warnings)'],
    ['PASS', [], 1, 0, 'APPROVED (1 warning)'],
    ['PASS', [], 0, 0, 'APPROVED'],
    ['PASS', [], 1, 1, 'ADVISORY'],
    ['FAIL', [reason('veto'), reason('veto'), reason('veto')], 3, 0, 'BLOCKED (3 vetoes)'],
    ['FAIL', [reason('claim'), reason('veto')], 0, 0, 'BLOCKED (1 veto)'],
    ['FAIL', [reason('security'), reason('security')], 0, 0, 'BLOCKED (security coverage)'],
    [
      'FAIL',
      [reason('engine'), reason('claim'), reason('claim')],
      0,
      0,
      'BLOCKED (1 of the engine, 2 blocking claims)',
    ],
    ['FAIL', [reason('claim')], 0, 0, 'BLOCKED (1 blocking claim)'],
    ['INCOMPLETE', [reason('required', 'INCOMPLETE')], 0, 1, 'INCOMPLETE'],
  ])('%s is said as it follows from the reasons', (outcome, reasons, warnings, advice, words) =>
    expect(describeVerdict(outcome, reasons, { warnings, advice })).toBe(words),
  );
});

describe('a plain question', () => {
  const quorum: Reason = {
    rule: 'quorum',
    effect: 'INCOMPLETE',
    subject: 'r',
    sentence: '1 of 3 reviewers completed; the quorum is 2.',
  };
  const { parameters } = rulesOf('question').rules;

  it('has no outcome where nothing stands against it, which is no pass and no failure of the program', () => {
    expect(decide({}, [], parameters)).toEqual({ outcome: null, reasons: [] });
    expect(decide({}, [], rulesOf('review').rules.parameters).outcome).toBe('PASS');
    expect(exitCodeOf(null)).toBe(0);
    expect(exitCodeOf(null, true)).toBe(130);
    expect(
      sayOutcome({
        outcome: null,
        claims: [],
        reviewers: [
          { runner: 'api', status: 'complete' },
          { runner: 'api', status: 'partial' },
        ],
      }),
    ).toBe('Answered by 1 of 2');
  });

  it('that was not answered has one', () => {
    expect(decide({}, [quorum], parameters).outcome).toBe('INCOMPLETE');
    expect(decide({}, [{ ...quorum, effect: 'FAIL' }], parameters).outcome).toBe('FAIL');
  });
});

describe('the rule set of a process', () => {
  it('is that of a question where there is no gate', () => {
    expect(
      ['review', 'document', 'gates', 'research', 'brainstorm'].map(command =>
        defaultRulesOf(command, 'code-review'),
      ),
    ).toEqual(['review', 'review', 'gates', 'answer', 'answer']);
    expect(
      (['general-prompt', 'debugging', 'architecture', 'verification'] as const).map(mode =>
        defaultRulesOf('ask', mode),
      ),
    ).toEqual(['question', 'question', 'question', 'review']);
    expect(defaultRulesOf('document', 'architecture')).toBe('review');
  });
});

function outcome(claim: Claim, rules: readonly string[], reviews = [sampleReview()]) {
  return outcomeOf(judge({ claims: [claim], reviews }, { failOn: parseFailRules(rules) }));
}

function outcomeAt(
  agreement: Claim['agreement'],
  severity: Claim['severity'],
  reviews?: Parameters<typeof outcome>[2],
) {
  return outcome(sampleClaim({ agreement, severity }), ['majority:high'], reviews);
}

describe('fail rules', () => {
  it.each(['docs/configuration.md', 'docs/gate.md'])(
    'are those of %s where nobody sets them',
    page => expect(readFileSync(page, 'utf8')).toContain(defaultFailOn.join(', ')),
  );

  it('are a severity, a tier with a severity, or never', () => {
    expect(parseFailRules(['never', 'high', 'all:low'])).toEqual([
      { agreement: 'single', severity: 'high' },
      { agreement: 'all', severity: 'low' },
    ]);
    for (const good of [
      'never',
      'critical',
      'all:high',
      'majority:medium',
      'single:low',
      'check:high',
      'analyser:high',
    ])
      expect(good).toMatch(failRulePattern);
    for (const bad of ['', 'none', 'some:high', 'all:', 'all:hi', 'high:all', 'HIGH'])
      expect(bad).not.toMatch(failRulePattern);
  });

  it('of checks count what one of them states about security, in its own severity', () => {
    const reviews = [
      sampleReview({ reviewer: 'fred', runner: 'builtin' }),
      sampleReview({ reviewer: 'patterns' }),
    ];
    const stated = (
      finding: Parameters<typeof sampleFinding>[0],
      changes: Parameters<typeof sampleClaim>[0] = {},
    ) =>
      outcome(
        sampleClaim({
          severity: 'high',
          findings: [sampleFinding({ severity: 'high', category: 'security', ...finding })],
          ...changes,
        }),
        ['analyser:high'],
        reviews,
      );
    expect([
      stated({ reviewer: 'fred' }),
      stated({ reviewer: 'fred', category: ' Secrets ' }),
      stated({ reviewer: 'fred', severity: 'critical' }),
    ]).toEqual(['FAIL', 'FAIL', 'FAIL']);
    expect([
      stated({ reviewer: 'fred', category: 'correctness' }),
      stated({ reviewer: 'fred', severity: 'medium' }, { severity: 'critical' }),
      stated({ reviewer: 'patterns' }),
      stated({ reviewer: 'fred' }, { state: 'dismissed' }),
    ]).toEqual(['PASS', 'PASS', 'PASS', 'PASS']);
  });

  it('count a stronger agreement and a worse severity too', () => {
    expect([
      outcomeAt('all', 'critical'),
      outcomeAt('single', 'critical', [sampleReview(), beta]),
      outcomeAt('single', 'critical'),
      outcomeAt('all', 'medium'),
    ]).toEqual(['FAIL', 'PASS', 'FAIL', 'PASS']);
  });
});
