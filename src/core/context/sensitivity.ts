/** Which files a security reviewer must read, and the rule that says so. A file too many costs tokens; one too few costs the promise. */
import picomatch from 'picomatch';
import type { ScopeFile } from '../languages/file-kinds.ts';

const words = ['auth', 'login', 'session', 'token', 'secret', 'password', 'credential', 'crypto', 'cipher', 'permission', 'acl', 'oauth', 'jwt', 'payment'] as const;

const globs = [
  '**/*.pem', '**/*.key', '**/.env*', '**/plugin.json', '**/mcp-*.{json,yaml,yml}', '**/hooks/**', '**/hooks.json', '**/*{authorization,capability,interlock}*.{json,yaml,yml}',
] as const;

const workflowGlobs = [
  '**/.{github,gitea,forgejo}/workflows/**', '**/.{circleci,buildkite,woodpecker,ci}/**', '**/.{gitlab-ci,travis,drone,woodpecker,appveyor}.{yml,yaml}',
  '**/{azure-pipelines,bitbucket-pipelines,appveyor,cloudbuild}*.{yml,yaml}', '**/Jenkinsfile*',
] as const;

/** A line matches when it matches every pattern. Gaps inside one are bounded: a line may be megabytes long. */
const lineRules: readonly (readonly [what: string, ...patterns: RegExp[]])[] = [
  ['starts a process', /child_process|\bsubprocess\b|\bos\.(?:system|popen|exec[lv]|spawn)|\bexec\.Command|\bProcess\.Start\b|\bProcessBuilder\b|\bgetRuntime\b|\bCommand::new\b|(?<![\w.])(?:execa?|execSync|execFile|execFileSync|spawn|spawnSync|popen|proc_open|shell_exec|passthru|system|fork)\(/],
  ['builds SQL', /\b(?:select\b.{1,200}\bfrom|insert {1,4}into|update\b.{1,100}\bset|delete {1,4}from)\b/i, /\$\{|\{[a-z_]|["'`] {0,4}(?:\+|\.|\|\||%)|%[sdv]|\.format\(/],
  ['builds shell text', /\b(?:sh|bash|zsh|cmd|powershell|pwsh)(?:\.exe)?["']?,? {0,4}["']?(?:-c|\/c|-Command)\b|\bshell {0,4}[:=] {0,4}(?:true|True)\b/],
  ['parses untrusted input', /\bJSON\.parse\(|\byaml\.(?:unsafe_)?load|\bpickle\.|\bmarshal\.loads?\(|\bunserialize\(|\bdeseriali[sz]e|\bObjectInputStream\b|\bUnmarshal\(|\bDOMParser\b|\bparse_qs\(|(?<![\w.])eval\(|\bnew Function\(|\binnerHTML\b|\breq(?:uest)?\.(?:body|query|params|args|form|json|cookies|headers)\b|\$_(?:GET|POST|REQUEST|COOKIE)\b|\bFormValue\(/],
  ['compares secrets', /(?:password|passwd|secret|token|api_?key|signature|hmac|digest)\w{0,40}(?:\(\))? {0,4}(?:[!=]==?|\.equals\()|[!=]==? {0,4}[\w.]{0,60}(?:password|passwd|secret|token|api_?key|signature|hmac|digest)/i],
];

const matchesBuiltin = globs.map(glob => ({ glob, matches: picomatch(glob, { dot: true, nocase: true }) }));
const isWorkflow = picomatch([...workflowGlobs], { dot: true, nocase: true });

/** `reason` names the rule; null: not sensitive. */
export type Sensitivity = { readonly sensitive: true; readonly reason: string } | { readonly sensitive: false; readonly reason: null };

/** `further`: globs of the configuration. The first rule that matches is the reason. */
export function judgeSensitivity(file: ScopeFile, further: readonly string[] = []): Sensitivity {
  const reason = byWord(file.path) ?? byGlob(file.path) ?? byConfiguration(file.path, further) ?? byLine(file.changedLines);
  return reason === null ? { sensitive: false, reason: null } : { sensitive: true, reason };
}

function byWord(path: string): string | null {
  for (const segment of path.split('/')) {
    const word = words.find(candidate => segment.toLowerCase().includes(candidate));
    if (word !== undefined) return `path segment "${segment}" contains "${word}"`;
  }
  return null;
}

function byGlob(path: string): string | null {
  const hit = matchesBuiltin.find(({ matches }) => matches(path));
  if (hit) return `path matches ${hit.glob.replace(/^\*\*\//, '')}`;
  return isWorkflow(path) ? 'path is a CI workflow' : null;
}

function byConfiguration(path: string, further: readonly string[]): string | null {
  const glob = further.find(candidate => picomatch(candidate, { dot: true })(path));
  return glob === undefined ? null : `path matches ${glob} of the configuration`;
}

function byLine(lines: readonly string[]): string | null {
  const hit = lineRules.find(([, ...patterns]) => lines.some(line => patterns.every(pattern => pattern.test(line))));
  return hit === undefined ? null : `a changed line ${hit[0]}`;
}
