/** Ways of values in Go: net/http, Gin, Echo, Chi, archives. */
import type { FlowTable } from './table.ts';

export const goFlow: FlowTable = {
  language: 'go',
  grammars: ['go'],
  sources: [
    {
      of: 'call',
      text: /^(?:r|req|request)\.(?:FormValue|PostFormValue|PathValue|URL\.Query|Cookie|UserAgent|Referer)$/,
    },
    { of: 'value', text: /^(?:r|req|request)\.(?:Form|PostForm|URL\.RawQuery)$/ },
    {
      of: 'call',
      text: /^(?:r|req|request)\.Header\.Get$/,
      only: ['sql', 'shell', 'path', 'redirect', 'page', 'markup'],
    },
    {
      of: 'call',
      text: /^(?:c|ctx|context)\.(?:Query|Param|PostForm|DefaultQuery|QueryParam|FormValue|GetHeader|Params|Cookie)$/,
    },
    { of: 'call', text: /^(?:chi\.URLParam|mux\.Vars)$/ },
    {
      of: 'value',
      text: /^(?:[rz]|z[rf]|\w*(?:reader|Reader|zip|Zip|archive|Archive)\w*)\.File$/,
      only: ['path'],
    },
  ],
  sinks: [
    {
      of: 'call',
      kind: 'sql',
      name: /\.(?:Query|QueryRow|Exec|Prepare|Raw|Queryx|MustExec|Where|Order|Having|Select)$/,
    },
    {
      of: 'call',
      kind: 'sql',
      name: /\.(?:QueryContext|QueryRowContext|ExecContext|PrepareContext|Get|SelectContext)$/,
      argument: 1,
    },
    {
      of: 'call',
      kind: 'shell',
      name: /^exec\.Command(?:Context)?$/,
      when: /\(\s*(?:\w+\s*,\s*)?["`](?:\/bin\/|\/usr\/bin\/)?(?:ba|z|da)?sh["`]\s*,\s*["`]-\w*c|["`]cmd(?:\.exe)?["`]\s*,\s*["`]\/[cC]/,
      argument: 'any',
    },
    { of: 'call', kind: 'shell', name: /^(?:exec\.Command|syscall\.Exec|os\.StartProcess)$/ },
    {
      of: 'call',
      kind: 'path',
      name: /^(?:os|ioutil)\.(?:Open|OpenFile|Create|ReadFile|WriteFile|Remove|RemoveAll|Mkdir|MkdirAll|ReadDir|Rename)$/,
    },
    { of: 'call', kind: 'path', name: /^http\.ServeFile$/, argument: 2 },
    { of: 'call', kind: 'path', name: /^(?:c|ctx)\.(?:File|FileAttachment|Attachment)$/ },
    { of: 'call', kind: 'redirect', name: /^http\.Redirect$/, argument: 2 },
    { of: 'call', kind: 'redirect', name: /^(?:c|ctx)\.Redirect$/, argument: 1 },
    {
      of: 'call',
      kind: 'request',
      name: /^(?:http|client|httpClient)\.(?:Get|Head|Post|PostForm)$/,
    },
    { of: 'call', kind: 'request', name: /^http\.NewRequest$/, argument: 1 },
    { of: 'call', kind: 'request', name: /^http\.NewRequestWithContext$/, argument: 2 },
    {
      of: 'call',
      kind: 'page',
      name: /^fmt\.Fprint(?:f|ln)?$/,
      argument: 'any',
      when: /\(\s*(?:w|rw|writer|res)\s*,[^]*<[a-z]/i,
    },
    { of: 'call', kind: 'markup', name: /^(?:io\.WriteString|w\.Write)$/, argument: -1 },
    { of: 'call', kind: 'markup', name: /^(?:c|ctx)\.(?:HTML|HTMLBlob)$/, argument: 1 },
    { of: 'call', kind: 'page', name: /^template\.(?:HTML|JS|URL|HTMLAttr|CSS)$/ },
    { of: 'call', kind: 'directory', name: /^ldap\.NewSearchRequest$/, argument: 'any' },
  ],
  carriers:
    /^(?:fmt\.Sprint(?:f|ln)?|string|\[\]byte|strings\.(?:TrimSpace|Join|ToLower|ToUpper|Trim\w*)|filepath\.(?:Join|Abs|FromSlash)|path\.Join|url\.QueryUnescape|url\.PathUnescape|append)$/,
  cleaners: [
    {
      name: /^(?:strconv\.\w+|len|int\d*|uint\d*|float\d*|bool|uuid\.\w+|net\.ParseIP|netip\.\w+|time\.Parse\w*|hash\.\w+|sha\d+\.\w+|strings\.(?:HasPrefix|HasSuffix|Contains|Index|EqualFold|Split\w*|Replace\w*|Map|Count))$/,
    },
    {
      name: /(?:^|[._])(?:[sS]anit|[vV]alid|[sS]afe|[cC]lean[A-Z]|[aA]llow|[cC]heck|[vV]erify|[eE]scape|[qQ]uote|[sS]lug)\w*$|\.\w*(?:Escape|Validate|Sanitize)\w*$/,
    },
    { name: /^(?:filepath|path)\.(?:Base|Rel|IsLocal)$/, against: ['path'] },
    { name: /^filepath\.Clean$|^path\.Clean$/, isGuess: true },
  ],
};
