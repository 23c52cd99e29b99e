/**
 * What a path, and the lines that changed below it, say about a file. Hints only: they lower a severity, keep a rule
 * quiet or order the reading; they never hide a file.
 */
import { familyOf } from './languages.ts';
import { isLockfile } from './lockfiles.ts';

export function isTestPath(path: string): boolean {
  return (
    /(?:^|\/)(?:tests?(?:-d)?|__tests__|specs?|testing|(?!(?:con|de|fas|grea|la|pro)test\/|attest\/)\w{1,12}test|test[-_]?(?:utils?|helpers?|support)|e2e|cypress|testdata|__mocks__|mocks?|fixtures?|__fixtures__|__snapshots__)\//i.test(
      path,
    ) ||
    testFolder.test(path) ||
    testFile.test(path) ||
    /(?:[._-](?:test|spec|e2e|cy)s?(?:-d)?\.[A-Za-z]+|_test\.go|_spec\.rb)$/.test(path) ||
    /(?:^|\/)(?:(?:test_[^/]*|conftest)\.py|(?:tests?|specs?)\.(?:[cm]?[jt]sx?|py|rs|rb)|\.env\.(?:test|testing|ci))$/.test(
      path,
    )
  );
}

/**
 * `UnitTests/`, `Shop.Tests/`, `paymentTests/`, `Shop.TestFramework/`, `reg-tests/`: the last word of a folder, whatever the
 * language; `t/`, as Perl has it.
 */
const testFolder =
  /[\w.-]Tests?\/|(?:^|\/)(?!(?:a-?b|split)[-_]test)[a-z]+[-_]tests?\/|(?:^|[/.])Test(?:s|ing|Framework|Utils|Utilities|Helpers|Support|Kit|Common|Data|Doubles|Infrastructure)\/|^t\//;
const testFile = /Tests?\.(?:java|kt|cs|php|swift|scala|groovy|fs|cc|cpp|cxx|mm?)$/;

export function isFixturePath(path: string): boolean {
  return /(?:^|\/)(?:testdata|tests?\/data|__mocks__|fixtures?|__fixtures__|__snapshots__|golden)\/|\.snap$/i.test(
    path,
  );
}

export function isDocumentPath(path: string): boolean {
  return /\.(?:md|mdx|markdown|rst|adoc|txt|html?)$/i.test(path) || /(?:^|\/)docs?\//i.test(path);
}

/** Examples, demonstrations and samples. */
export function isExamplePath(path: string): boolean {
  return (
    /(?:^|\/)(?:examples?|samples?|demos?|tutorials?|playground)\//i.test(path) ||
    /(?:example|sample|template)(?:\.[A-Za-z]+)?$/i.test(path)
  );
}

/** Code that talks to a terminal or serves the project itself: printing is its work. */
export function isToolPath(path: string): boolean {
  return (
    /(?:^|\/)(?:bin|cli|cmd|scripts?|tools?|hack(?:ing)?|bench(?:marks?)?|build|ci|\.github|tasks?|commands?|(?:[\w-]{1,40}-)?examples?|demos?|docs?|config)\//i.test(
      path,
    ) ||
    /(?:^|\/)(?:cli|main|[^/]*\.conf(?:ig)?|gulpfile|Gruntfile|[^/]*logg(?:er|ing)[^/]*|[^/]*-cli)\.[A-Za-z]+$/i.test(
      path,
    )
  );
}

/** Programs that people of the project run on their own machines, with input of their own. */
export function isScriptPath(path: string): boolean {
  return /(?:^|\/)(?:scripts?|tools?|build|ci|\.github|bench(?:marks?)?|migrations?|hack|release)\/|(?:^|\/)(?:build|release|publish|gulpfile|Gruntfile|Makefile|Jakefile|noxfile|fabfile|setup)\.[a-z]+$/i.test(
    path,
  );
}

/**
 * All that is made of a path here, as one text: a file that has the same by its old name was merely moved. What configures something
 * does so for the folder it lies in, and so does what lies in a folder of a tool.
 */
export function roleOf(path: string): string {
  const kinds = kindsOf({ path });
  const folder =
    kinds.has('manifest') || kinds.has('configuration') ? /^.*\// : /^(?:.*\/)?\.[^/]+\//;
  return JSON.stringify([
    /\.[^./]*$/.exec(path)?.[0].toLowerCase(),
    folder.exec(path)?.[0],
    familyOf(path),
    [...kinds],
    [isTestPath, isFixturePath, isDocumentPath, isExamplePath, isToolPath, isScriptPath].map(isSo =>
      isSo(path),
    ),
  ]);
}

