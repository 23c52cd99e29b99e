/** Calls of Go, Java, C#, Rust, C and C++ that are wrong by what they name. */
import {
  type CallRule,
  externalEntities,
  fastPasswordHash,
  fixedCredential,
  openPermissions,
  weakCipher,
  weakRandom,
} from './call-rule.ts';

const go = ['go'] as const;
const java = ['java'] as const;
const csharp = ['c_sharp'] as const;
const rust = ['rust'] as const;
const c = ['c', 'cpp'] as const;

export const compiledCalls: readonly CallRule[] = [
  {
    ...weakCipher,
    id: 'go-weak-cipher',
    grammars: go,
    name: /^(?:des\.New\w*Cipher|rc4\.NewCipher)$/,
  },
  {
    id: 'go-host-key',
    grammars: go,
    weakness: 'CWE-295',
    severity: 'high',
    category: 'security',
    name: /^ssh\.InsecureIgnoreHostKey$/,
    issue: 'Any host is believed to be the one that was meant: the connection can be taken over.',
    recommendation: 'Check against known host keys.',
  },
  {
    ...openPermissions,
    id: 'go-open-permissions',
    grammars: go,
    name: /^os\.Chmod$/,
    argument: [1, /^0o?(?:777|666|776|767)$/],
    // Windows removes nothing that must not be written.
    notInFunction: /\bos\.Remove(?:All)?\(/,
  },
  {
    ...weakRandom,
    id: 'go-weak-random',
    grammars: go,
    name: /^rand\.(?:Int\w*|Uint\w*|Float\w*|Perm|Read|N)$/,
    inFile: /"math\/rand(?:\/v2)?"/,
  },
  {
    id: 'go-serve-without-limit',
    grammars: go,
    weakness: 'CWE-400',
    severity: 'low',
    category: 'security',
    name: /^http\.ListenAndServe(?:TLS)?$/,
    // Programs that are looked into by whoever builds them so.
    inFile: /^(?![^]*\/\/go:build[^\n]*\b(?:debug|profil(?:e|ing)|pprof|trace)\b)/,
    issue:
      'This server waits for headers as long as a client likes: slow clients can use up its connections.',
    recommendation: 'Use an http.Server with ReadHeaderTimeout.',
  },
  {
    id: 'go-body-left-open',
    grammars: go,
    weakness: 'CWE-772',
    severity: 'medium',
    category: 'correctness',
    name: /^(?:http|client|httpClient|c\.client|s\.client)\.(?:Get|Head|Post|PostForm|Do)$/,
    onLine: /^\s*(?:if\s+)?\w+,\s*\w+\s*:?=\s*[\w.]+\.(?:Get|Head|Post|PostForm|Do)\(/,
    notInFunction: /\.Body\b/,
    keeps: 'unused',
    isQuietInTests: true,
    issue: 'The body of the response is never closed: its connection is not used again.',
    recommendation: 'Close it: `defer response.Body.Close()` after the error has been looked at.',
  },
  {
    ...fastPasswordHash,
    id: 'java-password-digest',
    grammars: java,
    name: /^MessageDigest\.getInstance$/,
    argument: [0, /^"(?:MD5|MD2|SHA-?1?)"$/i],
  },
  {
    ...weakCipher,
    id: 'java-weak-cipher',
    grammars: java,
    name: /^(?:javax\.crypto\.)?Cipher\.getInstance$/,
    argument: [0, /^"(?:(?:DES|DESede|RC[24]|ARCFOUR|Blowfish)(?:\/|")|AES(?:"|\/ECB))/],
  },
  {
    ...externalEntities,
    id: 'java-external-entities',
    grammars: java,
    name: /^(?:DocumentBuilderFactory|SAXParserFactory|XMLInputFactory)\.(?:newInstance|newDefaultInstance|newFactory)$/,
    inFunction: /\.parse\(|\.createXML(?:Stream|Event)Reader\(/,
    notInFunction:
      /setFeature|setProperty|setAttribute|setExpandEntityReferences|XMLConstants|setEntityResolver/,
  },
  {
    id: 'java-hostname-unchecked',
    grammars: java,
    weakness: 'CWE-295',
    severity: 'high',
    category: 'security',
    name: /\.(?:set(?:Default)?HostnameVerifier|hostnameVerifier|setSSLHostnameVerifier)$/,
    argument: [0, /->\s*(?:\{\s*return\s+)?true\b|NoopHostnameVerifier|ALLOW_ALL/],
    issue:
      'Any certificate is accepted for any host: anybody on the way can read and change the traffic.',
    recommendation: 'Keep the check of the host name.',
  },
  {
    ...weakRandom,
    id: 'java-weak-random',
    grammars: java,
    weakness: 'CWE-330',
    name: /^new (?:java\.util\.)?Random$|^Math\.random$|^ThreadLocalRandom\.current$|^RandomStringUtils\.random\w*$/,
  },
  {
    ...fixedCredential,
    id: 'java-connection-password',
    grammars: java,
    name: /^DriverManager\.getConnection$/,
    argument: [2, /^"[^"]{3,}"$/],
  },
  {
    ...weakCipher,
    id: 'csharp-weak-cipher',
    grammars: csharp,
    name: /(?:^|\.)(?:DES|TripleDES|RC2)\.Create$|^new (?:\w+\.)*(?:DES|TripleDES|RC2)CryptoServiceProvider$/,
  },
  {
    ...fastPasswordHash,
    id: 'csharp-password-hash',
    grammars: csharp,
    name: /(?:^|\.)(?:MD5|SHA1)\.(?:HashData|Create)$|^new (?:\w+\.)*(?:MD5|SHA1)(?:CryptoServiceProvider|Managed)$/,
  },
  {
    ...weakRandom,
    id: 'csharp-weak-random',
    grammars: csharp,
    weakness: 'CWE-330',
    name: /^new (?:System\.)?Random$|^Random\.Shared\.Next\w*$/,
  },
  {
    id: 'csharp-unsafe-deserialise',
    grammars: csharp,
    weakness: 'CWE-502',
    severity: 'high',
    category: 'security',
    name: /\.(?:Deserialize|UnsafeDeserialize)$/,
    inFunction:
      /new (?:\w+\.)*(?:BinaryFormatter|NetDataContractSerializer|LosFormatter|SoapFormatter|ObjectStateFormatter)\(/,
    issue: 'This formatter makes any object that the data names: reading it can run code.',
    recommendation: 'Use System.Text.Json or another format of plain data.',
  },
  {
    ...fastPasswordHash,
    id: 'rust-password-hash',
    grammars: rust,
    name: /^(?:md5::compute|(?:md5::)?Md5::(?:digest|new)|(?:sha1::)?Sha1::(?:digest|new))$/,
  },
  {
    id: 'rust-transmuted-pointer',
    grammars: rust,
    weakness: 'CWE-704',
    severity: 'high',
    category: 'correctness',
    name: /^(?:(?:std|core)::)?(?:mem::)?transmute$/,
    inFunction: /^[^{]*:\s*\*(?:const|mut)\s[^{]*->\s*&/,
    issue:
      'A bare pointer becomes a reference without a check, with any lifetime that is asked for.',
    recommendation: 'Use `as_ref`, which answers None for null, and name the lifetime.',
  },
  {
    id: 'c-unbounded-print',
    grammars: c,
    weakness: 'CWE-120',
    severity: 'medium',
    category: 'security',
    name: /^v?sprintf$/,
    argument: [1, /%s/],
    inFunction: /getenv\(|\bargv\[/,
    issue: 'The text is as long as what comes from outside, whatever the size of the target.',
    recommendation: 'Use snprintf with the size of the target.',
  },
];
