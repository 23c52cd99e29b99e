/**
 * The words by which a remark says where it stands: that something is wrong, that it is well, or what should become of it.
 * General language of reviews, chosen by hand; a little German, French and Spanish, so far as a single word decides.
 */

/** Read in every form of the word. */
export const stems = {
  /** Something is wrong. */
  trouble: `
    wrong incorrect broken buggy bug problem problematic flaw flawed defect defective faulty mistake mistaken missing miss lack
    absent absence omit forget forgot forgotten neglect fail crash panic break hang hung stall freeze spin die lose lost loss vanish
    disappear swallow ignore discard skip drop truncate corrupt corruption overwrite overwritten clobber mangle garble unsafe
    insecure vulnerable vulnerability exploit exploitable injection inject forge spoof impersonate bypass tamper hijack steal leak
    expose disclose race racy deadlock livelock starve starvation overflow underflow overrun stale outdated obsolete dead unused
    unreachable redundant unnecessary superfluous pointless useless needless duplicate duplication dangerous dangling risky risk
    hazard hazardous fragile brittle flaky unreliable unstable nondeterministic inconsistent inconsistency mismatch unbounded
    unlimited uncapped unchecked unvalidated unescaped unsanitised unsanitized unhandled uncaught unguarded unprotected unencrypted
    uninitialised uninitialized unclosed undocumented untested uncovered undefined unclear unreadable unsound unsuitable unsupported
    unprepared unpinned unauthenticated unauthorised unauthorized unpredictable unexpected slow inefficient inefficiency expensive
    wasteful waste hammer bloat quadratic catastrophic exhaust flood misleading mislead confusing confuse ambiguous
    vague cryptic misspelled misspelt typo hardcoded inaccessible unusable illegible twice again forever endless infinite
    unconditional blindly silent accidental inadvertent premature arbitrary overkill excessive insufficient inadequate incomplete
    partial weak poor bad worse lax sloppy naive overly violate violation block conflict collide collision regress regression
    degrade hurt suffer plague defeat undermine trip crafted malicious suspicious contradict disagree dump pollute shadow hidden
    hide plaintext mutate reuse repeat instead unfortunately cause lead potential possible opposite inverted contrary regardless
    assume claim attributeerror typeerror prone undo misuse slower harder worse
  `,
  /** Deeds that ward trouble off; told as done, they speak for it that all is well. */
  remedy: `
    guard protect handle sanitise sanitize escape redact validate verify check clamp cap bound limit restrict confine constrain
    sort close release await catch retry requeue rotate regenerate renew refresh evict flush reserve cover document describe explain
    test honour honor respect preserve ensure guarantee enforce restore dispose lock synchronise synchronize serialise
    serialize encrypt hash parameterise parameterize encode quote memoise memoize batch debounce throttle paginate pin sign align
    fix mitigate cleanup unsubscribe detach declare initialise initialize tolerate recover roll propagate bubble
    rethrow surface report announce label normalise normalize canonicalise canonicalize deduplicate dedupe authenticate authorise
    authorize satisfy meet agree match spell pad round persist commit
  `,
  /** Deeds that keep off what is told behind them. */
  ward: 'prevent avoid forbid preclude exclude forestall thwart stop reject refuse deny eliminate',
} as const;

