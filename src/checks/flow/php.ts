/** Ways of values in PHP: what a request holds, as the language gives it. */
import type { FlowTable } from './table.ts';

export const phpFlow: FlowTable = {
  language: 'php',
  grammars: ['php'],
  sources: [
    { of: 'value', text: /^\$_(?:GET|POST|REQUEST|COOKIE)$/ },
    {
      of: 'value',
      text: /^\$_SERVER\[['"](?:HTTP_(?!HOST)\w+|QUERY_STRING|REQUEST_URI|PATH_INFO|PHP_SELF)['"]\]$/,
      only: ['sql', 'shell', 'code', 'markup', 'page', 'object'],
    },
    {
      of: 'call',
      text: /^\$request->(?:input|query->get|request->get|get|getParam|getQueryParam)$|^\$request\.(?:input|get|getParam|getQueryParam)$/,
    },
  ],
  sinks: [
    {
      of: 'call',
      kind: 'sql',
      name: /^(?:mysqli?_query|mysqli_real_query|mysqli_multi_query|pg_query|sqlite_query|odbc_exec|DB::(?:select|statement|raw|unprepared)|DB\.(?:select|statement|raw|unprepared))$/,
      argument: 'any',
    },
    {
      of: 'call',
      kind: 'sql',
      name: /(?:->|\.)(?:query|exec|prepare|execute|whereRaw|orderByRaw|selectRaw|executeQuery|executeStatement|multi_query)$/,
    },
    {
      of: 'call',
      kind: 'shell',
      name: /^\\?(?:shell_exec|exec|system|passthru|popen|proc_open|pcntl_exec)$/,
    },
    { of: 'node', kind: 'shell', name: /^shell_command_expression$/ },
    { of: 'call', kind: 'code', name: /^\\?(?:eval|assert|create_function)$/, argument: 'any' },
    { of: 'node', kind: 'code', name: /^eval_intrinsic$/ },
    {
      of: 'node',
      kind: 'path',
      name: /^(?:include|include_once|require|require_once)_expression$/,
      weakness: 'CWE-98',
    },
    {
      of: 'call',
      kind: 'path',
      name: /^\\?(?:readfile|file_get_contents|file_put_contents|fopen|unlink|file|rmdir|mkdir|copy|rename|move_uploaded_file|opendir|scandir|highlight_file|show_source)$/,
    },
    { of: 'call', kind: 'object', name: /^\\?unserialize$/, when: /^(?![^]*allowed_classes)/ },
    { of: 'node', kind: 'markup', name: /^(?:echo_statement|print_intrinsic)$/ },
    { of: 'call', kind: 'page', name: /^\\?printf$/, argument: 'any', when: /<[a-z]/i },
    { of: 'call', kind: 'redirect', name: /^\\?header$/, when: /[lL]ocation\s*:/ },
    { of: 'call', kind: 'redirect', name: /^(?:redirect|Redirect::to|Redirect\.to)$/ },
    { of: 'call', kind: 'request', name: /^\\?curl_setopt$/, argument: 2, when: /CURLOPT_URL\b/ },
    { of: 'call', kind: 'request', name: /^\\?curl_init$|^new (?:GuzzleHttp\\)?Request$/ },
    { of: 'call', kind: 'directory', name: /^\\?ldap_(?:search|list|read)$/, argument: 2 },
    { of: 'call', kind: 'name', name: /^\\?call_user_func(?:_array)?$/ },
    { of: 'call', kind: 'pattern', name: /^\\?preg_(?:match|match_all|replace|split)$/ },
  ],
  carriers:
    /^\\?(?:sprintf|vsprintf|implode|join|trim|rtrim|ltrim|strtolower|strtoupper|ucfirst|base64_decode|urldecode|rawurldecode|stripslashes|strval|html_entity_decode|htmlspecialchars_decode|nl2br|str_repeat|realpath)$/,
  cleaners: [
    {
      name: /^\\?(?:intval|floatval|boolval|count|strlen|sizeof|is_\w+|in_array|array_key_exists|isset|empty|ctype_\w+|hash|md5|sha1|crc32|hash_\w+|password_\w+|random_\w+|filter_(?:var|input)|preg_(?:match|replace|quote)\w*|number_format|strtotime|date|json_encode|bin2hex|round|abs|min|max|array_search|strpos|str_replace|substr_count|explode|str_starts_with|str_contains)$/,
    },
    {
      name: /^\\?(?:htmlspecialchars|htmlentities|strip_tags|esc_\w+|e)$/,
      against: ['markup', 'page'],
    },
    { name: /^\\?escapeshell(?:arg|cmd)$/, against: ['shell'] },
    {
      name: /^\\?(?:mysqli?_real_escape_string|pg_escape_\w+|addslashes)$|(?:->|\.)(?:real_escape_string|quote|escape)$/,
      against: ['sql'],
    },
    { name: /^\\?(?:basename|pathinfo)$/, against: ['path'] },
    { name: /^\\?ldap_escape$/, against: ['directory'] },
    {
      name: /^\\?(?:urlencode|rawurlencode|http_build_query)$/,
      against: ['request', 'redirect', 'markup', 'page', 'path'],
    },
    { name: /(?:^|[.>:_])(?:sanit|valid|safe|clean|purify|check|filter|verify|escape)\w*$/i },
  ],
};
