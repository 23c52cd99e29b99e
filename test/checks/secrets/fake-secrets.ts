/**
 * Made-up credentials of every kind the scanner knows, put together when the test runs: nothing in this file looks like
 * a credential to a scanner that reads it.
 */
const letters = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU0vW1xY';

/** `length` characters that look random and are the same in every run. */
export function scramble(length: number, alphabet: string = letters): string {
  return Array.from(
    { length },
    (_, index) => alphabet[(index * 7 + (index >> 2) * 5 + 3) % alphabet.length],
  ).join('');
}

const hex = (length: number) => scramble(length, '0f1e2d3c4b5a6978');
const upper = (length: number) => scramble(length, 'QWERTYUIOPASDFGHJKLZXCVBNM234567');
const digits = (length: number) => scramble(length, '8172635490');

export const fakeSecrets: readonly (readonly [kind: string, secret: string])[] = [
  ['aws', `AKIA${upper(16)}`],
  ['aws', `ASIA${upper(16)}`],
  ['github', `ghp_${scramble(36)}`],
  ['github', `gho_${scramble(36)}`],
  ['github', `ghs_${scramble(36)}`],
  ['github', `github_pat_${scramble(22)}_${scramble(59)}`],
  ['gitlab', `glpat-${scramble(20)}`],
  ['anthropic', `sk-ant-api03-${scramble(93)}AA`],
  ['openai', `sk-proj-${scramble(48)}`],
  ['google', `AIza${scramble(35)}`],
  ['slack', `xoxb-${digits(12)}-${digits(13)}-${scramble(24)}`],
  ['slack', `xoxp-${digits(12)}-${digits(12)}-${hex(32)}`],
  ['stripe', `sk_live_${scramble(24)}`],
  ['stripe', `rk_live_${scramble(24)}`],
  ['npm', `npm_${scramble(36)}`],
  ['pypi', `pypi-AgEIcHlwaS5vcmc${scramble(60)}`],
  ['sendgrid', `SG.${scramble(22)}.${scramble(43)}`],
  ['twilio', `SK${hex(32)}`],
  ['telegram', `${digits(9)}:AA${scramble(33)}`],
  ['huggingface', `hf_${scramble(34)}`],
  ['digitalocean', `dop_v1_${hex(64)}`],
  ['shopify', `shpat_${hex(32)}`],
  ['linear', `lin_api_${scramble(40)}`],
  ['vault', `hvs.${scramble(24)}`],
  ['jwt', `eyJ${scramble(20)}.eyJ${scramble(40)}.${scramble(43)}`],
];

export const fakePrivateKey = [
  '-----BEGIN RSA PRIVATE',
  ' KEY-----\n',
  `${scramble(64)}\n`.repeat(6),
  '-----END RSA PRIVATE',
  ' KEY-----',
].join('');