/** Read as they stand here. */
export const words = {
  trouble: `
    issue issues concern concerns trusts md5 sha1 invalid exponentially worry worries leaves dies kills killed wipes wiped garbage ub cve grows growing
    piles pile jank laggy crawl crawls clunky concatenated concatenates concatenating interpolated interpolates glued verbatim eats
    oversell bogus double doubles mixes mixed surprising surprises
  `,
  /** No more than their stem keeps them from being something else. */
  remedy: 'invalidate invalidates invalidated invalidation masked kept addressed',
  /** So usual as an epithet of what is spoken of that no trouble is told by it where all else is well. */
  mild: `
    twice again repeated repeat repeating second slow slower stale dead duplicate duplicated weak unused partial potential possible
    silent expensive hidden suspicious malicious crafted bad poor missing reuse unsafe stuck hung
  `,
  /** By these it is well. */
  calm: `
    safe safely fine ok okay lgtm correct correctly sound good solid perfect excellent harmless benign innocuous intentional
    intentionally deliberate deliberately appropriate adequate adequately sufficient sufficiently plenty acceptable consistent
    consistently identical identically stable deterministic accurate accurately proper properly secure securely robust bounded
    immune dedicated comfortable comfortably idempotent immutable atomic atomically threadsafe reentrant legitimate justified
    reasonable guaranteed thorough thoroughly faithful faithfully intact unaffected unchanged uptodate tidy cheap exemplary sensible
    well cleanly successfully reliably exhaustive compliant conforming current fast additive enough warranted negligible tolerable
    sensible reversible irrelevant idiomatic thoughtful neat sicher korrekt behoben
    erledigt harmlos correctement corrigé sûr seguro correcto corregido
  `,
  /** Well when there is none; else nobody knows. */
  dread:
    'null nil xss csrf ssrf traversal attacker attackers exception exceptions error errors failure failures',
  /** Well, when it follows from what was said before: "so that it is impossible". */
  ensuing: 'impossible worthless',
  demand:
    'should must ought needs need requires required consider please recommend suggest better prefer want rather shall',
  /** They open a sentence that asks for a change. */
  order: `
    add use make move change replace remove delete drop rename extract inline wrap validate check verify ensure handle escape
    sanitise sanitize close release free await catch fix raise lower increase decrease reduce limit cap bound set return throw
    rethrow log document test cover redact mask encrypt hash sign pin store split merge simplify cache memoise memoize batch avoid
    stop prevent tighten loosen relax enforce enable disable lock unlock switch convert cast parse normalise normalize trim sort
    reject refuse require include exclude introduce implement provide pass call initialise initialize reset clear restore rewrite
    refactor subtract confine resolve rotate invalidate round guard protect give put take turn let bring shorten lengthen extend
    widen narrow bump
  `,
  keep: 'keep retain leave',
  add: 'add introduce enable include call',
  remove: `
    remove drop delete removed dropped deleted unused stale redundant unnecessary unneeded unwarranted superfluous overkill obsolete
    needless pointless dead revert
  `,
  raise: `
    raise raised increase increased extend extended lengthen lengthened enlarge enlarged widen widened loosen loosened relax relaxed
    bump bumped grow double lift
  `,
  lower: `
    lower lowered decrease decreased reduce reduced shorten shortened tighten tightened shrink narrow narrowed halve cut restrict
    trim
  `,
  /** Too much of it asks for more. */
  scant: `
    short low small early few little tight strict narrow restrictive shallow conservative stingy brief restricted rigid weak cheap
    faint
  `,
  /** Too much of it asks for less. */
  ample: `
    long high large late many much loose lax permissive generous wide deep big broad lenient aggressive eager slow forgiving liberal
  `,
  negator: `
    non no not never cannot without none nor neither nothing nobody nowhere kein keine keinen keiner keinem nicht nie ohne sans pas
    jamais aucun aucune sin nunca ninguna ningun
  `,
  /** What they say is not there stands before or behind them. */
  absence: `
    missing misses miss lack lacks lacking absent absence omit omits omitted omitting forget forgets forgot forgotten fails fail
    failing neglects neglect skip skips skipped
  `,
  /** They say something together with their neighbours. */
  cue: `
    too more less up down needed necessary warranted used uses depends depend relies rely waste wastes wasting go goes off has longer shorter higher
    larger bigger smaller excessive insufficient
  `,
  break:
    'but because so when if while although though since unless until which whereas however nevertheless nonetheless',
  /** What was well is taken back, or is so for a part only. */
  turn: 'but however nevertheless nonetheless itself otherwise still yet though only merely except unless',
  being: 'is are was were gets get got been being has have',
  modal: 'may might could can would if unless',
  /** It is so only for a part. */
  hedge:
    'may might could can only even whenever if unless except merely each every but although despite different',
  seeming:
    'look looks looked seem seems seemed appear appears sound sounds worried suspected feared',
  consequence: 'so thus hence therefore thereby',
  /** By these, told of oneself, a remark tells what it is sure of. */
  inquiry: 'checked verified',
  trial:
    'tested measured profiled tried ran traced walked reproduced compared reverted built benchmarked confirmed',
  search: 'looked searched hunted probed scanned audited combed grepped',
  /** Of no help to tell what a remark is about. */
  vague: `
    issue issues problem problems bug bugs wrong bad found find see seen look looks looked seem seems thing things case code here
    change changes false positive positives part good pr
  `,
  grammar: `
    the a an and or but in on at to for of with is are was were be been being have has had do does did will would could may might
    can this that these those it its they them their there here which who whom whoever whatever what when where while if then else
    than as by from into no not nor so such only also just any all each every both some other another same own most very we you i he
    she our your my me us via because since however still even yet about how during over under again out per d l s t re ve ll ca wo
    eg ie etc up down off once ever one whether though although unless until get gets got now already like der die das ein eine ist
    und zu le la les un une est et el los es y de
  `,
} as const;

