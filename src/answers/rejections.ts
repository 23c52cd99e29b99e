/** Names what a text is when it is no answer: too large, not text, a loop, a refusal, a spent quota, a provider's error, a login prompt. */
import { Cause } from '../core/words/review.ts';
import { bordersOf, bytesOf, cut, toLine } from '../core/text.ts';
import { reject, type Rejection } from './reading.ts';

/** Only this much of either end is looked at: such texts are short, and patterns must stay cheap. */
const window = 1_200;

/** Sentences that open a text. Beside a statement of none only the very first one can take it back. */
const openingLength: Record<TextKind, number> = { answer: 400, error: 400, remark: 160 };

/** Call only where no finding was read. */
export function rejectionIn(text: string, kind: TextKind): Rejection | null {
  const plain = simplify(
    text.length > 2 * window ? `${text.slice(0, window)}\n${text.slice(-window)}` : text,
  );
  const opening = plain.slice(0, openingLength[kind]);
  const group = phrases.find(
    ({ among, where, patterns }) =>
      among.includes(kind) &&
      patterns.some(pattern => pattern.test(where === 'opening' ? opening : plain)),
  );
  return group === undefined ? null : reject(group.cause, cut(toLine(text.slice(0, 600)), 300));
}

/** What a message of an error says. */
export function errorIn(message: string): Rejection {
  return rejectionIn(message, 'error') ?? reject('provider', message.slice(0, 300));
}

