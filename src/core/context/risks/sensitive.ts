/** Secrets on added lines, and changed code that a security reviewer has to read, by what it does or by what its path is about. */
import { isExamplePath, isScriptPath } from '../../languages/path-kinds.ts';
import { judgeSensitivity } from '../scope.ts';
import {
  bare,
  type ChangedText,
  hasCode,
  isProgram,
  type SideLine,
  type Stock,
  stockOf,
} from './changed-lines.ts';
import { oneForEach, quote, sayOthers, type Risk, type RiskMaterial } from './risk.ts';

export function findSecrets({ secrets }: RiskMaterial): Risk[] {
  return secrets.map(({ path, line }) => ({
    kind: 'secret' as const,
    path,
    line,
    sentence: `${path}:${line} adds a secret`,
    evidence: [`${path}:${line}`],
    action: `Have the secret of ${path}:${line} withdrawn where it was issued; taking the line out does not help`,
  }));
}

/** Files that one rule names are one risk: the first is told, the others are counted. */
export function findSensitive(texts: readonly ChangedText[]): Risk[] {
  const moved = stockOf(texts.filter(isProduct).flatMap(({ removed }) => removed));
  const signs = texts.map(text =>
    isProduct(text) ? (byLine(text, moved) ?? byPath(text)) : byGlob(text),
  );
  return oneForEach(
    signs.filter(sign => sign !== null),
    sign => sign.group,
    riskOf,
  );
}

interface Sign {
  readonly path: string;
  readonly line: SideLine;
  /** What is said of the place. */
  readonly what: string;
  readonly group: string;
}

function riskOf({ path, line, what }: Sign, others: readonly Sign[]): Risk {
  return {
    kind: 'sensitive',
    path,
    line: line.newLine,
    sentence: `${path}:${line.newLine} ${what}: ${quote(line.text)}${sayOthers(others)}`,
    evidence: [line.text],
    action: null,
  };
}

/** Programs: not tests, documents, samples, pages, or what people run on their own machines. */
function isProduct(text: ChangedText): boolean {
  const { path, status } = text;
  return status !== 'deleted' && isProgram(text) && !isExamplePath(path) && !isScriptPath(path);
}

