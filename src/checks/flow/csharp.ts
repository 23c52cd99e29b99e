/** Ways of values in C#: ASP.NET. */
import type { FlowTable } from './table.ts';

export const csharpFlow: FlowTable = {
  language: 'csharp',
  grammars: ['c_sharp'],
  sources: [
    {
      of: 'value',
      text: /^(?:this\.|HttpContext\.|context\.|ctx\.)?(?:Request|request)\.(?:Query|Form|QueryString|Params|Cookies|Headers|RouteValues)$/,
    },
    { of: 'value', text: /^Request$/, only: ['sql', 'shell', 'redirect', 'markup'] },
    {
      of: 'parameter',
      text: /^\[From(?:Query|Route|Form|Body|Header)\b[^\]]*\]\s*string\??\s+\w+/,
    },
  ],
  sinks: [
    {
      of: 'call',
      kind: 'sql',
      name: /^new (?:\w+\.)*(?:Sql|MySql|Npgsql|Sqlite|SQLite|OleDb|Odbc|Oracle)(?:Command|DataAdapter)$/,
    },
    {
      of: 'call',
      kind: 'sql',
      name: /\.(?:FromSqlRaw|ExecuteSqlRaw|ExecuteSqlRawAsync|SqlQueryRaw|ExecuteSqlCommand|SqlQuery|Query|QueryAsync|Execute|ExecuteAsync|QueryFirst\w*|QuerySingle\w*)(?:<[^>]*>)?$/,
    },
    { of: 'target', kind: 'sql', name: /\.CommandText$/ },
    {
      of: 'call',
      kind: 'shell',
      name: /(?:^|\.)Process\.Start$|^new (?:\w+\.)*ProcessStartInfo$/,
      argument: 'any',
    },
    { of: 'target', kind: 'shell', name: /\.(?:Arguments|FileName)$/ },
    {
      of: 'call',
      kind: 'path',
      name: /(?:^|\.)(?:File|Directory)\.(?:Read\w+|Open\w*|Write\w+|Delete|Create\w*|Append\w+|Copy|Move)$|^new (?:\w+\.)*(?:FileStream|StreamReader|StreamWriter|FileInfo)$|^PhysicalFile$/,
    },
    {
      of: 'call',
      kind: 'redirect',
      name: /^(?:this\.)?(?:Redirect|RedirectPermanent|Response\.Redirect)$|^Results\.Redirect$/,
    },
    {
      of: 'call',
      kind: 'request',
      name: /(?:[cC]lient|[hH]ttp)\.(?:GetAsync|GetStringAsync|GetStreamAsync|GetByteArrayAsync|PostAsync|PutAsync|DeleteAsync|DownloadString|DownloadData|OpenRead)$|^WebRequest\.Create(?:Http)?$/,
    },
    {
      of: 'call',
      kind: 'markup',
      name: /^(?:this\.)?Content$|\.WriteAsync$|^Response\.Write$|^new HtmlString$/,
    },
    { of: 'call', kind: 'page', name: /\.Raw$|^new (?:HtmlString|MvcHtmlString|MarkupString)$/ },
    {
      of: 'call',
      kind: 'object',
      name: /(?:[fF]ormatter|[sS]erializer)\.(?:Deserialize|ReadObject|UnsafeDeserialize)$/,
      when: /[fF]ormatter|NetDataContract/,
    },
    {
      of: 'call',
      kind: 'name',
      name: /^(?:Type\.GetType|Assembly\.Load\w*|Activator\.CreateInstance)$/,
    },
    { of: 'call', kind: 'pattern', name: /^new Regex$/ },
    { of: 'target', kind: 'directory', name: /[sS]earcher\.Filter$/ },
  ],
  carriers:
    /^(?:string\.(?:Format|Concat|Join)|String\.(?:Format|Concat|Join)|Path\.(?:Combine|Join|GetFullPath)|(?:System\.Net\.)?WebUtility\.UrlDecode|Convert\.(?:ToString|FromBase64String)|new Uri|Encoding\.\w+\.\w+)$|\.(?:ToString|Trim|ToLower|ToUpper|ToLowerInvariant|Append)$/,
  cleaners: [
    {
      name: /^(?:int|long|Guid|double|decimal|bool|DateTime|IPAddress|Enum|Convert|Int32|Math)\.(?:Parse\w*|TryParse\w*|To(?!String)\w+|\w*Max|\w*Min)$|\.(?:Equals|Contains|StartsWith|EndsWith|IndexOf|ContainsKey|TryGetValue|GetValueOrDefault|Length|Count|GetHashCode)$/,
    },
    {
      name: /(?:^|[._])(?:Sanit|Valid|Safe|Clean|Allow|Check|Verify|Escape|Quote|HtmlEncode|Encode|UrlEncode|IsLocalUrl|GetFileName|LocalRedirect)\w*$/,
    },
    { name: /\.(?:Replace|Split|Substring)$/, isGuess: true },
  ],
};
