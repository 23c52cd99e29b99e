/** What a file of the scope is, by its path and the lines that changed: decides who has it in the domain and when it is read. */

export interface ScopeFile {
  readonly path: string;
  /** Added and removed lines, without their marks. */
  readonly changedLines: readonly string[];
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
  /(?:^|\/)(?:tests?|specs?|__tests__|testdata|fixtures)\/|(?:^|\/)test_[^/]*$|[._-](?:test|spec)\.[^/]*$|Tests?\.(?:java|cs|kt)$/i;
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

export function kindsOf({ path, changedLines }: ScopeFile): ReadonlySet<FileKind> {
  const isTest = testPath.test(path);
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
  return manifestName.test(path.slice(path.lastIndexOf('/') + 1));
}
