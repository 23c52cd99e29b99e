/** What the category of a finding says about safety. Who stated it is another matter. */

export function isSecretCategory(category: string | null) {
  return /^secrets?$/i.test((category ?? '').trim());
}

/** Categories in which a built-in analyser states what can be attacked. */
export function isSecurityCategory(category: string | null) {
  return isSecretCategory(category) || (category ?? '').trim().toLowerCase() === 'security';
}

const secretWords = new RegExp(
  '\\b(?:secrets?|credentials?|passwords?|passphrases?|(?:api|access|private|signing|ssh|secret)[ _-]?keys?' +
    '|(?:access|api|auth|bearer|refresh|personal|session|web)[ _-]?tokens?|connection[ _-]?strings?)\\b',
  'i',
);
const exposureWords = new RegExp(
  'hard-?coded|hardcod|commit(?:s|ted)|checked in|leak|expos|plain ?text|clear ?text|in the clear|disclos' +
    '|embedded|(?:real|live|actual|valid|production) |\\b(?:stands?|contains?|holds?|includes?) ',
  'i',
);

/** Does a finding say that a secret lies open, in whatever category and under whatever label? In doubt it does. */
export function tellsOfSecret({
  category,
  text,
}: {
  readonly category: string | null;
  readonly text: string;
}) {
  return (
    secretWords.test((category ?? '').replaceAll(/[_-]/g, ' ')) ||
    (secretWords.test(text) && exposureWords.test(text))
  );
}
