/** Ways of values in Java: servlets, Spring, JAX-RS. */
import type { FlowTable } from './table.ts';

const request = '(?:request|req|httpRequest|httpServletRequest|servletRequest)';

export const javaFlow: FlowTable = {
  language: 'java',
  grammars: ['java'],
  sources: [
    {
      of: 'call',
      text: new RegExp(
        `^${request}\\.get(?:Parameter|ParameterValues|ParameterMap|Header|Cookies|QueryString|InputStream|Reader|PathInfo)$`,
      ),
    },
    {
      of: 'parameter',
      text: /^@(?:RequestParam|PathVariable|RequestHeader|CookieValue|RequestBody|QueryParam|PathParam|FormParam|HeaderParam)\b[^]*\bString\s+\w+$/,
    },
  ],
  sinks: [
    {
      of: 'call',
      kind: 'sql',
      name: /\.(?:executeQuery|executeUpdate|execute|executeLargeUpdate|addBatch|prepareStatement|prepareCall|createQuery|createNativeQuery|createSQLQuery|queryForObject|queryForList|queryForMap|query|update|batchUpdate)$/,
    },
    { of: 'call', kind: 'shell', name: /(?:getRuntime\(\)|[rR]untime|…)\.exec$/ },
    {
      of: 'call',
      kind: 'shell',
      name: /^new ProcessBuilder$/,
      argument: 'any',
      when: /"(?:\/bin\/)?(?:ba)?sh"\s*,\s*"-c"|"cmd(?:\.exe)?"\s*,\s*"\/[cC]"/,
    },
    { of: 'call', kind: 'shell', name: /^new ProcessBuilder$/ },
    {
      of: 'call',
      kind: 'path',
      name: /^new (?:java\.io\.)?(?:File|FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile|PrintWriter)$/,
      argument: 'any',
    },
    { of: 'call', kind: 'path', name: /^(?:Paths\.get|Path\.of)$/, argument: 'any' },
    { of: 'call', kind: 'redirect', name: /\.sendRedirect$/ },
    {
      of: 'call',
      kind: 'redirect',
      name: /^new (?:RedirectView|ModelAndView)$/,
      when: /RedirectView|"redirect:/,
    },
    {
      of: 'call',
      kind: 'request',
      name: /^new (?:java\.net\.)?(?:URL|HttpGet|HttpPost)$|^(?:restTemplate|restClient|webClient)\.\w*(?:ForObject|ForEntity|exchange)$/,
    },
    {
      of: 'call',
      kind: 'markup',
      name: /(?:getWriter\(\)|[wW]riter|out|…)\.(?:println|print|write|append|printf|format)$/,
    },
    {
      of: 'call',
      kind: 'object',
      name: /(?:^|\.)readObject$|\.readUnshared$|^…\.readObject$/,
      argument: 'receiver',
    },
    { of: 'call', kind: 'object', name: /^(?:new XMLDecoder|xstream\.fromXML|yaml\.load)$/i },
    {
      of: 'call',
      kind: 'code',
      name: /(?:[eE]ngine|[sS]hell|[pP]arser|interpreter)\.(?:eval|evaluate|parseExpression)$/,
      weakness: 'CWE-94',
    },
    { of: 'call', kind: 'name', name: /^Class\.forName$/ },
    { of: 'call', kind: 'directory', name: /[cC](?:ontext|tx)\.search$/, argument: 'any' },
    { of: 'call', kind: 'pattern', name: /^Pattern\.compile$/ },
  ],
  carriers:
    /^(?:String\.(?:format|valueOf|join)|new (?:String|StringBuilder|ObjectInputStream|BufferedInputStream|InputStreamReader|BufferedReader|ByteArrayInputStream)|MessageFormat\.format|URLDecoder\.decode|Base64\.\w+|URI\.create|…\.decode)$|\.(?:append|concat|formatted|resolve|decode)$/,
  cleaners: [
    {
      name: /^(?:Integer|Long|Double|Float|Short|Boolean|UUID|BigDecimal|LocalDate|Instant|Duration)\.\w+$|\.(?:valueOf|equals|equalsIgnoreCase|contains|startsWith|endsWith|length|hashCode|indexOf|isEmpty|getOrDefault)$/,
    },
    {
      name: /(?:^|[._])(?:sanit|valid|safe|clean|allow|check|verify|escape|quote|encode|forHtml|normalize|getName|getBaseName)\w*$/i,
    },
    { name: /\.(?:replace|replaceAll|replaceFirst|split|matches)$/, isGuess: true },
  ],
};