/** By these it is well; `/` parts words of which one stands there. Behind `!` what the sentence said before is taken back. */
export const calmPhrases = [
  '!not/never/cannot happen/occur/arise',
  '!ruled out',
  '!is/are impossible here/because/since/as/by',
  'stay/stays/stayed/remain/remains flat/constant/small/low/below/under/within',
  'keep/keeps/continue/continues working',
  'still work/works',
  'is/are the right/correct',
  'non issue/issues/problem',
  'no issue/issues/problem/problems/concern/concerns',
  '!false positive/positives/alarm/alarms',
  '!found/find/see/saw/spot/spotted none/nothing',
  'on purpose',
  'by design',
  'as intended/expected/designed/documented/specified',
  'as it/they should',
  'what we/they/one/you want/wants/need/needs/wanted',
  'exactly what',
  'take/takes/took/taken care of',
  'thanks to',
  'by construction/convention',
  'leave/keep it/this/that/them/things as',
  'leave/keep as is/it/they',
  'well within/below/under',
  'lint/linter/suite/ci/build/checks/tests passes/pass/green',
  'known to',
  'already done/there/in/has/have/does/takes',
  '!already gone',
  '!already fixed/addressed/resolved',
  'already handled/covered/checked/validated/escaped/guarded/closed/released/tested/documented/removed/limited/sorted/locked',
  'looks/seems/is/are/looked right/clean/complete/solved/fixed/done/resolved/clear/covered',
  'nothing to report/fix/see/add/do/complain/worry',
] as const;

/** The same where they open a sentence. */
export const calmOpenings =
  'fixed resolved addressed done handled solved nice great good neat kudos lgtm approved';

/** What goes wrong, and what is told where it is warded off: they are about one thing, though by other words. */
export const answers: readonly string[] = [
  'bound limit cap clamp maximum unbounded unlimited uncapped',
  'sort order deterministic nondeterministic identical',
  'escape sanitise sanitize encode xss html injection script markup',
  'regenerate rotate fresh fixation',
  'safe unsafe secure insecure',
  'idempotent harmless upsert duplicate replay redelivery twice repeat noop',
  'null guard dereference exist undefined',
  'lock mutex atomic race concurrent synchronise synchronize',
  'close release finally dispose leak',
  'rethrow swallow catch handler unhandled propagate bubble',
  'test spec cover coverage untested',
  'symlink realpath traversal link',
  'validate check verify unvalidated unchecked',
  'encrypt hash plaintext',
  'evict invalidation invalidate refresh stale expire',
  'timeout deadline hang stall',
  'document describe undocumented docs',
];

/** Two sides of one thing. */
export const antonyms: readonly (readonly [string, string])[] = [
  ['before prior ahead precede beforehand', 'after afterwards follow'],
  ['synchronous synchronously sync', 'asynchronous asynchronously async'],
  ['inclusive', 'exclusive'],
  ['local', 'utc'],
  ['enable', 'disable'],
  ['allow permit accept', 'deny forbid reject refuse disallow'],
  ['public', 'private internal'],
  ['mutable', 'immutable'],
  ['ascending', 'descending'],
  ['first', 'last'],
  ['minimum min', 'maximum max'],
  ['lock', 'unlock'],
  ['encrypt', 'decrypt plaintext'],
  ['true', 'false'],
  [
    'survive keep preserve retain remain',
    'lose loss clobber drop evict discard delete overwrite vanish purge',
  ],
  ['increase', 'decrease'],
  ['open', 'close'],
  ['start begin', 'end stop'],
  ['eager eagerly', 'lazy lazily'],
  ['global', 'local'],
  ['serial sequential sequentially', 'parallel concurrent concurrently'],
];

export const numerals: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
  thirteen: '13',
  fourteen: '14',
  fifteen: '15',
  sixteen: '16',
  twenty: '20',
  thirty: '30',
  sixty: '60',
  hundred: '100',
  thousand: '1000',
};
