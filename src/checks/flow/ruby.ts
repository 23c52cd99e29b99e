/** Ways of values in Ruby: Rails and Sinatra. */
import type { FlowTable } from './table.ts';

export const rubyFlow: FlowTable = {
  language: 'ruby',
  grammars: ['ruby'],
  sources: [
    { of: 'value', text: /^(?:params|cookies)$/ },
    { of: 'value', text: /^request\.(?:params|headers|cookies|env)$/ },
    {
      of: 'call',
      text: /^request\.(?:params|body|headers|cookies|referer|user_agent|query_string|raw_post)$/,
    },
  ],
  sinks: [
    {
      of: 'call',
      kind: 'sql',
      name: /\.(?:where|order|group|having|joins|select|from|pluck|find_by_sql|execute|exec_query|select_all|select_rows|select_value|exists\?|delete_all|update_all|count_by_sql|reorder)$/,
    },
    {
      of: 'call',
      kind: 'shell',
      name: /^(?:Kernel\.)?(?:system|exec|spawn)$|^(?:IO\.popen|Open3\.\w+|PTY\.spawn)$/,
    },
    { of: 'node', kind: 'shell', name: /^subshell$/ },
    { of: 'call', kind: 'shell', name: /^(?:Kernel\.)?open$/ },
    {
      of: 'call',
      kind: 'code',
      name: /^(?:Kernel\.)?eval$|\.(?:instance_eval|class_eval|module_eval)$/,
    },
    { of: 'call', kind: 'name', name: /\.(?:send|public_send|__send__|method)$/ },
    { of: 'call', kind: 'name', name: /\.(?:constantize|safe_constantize)$/, argument: 'receiver' },
    { of: 'call', kind: 'name', name: /\.const_get$/ },
    {
      of: 'call',
      kind: 'object',
      name: /^(?:Marshal\.(?:load|restore)|YAML\.(?:load|unsafe_load)|Psych\.(?:load|unsafe_load)|Oj\.object_load)$/,
    },
    {
      of: 'call',
      kind: 'path',
      name: /^(?:File|IO|Dir|Pathname|FileUtils)\.(?:open|read|new|readlines|binread|write|delete|unlink|entries|glob|rm|rm_rf|foreach|mkdir_p)$|^send_file$|^File\.new$/,
    },
    { of: 'call', kind: 'redirect', name: /^redirect_to$|^redirect$/ },
    {
      of: 'call',
      kind: 'request',
      name: /^(?:Net::HTTP\.(?:get|get_response|post|post_form)|HTTParty\.\w+|Faraday\.(?:get|post|new)|RestClient\.\w+|URI\.open|OpenURI\.open_uri|Excon\.\w+)$/,
    },
    { of: 'call', kind: 'page', name: /\.html_safe$/, argument: 'receiver' },
    { of: 'call', kind: 'page', name: /^raw$/ },
    { of: 'call', kind: 'pattern', name: /^Regexp\.(?:new|compile)$/ },
    { of: 'call', kind: 'directory', name: /^Net::LDAP::Filter\.construct$/ },
  ],
  carriers:
    /^(?:URI(?:\.parse|\.join)?|String|File\.(?:join|expand_path)|Rails\.root\.join|Pathname\.new|format|sprintf|Base64\.\w*decode64|CGI\.unescape|URI\.decode_\w+|Array)$|\.(?:join|concat|prepend|to_s|strip|downcase|upcase)$/,
  cleaners: [
    {
      name: /^(?:Integer|Float|Date\.\w+|Time\.\w+|BigDecimal)$|\.(?:to_i|to_f|to_date|to_time|to_sym|length|size|include\?|key\?|start_with\?|end_with\?|match\?|present\?|blank\?|nil\?|empty\?|is_a\?|permit|find|find_by|to_bool)$/,
    },
    {
      name: /(?:^|[._])(?:sanit|valid|safe_|clean|allow|check|verify|escape|quote|encode|shellescape|shelljoin|url_from|h|fetch_|parameterize|tag|strip_tags|digest|hexdigest|local_)\w*$/i,
    },
    { name: /^File\.basename$/, against: ['path', 'shell'] },
    { name: /\.(?:gsub|sub|tr|delete|split|scan|slice|permit|require|read)$/, isGuess: true },
    { name: /^(?:url_for|\w+_path|\w+_url)$/ },
  ],
};