/** What a file of the scope is, by its path and the lines that changed: decides who has it in the domain and when it is read. */
export interface ScopeFile {
  readonly path: string;
  /** Added and removed lines, without their marks; default: none is known. */
  readonly changedLines?: readonly string[];
}

export type FileKind =
  | 'code'
  | 'test'
  | 'documentation'
  | 'manifest'
  | 'configuration'
  | 'public-api'
  | 'command-line'
  | 'entry-point';

const codeEnding =
  /\.(?:[cm]?[jt]sx?|py|go|java|rb|rs|c|h|cc|cpp|cxx|hpp|cs|php|kt|kts|swift|scala|sh|bash|zsh|ps1|pl|lua|sql|vue|svelte|dart|ex|exs|erl|hs|clj|groovy|m|mm|zig|html?|css|scss|tf)$/i;
const configurationEnding =
  /\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf|properties|xml|env|plist|gradle)$|(?:^|\/)(?:\.[^/]*rc|\.env[^/]*|Dockerfile[^/]*|Makefile)$/i;
const documentationPath = /^docs\/|\/docs\/|\.(?:md|mdx|rst|adoc)$|(?:^|\/)README[^/]*$/i;
const manifestName =
  /^(?:package\.json|go\.mod|Cargo\.toml|requirements[^/]*\.txt|pyproject\.toml|pom\.xml|[^/]*\.lock|package-lock\.json|go\.sum)$/;
const testPath =
  /(?:^|\/)(?:tests?(?:-d)?|specs?|__tests__|testdata|fixtures)\/|(?:^|\/)(?:test_[^/]*|(?:tests?|specs?)\.(?:[cm]?[jt]sx?|py|rs|rb))$|[._-](?:test|spec)(?:-d)?\.[^/]*$/i;
const entryPointPath =
  /(?:^|\/)(?:[^/]*(?:handlers?|controllers?|routes?|routers?)[^/]*)(?:\/|$)|(?:^|\/)main(?:\.[^/]*)?$/i;
const publicPath =
  /(?:^|\/)(?:index\.[cm]?[jt]sx?|__init__\.py|lib\.rs|mod\.rs)$|(?:^|\/)(?:api|openapi|swagger)[./]|\.(?:proto|graphql|d\.ts)$/i;
const commandLinePath = /(?:^|\/)(?:cli|bin|cmd|commands?)(?:\/|\.[^/]*$)/i;
const schemaPath =
  /(?:^|\/)(?:[^/]*schema[^/]*\.(?:json|ya?ml|ts|js|py)|config\.[^/]*|[^/]*\.config\.[^/]*)$/i;

const publicLine =
  /^\s{0,40}(?:export\b|module\.exports\b|exports\.|pub (?:fn|struct|enum|trait|mod|const|type)\b|public\b|func (?:\([^)]{0,80}\) ?)?[A-Z]|type [A-Z])/;
const commandLineLine =
  /\.option\(|\.addOption\(|add_argument\(|@click\.option|flag\.(?:String|Int|Bool|Duration|Var)|\bStringVarP?\(|#\[arg\(/;

export function kindsOf({ path, changedLines = [] }: ScopeFile): ReadonlySet<FileKind> {
  const isTest = testPath.test(path) || testFolder.test(path) || testFile.test(path);
  const isCode = codeEnding.test(path);
  const kinds: readonly (readonly [FileKind, boolean])[] = [
    ['test', isTest],
    ['code', isCode],
    ['documentation', documentationPath.test(path)],
    ['manifest', isManifest(path)],
    ['configuration', configurationEnding.test(path) || schemaPath.test(path)],
    ['entry-point', !isTest && entryPointPath.test(path)],
    // What a test exports or calls is nobody's interface.
    [
      'public-api',
      !isTest &&
        (publicPath.test(path) || (isCode && changedLines.some(line => publicLine.test(line)))),
    ],
    [
      'command-line',
      !isTest &&
        isCode &&
        (commandLinePath.test(path) || changedLines.some(line => commandLineLine.test(line))),
    ],
  ];
  return new Set(kinds.filter(([, holds]) => holds).map(([kind]) => kind));
}

export function isGo(path: string): boolean {
  return path.endsWith('.go');
}

export function isConfigurationSchema(path: string): boolean {
  return schemaPath.test(path);
}

function isManifest(path: string): boolean {
  return manifestName.test(path.slice(path.lastIndexOf('/') + 1)) || isLockfile(path);
}
