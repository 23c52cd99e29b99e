/** Ways of values in Python: Flask, Django, FastAPI, and what is typed in. */
import type { FlowTable } from './table.ts';

export const pythonFlow: FlowTable = {
  language: 'python',
  grammars: ['python'],
  sources: [
    {
      of: 'value',
      text: /^(?:self\.|flask\.)?request\.(?:args|form|values|json|data|cookies|headers|GET|POST|COOKIES|META|body|query_params|path_params|query_string|FILES|query|match_info)$/,
    },
    { of: 'call', text: /^(?:self\.|flask\.)?request\.(?:get_json|get_data|read|post)$/ },
    { of: 'call', text: /^(?:raw_)?input$/, only: ['sql', 'shell', 'code', 'object'] },
    { of: 'call', text: /^self\.get_(?:query_|body_)?argument$/ },
    { of: 'parameter', text: /^\w+\s*:\s*str\s*=\s*(?:Query|Form|Body|Header|Cookie|Path)\(/ },
  ],
  sinks: [
    {
      of: 'call',
      kind: 'sql',
      name: /\.(?:execute|executemany|executescript|raw|read_sql|read_sql_query|extra|RawSQL)$|^(?:RawSQL|text|sqlalchemy\.text)$/,
    },
    {
      of: 'call',
      kind: 'shell',
      name: /^(?:os\.(?:system|popen)|commands\.getoutput|subprocess\.(?:getoutput|getstatusoutput))$/,
    },
    {
      of: 'call',
      kind: 'shell',
      name: /^(?:subprocess\.)?(?:run|call|check_call|check_output|Popen)$/,
      when: /shell\s*=\s*True/,
    },
    { of: 'call', kind: 'shell', name: /^(?:asyncio\.)?create_subprocess_shell$/ },
    { of: 'call', kind: 'code', name: /^eval$/ },
    { of: 'call', kind: 'code', name: /^(?:exec|compile)$/, weakness: 'CWE-94' },
    { of: 'call', kind: 'name', name: /^(?:importlib\.import_module|__import__)$/ },
    {
      of: 'call',
      kind: 'object',
      name: /^(?:pickle|cPickle|dill|marshal|shelve|jsonpickle|joblib)\.(?:loads?|open|decode)$/,
    },
    {
      of: 'call',
      kind: 'object',
      name: /^yaml\.(?:load|unsafe_load|full_load)$/,
      when: /^(?![^]*Safe)/,
    },
    {
      of: 'call',
      kind: 'path',
      name: /^(?:open|io\.open|codecs\.open|send_file|flask\.send_file|FileResponse|os\.(?:remove|unlink|rmdir|mkdir|makedirs|listdir|rename)|shutil\.(?:rmtree|copy|move|copyfile))$/,
    },
    {
      of: 'call',
      kind: 'redirect',
      name: /^(?:flask\.)?(?:redirect|HttpResponseRedirect|RedirectResponse|self\.redirect)$/,
    },
    {
      of: 'call',
      kind: 'request',
      name: /^(?:requests|httpx|session|http|urllib\.request|aiohttp)\.(?:get|post|put|patch|delete|head|request|urlopen|urlretrieve)$|^(?:urlopen|urllib2\.urlopen)$/,
    },
    {
      of: 'call',
      kind: 'markup',
      name: /^(?:HttpResponse|make_response|Response|HTMLResponse|flask\.Response)$/,
    },
    {
      of: 'call',
      kind: 'page',
      name: /^(?:mark_safe|SafeString|SafeText|Markup|markupsafe\.Markup)$/,
    },
    {
      of: 'call',
      kind: 'template',
      name: /^(?:flask\.)?render_template_string$|^(?:jinja2\.)?(?:Template|Environment\(\)\.from_string)$|\.from_string$/,
    },
    {
      of: 'call',
      kind: 'pattern',
      name: /^re\.(?:compile|match|search|fullmatch|sub|findall|split)$/,
    },
    { of: 'call', kind: 'directory', name: /\.search(?:_s|_ext_s|_st)$/, argument: 'any' },
    {
      of: 'call',
      kind: 'log',
      name: /^(?:logger|logging|log|LOG|_logger|app\.logger|current_app\.logger)\.(?:debug|info|warning|error|critical|exception|warn)$/,
    },
    { of: 'answer', kind: 'markup', name: /^@(?:\w+\.)*(?:route|get|post|put)\(/ },
  ],
  carriers:
    /^(?:str|bytes|os\.path\.(?:join|abspath|normpath|expanduser)|Path|pathlib\.Path|PurePath|base64\.\w+decode|urllib\.parse\.unquote|unquote|io\.(?:StringIO|BytesIO)|textwrap\.dedent)$|\.(?:format|join|encode|decode|format_map|strip|lower|upper|joinpath)$/,
  cleaners: [
    {
      name: /^(?:int|float|bool|len|uuid\.UUID|UUID|Decimal|isinstance|sum|min|max|hash|set|any|all|type|datetime\.\w+)$|\.(?:isdigit|isalnum|startswith|endswith|index|find|count|isoformat)$/,
    },
    {
      name: /(?:^|[._])(?:sanit|valid|safe|clean|allow|check|assert|verify|whitelist|slugify|secure|hash|hexdigest|ip_address|quote|bleach|strip_tags|literal_eval|escape|format_html|digest|encrypt|sign|get_object_or_404)\w*$/i,
    },
    { name: /(?:^|\.)(?:basename|commonpath|commonprefix|is_relative_to)$/, against: ['path'] },
    { name: /\.(?:replace|translate|sub|split|rsplit|splitlines|filter|order_by)$/, isGuess: true },
    {
      name: /^(?:url_for|reverse|urljoin|url_parse|urlparse|urlsplit|quote|urlencode|html\.escape)$/,
      against: ['redirect', 'markup', 'page', 'request', 'path', 'log'],
    },
  ],
};