function simplify(text: string): string {
  return text
    .replace(/[’‘´`]/g, "'")
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .trim();
}

export type TextKind = 'answer' | 'remark' | 'error';

interface PhraseGroup {
  readonly cause: Cause;
  /** `opening`: only the first sentences count. */
  readonly where: string;
  /**
   * Which texts can be of this kind: `answer`, all there is; `remark`, prose beside a statement of none; `error`, a message of
   * that name.
   */
  readonly among: readonly string[];
  readonly patterns: readonly RegExp[];
}

/**
 * How programs and models say that there will be no review: under each head its patterns, one a line. Tried from top to bottom on
 * lower-case text with straight quotes and single spaces; every pattern must stay linear.
 */
const table = String.raw`
== provider opening answer error
^(?:<!doctype html|<html|<head\b|<\?xml[^>]{0,80}>\s*<!doctype html)
== quota opening answer error
\b(?:you've|you have|you) (?:hit|reached|exceeded|exhausted|run out of|used up) (?:your|the|all your|all of your)\b.{0,40}\b(?:limit|quota|credits?|usage|tokens)\b
\b(?:usage|spending|session|weekly|daily|monthly|5-hour|message|rate) limit (?:has been )?(?:reached|exceeded|hit)\b
\bquota (?:has been )?exceeded\b|\bexceeded your (?:current )?quota\b|\binsufficient[_ ]quota\b|\bresource[_ ]exhausted\b|\bout of (?:credits|quota)\b
\bcredit balance is too low\b|\bbilling (?:hard )?limit\b|\binsufficient (?:credits?|balance|funds)\b|\bpayment required\b
\blimit (?:will reset|resets)\b|\bupgrade to (?:pro|plus|max|a paid plan|increase)\b.{0,60}\blimit
== auth opening answer error
\b(?:please )?(?:run|use|type) ['"]?/?[\w -]{0,20}\blog ?in\b|\bnot (?:logged|signed) in\b|\bplease (?:log|sign) ?in\b|\blogin (?:required|expired)\b
\b(?:open|visit|go to|navigate to)\b.{0,60}\b(?:browser|url|https?://\S{0,80}(?:auth|login|device|oauth))\b|\bhttps?://\S{0,80}/(?:oauth|device|login|authorize)\b
\b(?:enter|paste) the (?:authorization )?code\b|\bauthenticat(?:e|ion) (?:required|failed|expired|is required|with)\b|\bwaiting for authentication\b
\b(?:invalid|missing|incorrect|no|expired) (?:api[ -]key|credentials?|access token|authentication)\b|\bapi key (?:is )?(?:invalid|missing|not (?:set|found|valid))\b|\b(?:session|token) (?:has )?expired\b
^(?:api error|error|http)?:?\s*(?:401|403)\b
== provider opening answer error
\bapi error\b|\b(?:error|status|http)(?: code)?[: ]+(?:4\d\d|5\d\d)\b|\b(?:500|502|503|504|529) (?:internal|bad gateway|service|gateway|overloaded|\{)
\b(?:overloaded|internal server|service unavailable|bad gateway|gateway timeout|upstream connect|api)[_ ]error\b|\boverloaded_error\b|\binternal server error\b|\bservice (?:is )?(?:temporarily )?unavailable\b
\b(?:model|server) is (?:currently |temporarily )?(?:overloaded|unavailable|at capacity)\b|\btoo many requests\b|\brate[ _-]limit(?:ed|s)?\b|\bconnection (?:error|reset|refused)\b|\bfetch failed\b|\becon(?:nreset|nrefused)\b
== unread anywhere answer remark error
# Only small words between verb and noun: "did not find any issue in the code" is a review.
\b(?:unable to|can't|cannot|can not|could not|couldn't|not able to|wasn't able to|weren't able to|failed to|did not|didn't|do not|don't|no way to) (?:\w+ )?(?:read|access|open|load|view|retrieve|fetch|receive|have access to|get) (?:(?:the|any|your|an?|this|that|these|those|of|from|to|in|it|its|actual|full|complete|provided|requested|attached|supplied|source|git|contents?|changed|whole|entire|or|and|linked|uploaded|file|for) ){0,6}(?:(?:diffs?|files?|changes?|code|patch|repository|repo|document|contents?|attachments?|subject|material|pull request)\b|[\w.-]{0,80}/[\w./-]{1,80}|[\w-]{1,80}\.(?:ts|tsx|js|jsx|py|go|rs|java|kt|rb|php|cs|c|h|cpp|swift|md|json|ya?ml|sql|sh)\b)
\b(?:unable to|can't|cannot|can not|could not|couldn't|not able to|did not|didn't|do not|don't) (?:\w+ )?(?:see|find|locate|have) (?:(?:the|your|that|this|an?|actual|attached|provided|requested) ){1,3}(?:diff|files?|patch|document|attachments?|repository|repo|pull request)\b
\b(?:diff|file|code|patch|document|attachment|content|changes?|subject)s? (?:was|were|is|are|appears? to be|seems? to be) (?:not (?:provided|included|attached|accessible|available|readable|found)|(?:missing|empty|inaccessible|unavailable|unreadable)(?=[.,;:!)]|$| (?:so|and|or|from|in your)\b))
\bno (?:diff|files?|code|patch|changes|document|content) (?:was|were|is|are|has been|have been) (?:provided|included|attached|given|supplied|shared|found)\b
\b(?:please|could you|can you) (?:provide|share|paste|attach|upload|send)\b.{0,40}\b(?:diff|files?|code|patch|document|changes)\b
== refusal opening answer remark error
\bi(?:'m| am)? (?:really |very |so )?(?:sorry|afraid|apologi[sz]e)\b.{0,60}\b(?:can't|cannot|can not|unable|not able|won't|must decline|not comfortable)\b
\bi(?:'m| am| must| have to| will| need to)? ?(?:can't|cannot|can not|won't|will not|unable to|not able to|not going to|decline to|refuse to|not comfortable)\b.{0,40}\b(?:help|assist|comply|review\w*|provid\w*|continue|fulfill?|support|process|analy[sz]\w*|engage|participate|do (?:that|this)|discuss|proceed|complete|answer|respond|with (?:that|this))\b
\bi (?:must|have to|need to|respectfully|will have to) (?:respectfully )?(?:decline|refuse)\b|\bi (?:decline|refuse) to\b|^(?:request )?(?:refused|declined|denied)\b
\bas an ai\b|\bas a (?:large )?language model\b|\b(?:against|violates|would violate|may violate|not allowed by|prohibited by|in violation of) (?:my|our|the|openai's|anthropic's|google's)? ?(?:\w+ )?(?:guidelines|polic(?:y|ies)|programming|terms)\b
\b(?:request|prompt|response|content|output) (?:was |has been |is )?(?:blocked|flagged|filtered|rejected|refused)\b|\bcontent (?:filter|policy)\b|\bsafety (?:filter|system|reasons|policy|guidelines)\b
\b(?:not (?:be )?(?:able|appropriate|possible)|inappropriate) (?:for me )?to (?:help|assist|review|comply|provide|fulfill?)\b|\bcan't (?:help|assist) (?:you )?with\b
# German
\b(?:ich kann|ich darf|ich werde|kann ich|darf ich)\b.{0,80}\b(?:nicht|keine?n?)\b|\b(?:tut mir leid|bedaure|entschuldigung)\b.{0,80}\b(?:nicht|kann|keine?)\b|\bnicht in der lage\b
# French
\bje (?:ne peux|ne suis|ne saurais|refuse|dois (?:refuser|décliner))\b|\b(?:désolée?|navrée?)\b.{0,80}\b(?:pas|refuser|impossible)\b|\bil m'est impossible\b
# Spanish
\bno (?:puedo|podré|me es posible|estoy en condiciones|voy a poder)\b|\blo (?:siento|lamento)\b|\bdebo (?:rechazar|negarme|declinar)\b
# Portuguese
\bnão (?:posso|consigo|poderei|me é possível|sou capaz)\b|\b(?:desculpe|lamento|sinto muito)\b
# Italian
\bnon (?:posso|sono in grado|mi è possibile|potrò)\b|\bmi (?:dispiace|spiace)\b
# Polish
(?:^|\s)nie (?:mogę|jestem w stanie|będę|wolno mi)\b|\bprzepraszam\b|\bprzykro mi\b|(?:^|\s)muszę odmówić
# Dutch
\bik (?:kan|mag|zal)\b.{0,60}\bniet\b|\bhet spijt me\b
# Russian and Ukrainian
(?:^|\s)(?:я )?не (?:могу|можу|буду|в состоянии)(?:\s|[.,!]|$)|извините|вибачте|прошу прощения|к сожалению
# Japanese, Chinese, Korean
申し訳|できません|お手伝い(?:すること)?はでき|お応えでき|抱歉|对不起|對不起|(?:我)?(?:无法|無法|不能|不可以)|죄송|할 수 없|도와드릴 수
# Turkish
\b(?:üzgünüm|yardımcı olamam|yapamam)(?:\s|[.,]|$)
# Arabic, Hindi
عذر|آسف|لا أستطيع|لا يمكنني|क्षमा|नहीं कर सकता|माफ़
== unread anywhere answer
^[\W_]*(?:(?:this|it|the|all|your|everything|overall|i think|i reviewed|after)\b.{0,80})?\b(?:looks? (?:good|great|fine|ok|okay|solid|clean|correct|reasonable)|lgtm|ship it|all good|no (?:problems|complaints|objections|comments)|well done|great (?:job|work)|nice work|good to (?:go|merge))\b
^[\W_]*(?:i (?:approve|have no|see no|found no|find no|don't see any|did not find any|didn't find any)|approved?[\W_]*$|no (?:issues|problems|bugs|findings|concerns) (?:were|was|have been|to)\b)
`;

const phrases: readonly PhraseGroup[] = table
  .split('\n== ')
  .slice(1)
  .map(part => {
    const [head = '', ...lines] = part.split('\n');
    const [cause, where = '', ...among] = head.split(' ');
    const sources = lines.filter(line => line !== '' && !line.startsWith('# '));
    return {
      cause: Cause.parse(cause),
      where,
      among,
      patterns: sources.map(source => new RegExp(source)),
    };
  });

/** Bytes of UTF-8. */
const answerLimit = 4 * 1024 * 1024;

/** `prompt` is what was sent: a replacement character that stands there may be quoted. */
export function faultOfText(text: string, prompt: string): Rejection | null {
  if (text.length > answerLimit || (text.length * 3 > answerLimit && bytesOf(text) > answerLimit)) {
    return hasOpenFence(text)
      ? reject('truncated', 'The fence around the answer is never closed.')
      : reject('size', `The answer has more than ${answerLimit} bytes.`);
  }
  if (text.includes('\uFFFD') && !prompt.includes('\uFFFD'))
    return reject('encoding', 'The answer is not valid UTF-8.');
  if (isMostlyNul(text)) return reject('encoding', 'The answer looks like UTF-16.');
  return isLooping(text)
    ? reject(
        'loop',
        `The answer ends in ${JSON.stringify(text.trimEnd().slice(-60))}, over and over.`,
      )
    : null;
}

function hasOpenFence(text: string): boolean {
  const mark = /^\s{0,100}(```|~~~)/.exec(text.slice(0, 200))?.[1];
  return mark !== undefined && !text.trimEnd().slice(-200).includes(`\n${mark}`);
}

function isMostlyNul(text: string): boolean {
  if (!text.includes('\0')) return false;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === 0) count += 1;
  return count * 4 > text.length;
}

const tailLength = 1_500;
const unitLimit = 64;

function isLooping(text: string): boolean {
  const tail = text.trimEnd().slice(-tailLength);
  if (tail.length < tailLength) return false;
  // Read backwards, so that a piece of another text at the front of the tail costs nothing.
  const borders = bordersOf(tail.split('').toReversed());
  const length = borders.length;
  const period = length - (borders[length - 1] ?? 0);
  const unit = tail.slice(-period);
  // Lines that repeat are findings said again, which are counted once; a bar marks one of them. Brackets are nesting.
  return (
    period <= unitLimit &&
    !/[|[\]{}]/.test(unit) &&
    !/\S\s*\n\s*\S/.test(unit + unit.slice(0, 1)) &&
    /\S/.test(unit)
  );
}
