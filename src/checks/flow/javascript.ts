/** Ways of values in JavaScript and TypeScript: Express, Koa, Fastify, Nest, and pages in a browser. */
import type { FlowTable } from './table.ts';

export const javascriptFlow: FlowTable = {
  language: 'javascript',
  grammars: ['javascript', 'typescript', 'tsx'],
  sources: [
    {
      of: 'value',
      text: /^(?:this\.)?(?:req|request|ctx|context|ctx\.request|ctx\.req)\.(?:query|params|body|headers|cookies|hostname|originalUrl|rawBody)$/,
    },
    {
      of: 'value',
      text: /^(?:window\.|document\.)?location\.(?:hash|search)$/,
      only: ['page', 'markup', 'code'],
    },
    { of: 'parameter', text: /^@(?:Query|Param|Body|Headers)\([^)]*\)\s*\w+\??\s*:\s*string$/ },
  ],
  sinks: [
    {
      of: 'call',
      kind: 'sql',
      name: /(?:^|\.)(?:query|execute|exec|raw|all|get|run|each|prepare|\$queryRawUnsafe|\$executeRawUnsafe|unsafe|whereRaw|orderByRaw|havingRaw|selectRaw)$/,
    },
    {
      of: 'call',
      kind: 'shell',
      name: /^(?:(?:child_process|childProcess|cp|shell|shelljs|proc)\.)?(?:exec|execSync|execAsync|execPromise)$/,
    },
    {
      of: 'call',
      kind: 'shell',
      name: /(?:^|\.)(?:spawn|spawnSync|execFile|execFileSync)$/,
      when: /\bshell\s*:\s*(?:true|["'])/,
      argument: 'any',
    },
    { of: 'call', kind: 'code', name: /^(?:(?:window|global|globalThis)\.)?eval$/ },
    { of: 'call', kind: 'code', name: /^(?:new )?Function$/, argument: 'any' },
    { of: 'call', kind: 'code', name: /^vm\.run\w+$/, weakness: 'CWE-94' },
    {
      of: 'call',
      kind: 'code',
      name: /^(?:new )?vm\.(?:Script|compileFunction)$/,
      weakness: 'CWE-94',
    },
    {
      of: 'call',
      kind: 'path',
      name: /^(?:(?:fs|fsp|fse|promises|fsPromises|fs\.promises)\.)?(?:readFile|readFileSync|createReadStream|writeFile|writeFileSync|createWriteStream|appendFile|appendFileSync|unlink|unlinkSync|rm|rmSync|rmdir|readdir|readdirSync|mkdir|mkdirSync|outputFile)$/,
    },
    { of: 'call', kind: 'path', name: /^(?:res|response|reply)\.(?:download)$/ },
    { of: 'call', kind: 'path', name: /^(?:res|response)\.sendFile$/, when: /^(?![^]*\broot\s*:)/ },
    { of: 'call', kind: 'redirect', name: /^(?:res|response|reply|ctx)\.redirect$/, argument: -1 },
    {
      of: 'call',
      kind: 'request',
      name: /^(?:fetch|axios|got|request|needle|superagent|(?:axios|got|request|needle|superagent|https?)\.(?:get|post|put|patch|delete|head|request))$/,
    },
    { of: 'call', kind: 'markup', name: /^(?:res|response|reply)\.(?:send|write|end)$/ },
    { of: 'call', kind: 'page', name: /^document\.write(?:ln)?$/ },
    { of: 'call', kind: 'page', name: /\.insertAdjacentHTML$/, argument: 1 },
    { of: 'target', kind: 'page', name: /\.(?:innerHTML|outerHTML)$/ },
    { of: 'call', kind: 'pattern', name: /^(?:new )?RegExp$/ },
    { of: 'call', kind: 'object', name: /(?:^|\.)unserialize$/ },
    { of: 'entry', kind: 'document', name: /^\$where$/ },
    { of: 'index', kind: 'prototype', name: /^(?!.*(?:map|Map|headers)$)[\w$.]+$/ },
    {
      of: 'call',
      kind: 'template',
      name: /^(?:ejs|pug|handlebars|Handlebars|nunjucks|_|lodash|mustache)\.(?:render|renderString|compile|template)$/,
    },
    { of: 'call', kind: 'name', name: /^require$/ },
  ],
  carriers:
    /^(?:String|decodeURIComponent|decodeURI|atob|Buffer\.from|path\.(?:join|resolve|normalize)|join|resolve|new URL(?:SearchParams)?|util\.format|format|Object\.assign|JSON\.stringify)$|\.(?:concat)$/,
  cleaners: [
    {
      name: /^(?:new )?(?:Number|BigInt|Boolean|Set|Map)$|^(?:Number\.)?parse(?:Int|Float)$|^Math\.|^Array\.isArray$|\.(?:length|includes|has|test|indexOf|startsWith|endsWith|toFixed|getTime)$/,
    },
    {
      name: /(?:^|[._])(?:sanit|valid|safe|clean|allow|check|assert|verify|whitelist|normali[sz]eUrl|slug|coerce|parse\w*(?:Id|Number|Date)|uuid|hash|digest|encrypt|sign)\w*$/i,
    },
    {
      name: /(?:^|\.)\w*(?:Schema|schema|validator|Validator|Body|Query|Params|Cart|Input|z|Joi|yup)\.(?:parse|safeParse|validate|validateSync|cast)$/,
    },
    { name: /(?:^|\.)(?:escape|quote|escapeId|format)\w*$/i },
    { name: /(?:^|\.)(?:basename)$/, against: ['path'] },
    {
      name: /(?:^|\.)(?:encodeURIComponent|encodeURI|encode|purify|xss|stripTags|textContent)\w*$/i,
      against: ['markup', 'page', 'request', 'redirect', 'path', 'log', 'shell'],
    },
    { name: /\.(?:replace|replaceAll|match|matchAll|split)$/, isGuess: true },
  ],
};
