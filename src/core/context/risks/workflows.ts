/** What a change lets the project's automation do, or lets it pass over: rights, secrets, foreign steps, checks that no longer run. */
import { isWorkflow } from '../scope.ts';
import { type ChangedText, hasCode, type SideLine, type Stock, stockOf } from './changed-lines.ts';
import { oneForEach, quote, sayOthers, type Risk } from './risk.ts';

/** What one sentence fits is one risk: the first place is told, the others are counted. */
export function findWorkflows(texts: readonly ChangedText[]): Risk[] {
  const own = texts.filter(({ path, status }) => isWorkflow(path) && status !== 'deleted');
  const moved = stockOf(own.flatMap(({ removed }) => removed));
  const kept = own.flatMap(({ added }) => added.map(one => one.text)).join('\n');
  const signs = own.flatMap(text => [...comings(text, moved), ...goings(text, kept)]);
  return oneForEach(signs, sign => sign.what, riskOf);
}

interface Sign {
  readonly path: string;
  readonly line: SideLine;
  readonly what: string;
  readonly action: string | null;
}

const rules: readonly (readonly [what: string, pattern: RegExp, action: string | null])[] = [
  [
    'runs with the rights of the project on code of others',
    /^\s*(?:-\s*)?(?:pull_request_target|workflow_run)\b/,
    'Check that no step of it runs what the other side wrote',
  ],
  [
    'gives the workflow the right to write',
    /^\s*(?:permissions:\s*write-all|(?:actions|attestations|checks|contents|deployments|discussions|id-token|issues|packages|pages|pull-requests|repository-projects|security-events|statuses):\s*write)\b/,
    'Check which step needs that right',
  ],
  [
    'puts text that others wrote into a command',
    /\$\{\{\s*github\.(?:event\.(?:issue|pull_request|comment|review|head_commit|discussion)\.[\w.]*(?:title|body|message|ref|label|name|email)|head_ref)\b/,
    null,
  ],
  ['runs what it downloads', /\b(?:curl|wget)\b.{0,300}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b/, null],
  [
    'passes on when a step fails',
    /^\s*(?:-\s*)?continue-on-error:\s*true\b|^\s*allow_failure:\s*true\b/,
    null,
  ],
  [
    'hands secrets to a step',
    /\$\{\{\s*secrets\.(?!GITHUB_TOKEN\b)\w+|^\s*secrets:\s*inherit\b/,
    'Check which code sees that secret',
  ],
];

/** Of a key other than the command, or one word of a list. */
function isValue(text: string): boolean {
  return (
    /^\s*(?:-\s*)?(?!run:|script:)[\w-]+:\s/.test(text) ||
    !/[\s=]/.test(
      text
        .replace(/\$\{\{.*?\}\}/g, '')
        .replace(/^\s*(?:-\s*)?/, '')
        .trim(),
    )
  );
}

function comings({ path, added, removed: had }: ChangedText, moved: Stock): Sign[] {
  const lines = added.filter(line => hasCode(line) && !moved.take(line));
  const told = rules.flatMap(([what, pattern, action]) => {
    const found = lines.filter(
      line => pattern.test(line.text) && !(what.includes('into a command') && isValue(line.text)),
    );
    const before = had.filter(line => pattern.test(line.text)).length;
    const [first] = found;
    return first === undefined || found.length <= before
      ? []
      : [{ path, line: first, what, action }];
  });
  const foreign = lines.flatMap(line => {
    const step = stepIn(line.text);
    if (step === null || step.isPinned) return [];
    const old = had.map(one => stepIn(one.text)).find(one => one?.name === step.name);
    if (old === undefined || old === null)
      return [{ path, line, what: 'runs a foreign step that its owner can change', action: null }];
    return old.isPinned
      ? [{ path, line, what: 'no longer pins a foreign step to one commit', action: null }]
      : [];
  });
  return [...told, ...foreign.slice(0, 1)];
}

/** Steps of others than the host of the project itself. */
function stepIn(text: string): { readonly name: string; readonly isPinned: boolean } | null {
  const [, owner, name, reference] =
    /^\s*(?:-\s*)?uses:\s*["']?([\w.-]+)\/([\w./-]+)@([\w./-]+)/.exec(text) ?? [];
  return owner === undefined || name === undefined || /^(?:actions|github)$/.test(owner)
    ? null
    : { name: `${owner}/${name}`, isPinned: /^[0-9a-f]{40}$/.test(reference ?? '') };
}

/** What tests, lints or scans. */
const checks =
  /^\s*(?:-\s*)?(?:(?:run|script):\s*)?["']?(?:[A-Z_]+=\S+\s+)*(?:npx |bundle exec |python -m |poetry run |uv run |uvx |\.\/)?(?:npm (?:run )?(?:test|lint|check)|(?:yarn|pnpm|bun)(?: run)? (?:\w+ )?(?:test|lint|check)|pytest|tox|nox|cargo (?:test|clippy|audit|deny)|go (?:test|vet)|golangci-lint|gosec|govulncheck|mvn\b.*\b(?:test|verify)|gradlew?\b.*\b(?:test|check)|rake(?: test)?|rspec|rubocop|(?:vendor\/bin\/)?(?:phpunit|phpstan|psalm)|dotnet test|ctest|ruff|mypy|eslint|trivy|npm audit|pip-audit|zizmor|(?:make|just|task) [\w-]*(?:test|check|lint|vet)[\w-]*)(?:\s|["']|$)|\buses:.*codeql-action\/analyze\b/m;

/** The tool, or anything that checks, stands on a line that comes. */
function isStillNamed(check: string, kept: string): boolean {
  const tools = (check.match(/[a-z][\w-]{2,}/g) ?? []).filter(
    word =>
      !/^(?:npx|npm|pnpm|yarn|bun|run|uses|script|python|bundle|exec|poetry|uvx|cargo)$/.test(word),
  );
  return checks.test(kept) || tools.some(tool => new RegExp(`\\b${tool}\\b`).test(kept));
}

function goings({ path, removed }: ChangedText, kept: string): Sign[] {
  const line = removed.filter(hasCode).find(({ text: written }) => {
    const check = checks.exec(written)?.[0];
    return check !== undefined && !/\b(?:name|if):/.test(written) && !isStillNamed(check, kept);
  });
  return line === undefined
    ? []
    : [
        {
          path,
          line,
          what: `no longer runs (was line ${line.number})`,
          action: `Check what still runs ${quote(line.text.replace(/^\s*(?:-\s*)?(?:run:\s*)?/, ''))}`,
        },
      ];
}

function riskOf({ path, line, what, action }: Sign, others: readonly Sign[]): Risk {
  const number = line.newLine;
  return {
    kind: 'workflow',
    path,
    line: number,
    sentence: `${path}:${number} ${what}: ${quote(line.text)}${sayOthers(others)}`,
    evidence: [line.text],
    action: action === null ? null : `${action}: ${path}:${number}`,
  };
}