/** What is dangerous where its input comes from elsewhere. Gaps are bounded: a line may be long. */
const sinks: readonly (readonly [what: string, ...patterns: RegExp[]])[] = [
  [
    'starts a process',
    /\bchild_process\.\w+\(|\bsubprocess\.(?:run|Popen|call|check_\w+|get\w+)\(|\bos\.(?:system|popen|exec[lv]\w*|spawn\w*)\(|\bexec\.Command(?:Context)?\(|\bProcess\.Start\(|\bnew ProcessBuilder\(|\bgetRuntime\(\)\.exec\(|\bCommand::new\("|(?<![\w.$])(?:execSync|execFile|execFileSync|spawnSync|proc_open|shell_exec|passthru|popen)\(/,
  ],
  [
    'puts SQL together',
    /["'`]\s*(?:select\b.{1,200}\bfrom\b|insert {1,4}into\b|update\b.{1,100}\bset\b|delete {1,4}from\b)/i,
    /\$\{|["'`] {0,4}(?:\+|\.(?! ?(?:format|join))|\|\|) {0,4}[\w$(]|["'] {0,2}% {0,2}[\w(]|\.format\(|\bf["'].*\{/,
  ],
  [
    'runs a shell',
    /\bshell {0,4}[:=] {0,4}(?:true|True)\b|["'](?:sh|bash|cmd|powershell)["'],\s*["'](?:-c|\/c)["']/,
  ],
  [
    'runs text as code',
    /(?<![\w.$"'])eval\((?!\))|\bnew Function\(|\bvm\.runIn\w+\(|\bClassLoader\b.{0,40}\bdefineClass\(/,
  ],
  [
    'reads objects from text',
    /\byaml\.(?:unsafe_load|load)\((?!.{0,200}Safe)|\bYAML\.(?:unsafe_load|load)\(|\bc?[pP]ickle\.loads?\(|\bmarshal\.loads?\(|\bMarshal\.load\(|(?<![\w>:$])unserialize\(|\bnew ObjectInputStream\(|\bBinaryFormatter\b/,
  ],
  [
    'writes markup that is not escaped',
    /\.(?:inner|outer)HTML {0,4}\+?=(?!=)(?! {0,4}["'`]{2})|\bdangerouslySetInnerHTML\b|\bmark_safe\(|\.html_safe\b|\bv-html=|\btemplate\.HTML\(|\|\s*safe\b|\bdocument\.write\(/,
  ],
  [
    'turns the check of certificates off',
    /\bInsecureSkipVerify\s*:\s*true|\brejectUnauthorized\s*:\s*false|\bverify\s*=\s*False\b|\bVERIFY_NONE\b|\bCERT_NONE\b|\bdanger_accept_invalid_certs\(true|CURLOPT_SSL_VERIFY(?:PEER|HOST)\s*(?:,|=>)\s*(?:false|0)\b|NODE_TLS_REJECT_UNAUTHORIZED/,
  ],
  [
    'compares a secret in a time that tells how much of it was right',
    /(?<![\w.])@?[\w.]{0,40}(?:password|passwd|secret|signature|hmac|digest|(?:csrf|auth|access|api)_?token|api_?key)(?:\(\))? {0,4}[!=]==? {0,4}@?[a-z_][\w.@]{2,}(?![\w.]*\()/i,
  ],
  ['opens files to everybody', /\bchmod\w*\([^)]{0,80}\b0?o?777\b|\bumask\(0+\)/],
];
/** Against nothing, or a literal, no secret is compared. */
const compared =
  /[!=]==? {0,4}(?:null|nil|none|undefined|true|false|this\.\w+\.length)\b|\btypeof\b|\.length\b/i;

function byLine({ path, removed, added }: ChangedText, moved: Stock): Sign | null {
  for (const [what, ...patterns] of sinks) {
    const does = ({ text: line, code }: SideLine): boolean =>
      line.length < 1_000 &&
      /\w/.test(code) &&
      !/^\s*(?:import|from|use|using|require)\b/.test(code) &&
      patterns.every(pattern => pattern.test(line)) &&
      !(
        what.startsWith('compares') &&
        (compared.test(line) ||
          /[!=]==? {0,4}[\w.]*[A-Z][A-Z_]+\b/.test(line) ||
          !/[!=]=/.test(code))
      );
    const had = removed.filter(does).length;
    const has = added.filter(does);
    const line = has.find(one => !moved.take(one));
    // As many went as came: the place was like that before.
    if (line !== undefined && has.length > had) return { path, line, what, group: what };
  }
  return null;
}

/** Its path is about who may do what, and what a program does there is another. */
function byPath({ path, family, removed, added }: ChangedText): Sign | null {
  if (family === null) return null;
  const { reason } = judgeSensitivity({ path: path.replace(innocent, '') });
  const word = /contains "(\w+)"/.exec(reason ?? '')?.[1];
  if (word === undefined) return null;
  const before = stockOf(removed, ({ code }) => bare(code));
  const changed = added.filter(one => acts(one) && !before.take(one));
  const after = new Set(added.map(({ code }) => bare(code)));
  const gone = removed.filter(one => acts(one) && !after.has(bare(one.code)));
  const all = [...changed, ...gone];
  const line = all.find(({ code }) => weighty.test(code));
  if (line === undefined) return null;
  return {
    path,
    line,
    what: `${changed.includes(line) ? 'changes' : 'loses'} what is security-sensitive by its name (${word})`,
    group: word,
  };
}

/** Keys, and settings that programs take from their surroundings: no code, and read by nobody else. */
function byGlob({ path, status, family, kinds, added, removed }: ChangedText): Sign | null {
  const { reason } = judgeSensitivity({ path });
  const line = [...added, ...removed].find(hasCode);
  return status === 'deleted' ||
    family !== null ||
    kinds.has('test') ||
    isExamplePath(path) ||
    line === undefined ||
    !/^path matches (?:\*\.(?:pem|key)|\.env)/.test(reason ?? '')
    ? null
    : { path, line, what: 'changes what programs take from their surroundings', group: 'glob' };
}

/** Imports, lone brackets, and declarations for readers do nothing. */
function acts({ code }: SideLine): boolean {
  return (
    /\w/.test(code) &&
    !/^\s*(?:import|from|use|using|require\w*|include|package|namespace|export \{|@\w+\s*$|#\[)/.test(
      code,
    ) &&
    !/^\s*(?:end|else|pass|try|return;?|\}.*|\w+)\s*[{:]?\s*$/.test(code)
  );
}

const weighty =
  /cookie|token|passw|secret|\bkeys?\b|session|\bsign(?:ed|ature|ing)?\b|hash(?:ed|ing|_)|digest|verif|(?<!version_)compare|\bauth(?!ors?\b)|secure|expir|permission|author|authent|allow|den(?:y|ied)|\broles?\b|\badmin|\busers?\b|credential|csrf|redirect|same_?site|challenge|nonce/i;

/** Words that only look like those of the rules. */
const innocent =
  /authors?(?![a-z])|oracle|miracle|obstacle|spectacle|(?:templates?|locales?|translations?|i18n)\/.*|(?<!(?:access|refresh|auth|api|csrf|jwt|bearer|session|reset|login|id)[-_]?)token/gi;
