/** Where GitHub is: github.com, or the server that the environment names, as GitHub Actions sets it. */
import { UserError } from '../errors.ts';
import { makeVisible } from '../safety/visible-text.ts';
import { isOnLoopback } from '../words/isolation.ts';

export interface Service {
  /** Without a slash at the end: `https://github.com`, `https://api.github.com`. */
  readonly server: string;
  readonly api: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `UserError` (kind `usage`) for an address that no token may be sent to. */
export function serviceOf({ GITHUB_SERVER_URL, GITHUB_API_URL }: Environment): Service {
  const api = addressOf('GITHUB_API_URL', GITHUB_API_URL);
  const server =
    addressOf('GITHUB_SERVER_URL', GITHUB_SERVER_URL) ??
    (api === null ? 'https://github.com' : serverOf(api));
  return {
    server,
    api:
      api ?? (cloud.test(server) ? server.replace('https://', 'https://api.') : `${server}/api/v3`),
  };
}

/** github.com, and the subdomains of ghe.com where companies keep their data, have the API at a host of its own. */
const cloud = /^https:\/\/(?:github\.com|[\w-]+\.ghe\.com)$/;
const cloudApi = /^https:\/\/api\.(github\.com|[\w-]+\.ghe\.com)$/;

function serverOf(api: string) {
  const host = cloudApi.exec(api)?.[1];
  return host === undefined ? new URL(api).origin : `https://${host}`;
}

/** Null where nothing is set. */
function addressOf(name: string, text: string | undefined) {
  if (text === undefined || text.trim() === '') return null;
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isOnLoopback(url.href));
  if (url && isSafe && url.username === '' && url.search === '' && url.hash === '')
    return url.href.replace(/\/+$/, '');
  throw new UserError(`${name}: "${makeVisible(text)}" is no address by https.`, {
    kind: 'usage',
    hint: 'Set it as GitHub Actions does, such as https://github.example.org/api/v3.',
  });
}

/** Where git finds a repository of the service. */
export function cloneAddress({ server }: Service, repository: string) {
  return `${server}/${repository}.git`;
}
