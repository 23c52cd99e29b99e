/**
 * Credentials that are recognised by their own shape, whatever stands around them. Shapes are those the vendors print
 * in their documentation. Every pattern starts at a boundary, so that a long run of token characters is read once.
 */
interface TokenRule {
  readonly kind: string;
  /** Global; the first group is the secret when there is one, else the whole match. */
  readonly pattern: RegExp;
}

export const tokenRules: readonly TokenRule[] = [
  { kind: 'aws', pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  {
    kind: 'aws',
    pattern:
      /(?<![A-Za-z])aws.{0,20}?(?:secret|private).{0,24}?["'=: ]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  {
    kind: 'github',
    pattern: /(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/g,
  },
  { kind: 'gitlab', pattern: /(?<![A-Za-z0-9_-])gl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{20,}/g },
  { kind: 'anthropic', pattern: /(?<![A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{16,}/g },
  {
    kind: 'openai',
    pattern:
      /(?<![A-Za-z0-9_-])sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}|[A-Za-z0-9]{40,}(?![A-Za-z0-9_-]))/g,
  },
  { kind: 'google', pattern: /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  { kind: 'google', pattern: /(?<![A-Za-z0-9_-])GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g },
  { kind: 'slack', pattern: /(?<![A-Za-z0-9_-])xox[abeoprs]-[A-Za-z0-9-]{16,}/g },
  {
    kind: 'slack',
    pattern:
      /hooks\.slack\.com\/(?:services|workflows)\/(T[A-Za-z0-9]{6,}\/[A-Za-z0-9]{6,}\/[A-Za-z0-9]{16,})/g,
  },
  { kind: 'stripe', pattern: /(?<![A-Za-z0-9_])(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: 'stripe', pattern: /(?<![A-Za-z0-9_])whsec_[A-Za-z0-9]{24,}/g },
  { kind: 'npm', pattern: /(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { kind: 'npm', pattern: /:_(?:authToken|password)[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9_+/=-]{16,})/g },
  { kind: 'pypi', pattern: /(?<![A-Za-z0-9_-])pypi-AgE[A-Za-z0-9_-]{40,}/g },
  {
    kind: 'sendgrid',
    pattern: /(?<![A-Za-z0-9_-])SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/g,
  },
  { kind: 'twilio', pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g },
  { kind: 'telegram', pattern: /(?<![A-Za-z0-9_])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g },
  { kind: 'huggingface', pattern: /(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{34}(?![A-Za-z0-9])/g },
  { kind: 'digitalocean', pattern: /(?<![A-Za-z0-9_])do[opr]_v1_[a-f0-9]{64}/g },
  { kind: 'shopify', pattern: /(?<![A-Za-z0-9_])shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g },
  { kind: 'linear', pattern: /(?<![A-Za-z0-9_])lin_api_[A-Za-z0-9]{40}/g },
  { kind: 'vault', pattern: /(?<![A-Za-z0-9_])hv[bs]\.[A-Za-z0-9_-]{24,}/g },
  { kind: 'azure', pattern: /AccountKey=([A-Za-z0-9+/]{64,88}={0,2})/g },
  {
    kind: 'jwt',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}/g,
  },
];

/** What a person reads about a kind. Kinds without an entry are called by their name. */
export const kindLabels: Readonly<Record<string, string>> = {
  aws: 'an AWS key',
  github: 'a GitHub token',
  gitlab: 'a GitLab token',
  anthropic: 'an Anthropic API key',
  openai: 'an OpenAI API key',
  google: 'a Google credential',
  gcp: 'a Google service account key',
  slack: 'a Slack token',
  stripe: 'a Stripe key',
  npm: 'an npm token',
  jwt: 'a signed JSON web token',
  azure: 'an Azure storage key',
  'private-key': 'a private key',
  'basic-auth': 'a password inside a URL',
  password: 'a password or token in plain text',
  env: 'a credential in an environment file',
};

// Private key blocks, found by their marks without a pattern that could run away on hostile text.

const begin = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const longestKey = 16_384;

/** Half-open ranges. A mark with hardly any key behind it (code that looks for the mark) is left out. */
export function findPrivateKeys(
  text: string,
): { readonly start: number; readonly end: number; readonly kind: 'private-key' }[] {
  const found: { start: number; end: number; kind: 'private-key' }[] = [];
  let covered = 0;
  for (const match of text.matchAll(begin)) {
    if (match.index < covered) continue;
    const body = match.index + match[0].length;
    const stop = endOfKey(text, body);
    if (countKeyCharacters(text.slice(body, stop)) < 40) continue;
    found.push({ start: match.index, end: stop, kind: 'private-key' });
    covered = stop;
  }
  return found;
}

/** Behind the closing mark; without one, where the text stops looking like a key. */
function endOfKey(text: string, body: number): number {
  const window = text.slice(body, body + longestKey);
  const next = window.indexOf('-----BEGIN');
  const reach = next === -1 ? window : window.slice(0, next);
  end.lastIndex = 0;
  const closing = end.exec(reach);
  if (closing !== null) return body + closing.index + closing[0].length;
  return body + (/^(?:[A-Za-z0-9+/=\s\\-]|: )*/.exec(reach)?.[0].trimEnd().length ?? 0);
}

function countKeyCharacters(text: string): number {
  return text.replace(/\\[nr]|[^A-Za-z0-9+/=]/g, '').length;
}
