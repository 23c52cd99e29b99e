/** Texts for rules that no open planted defect raises: what each must report, and its mended form that must raise nothing. */
export interface RuleSample {
  readonly path: string;
  readonly guilty: string;
  readonly mended: string;
}

const java = (body: string): string =>
  `class A {\n  int f(int[] values, String path) throws Exception {\n${body}\n  }\n}\n`;
const cs = (body: string): string => `class A {\n  int F(int[] values) {\n${body}\n  }\n}\n`;
const inC = (body: string): string => `void f(struct item *one) {\n${body}\n}\n`;

export const ruleSamples: Readonly<Record<string, RuleSample>> = {
  'c-past-end': {
    path: 'src/a.c',
    guilty: inC('  int rows[4];\n  for (int k = 0; k <= 4; k++) rows[k] = 1;'),
    mended: inC('  int rows[4];\n  for (int k = 0; k < 4; k++) rows[k] = 1;'),
  },
  'java-divide-by-length': {
    path: 'src/A.java',
    guilty: java('    return sum(path) / values.length;'),
    mended: java('    if (values.length == 0) return 0;\n    return sum(path) / values.length;'),
  },
  'csharp-divide-by-length': {
    path: 'src/A.cs',
    guilty: cs('    return Sum() / values.Length;'),
    mended: cs('    if (values.Length == 0) return 0;\n    return Sum() / values.Length;'),
  },
  'java-stream-left-open': {
    path: 'src/A.java',
    guilty: java('    FileInputStream in = new FileInputStream(path);\n    return in.read();'),
    mended: java(
      '    try (FileInputStream in = new FileInputStream(path)) {\n      return in.read();\n    }',
    ),
  },
  'c-use-after-free': {
    path: 'src/a.c',
    guilty: inC('  free(one);\n  count--;\n  show(one->size);'),
    mended: inC('  free(one);\n  one = next();\n  show(one->size);'),
  },
  'c-double-free': {
    path: 'src/a.c',
    guilty: inC('  free(one);\n  free(one);'),
    mended: inC('  free(one);\n  one = next();\n  free(one);'),
  },
  'php-loose-hash': {
    path: 'src/a.php',
    guilty: '<?php\n$same = sha1($word) == $known;\n',
    mended: '<?php\n$same = hash_equals($known, sha1($word));\n',
  },
  'csharp-type-names': {
    path: 'src/A.cs',
    guilty: cs('    settings.TypeNameHandling = TypeNameHandling.Auto;\n    return 1;'),
    mended: cs('    settings.TypeNameHandling = TypeNameHandling.None;\n    return 1;'),
  },
  'csharp-external-entities': {
    path: 'src/A.cs',
    guilty: cs('    settings.DtdProcessing = DtdProcessing.Parse;\n    return 1;'),
    mended: cs('    settings.DtdProcessing = DtdProcessing.Ignore;\n    return 1;'),
  },
  'csharp-cookie-open': {
    path: 'src/A.cs',
    guilty: cs('    Append(new CookieOptions { Secure = false });\n    return 1;'),
    mended: cs('    Append(new CookieOptions { Secure = true });\n    return 1;'),
  },
  'javascript-cookie-open': {
    path: 'src/a.js',
    guilty: "response.cookie('auth', value, { httpOnly: false });\n",
    mended: "response.cookie('auth', value, { httpOnly: true });\n",
  },
  'python-cipher-mode': {
    path: 'app/a.py',
    guilty: 'box = AES.new(key, AES.MODE_ECB)\n',
    mended: 'box = AES.new(key, AES.MODE_GCM)\n',
  },
  'python-host-key': {
    path: 'app/a.py',
    guilty: 'link.set_missing_host_key_policy(AutoAddPolicy())\n',
    mended: 'link.set_missing_host_key_policy(RejectPolicy())\n',
  },
  'ruby-weak-cipher': {
    path: 'app/a.rb',
    guilty: 'box = OpenSSL::Cipher.new("des-ede3")\n',
    mended: 'box = OpenSSL::Cipher.new("aes-256-gcm")\n',
  },
  'php-weak-random': {
    path: 'src/a.php',
    guilty: '<?php\n$secret = uniqid();\n',
    mended: '<?php\n$secret = bin2hex(random_bytes(16));\n',
  },
  'go-serve-without-limit': {
    path: 'web/a.go',
    guilty: 'package web\n\nfunc run() error {\n\treturn http.ListenAndServe(address, nil)\n}\n',
    mended:
      'package web\n\nfunc run(server *http.Server) error {\n\treturn server.ListenAndServe()\n}\n',
  },
  'java-connection-password': {
    path: 'src/A.java',
    guilty: java(
      '    open(DriverManager.getConnection(path, "reader", "K7-lighthouse"));\n    return 1;',
    ),
    mended: java('    open(DriverManager.getConnection(path, "reader", word));\n    return 1;'),
  },
  'rust-password-hash': {
    path: 'src/a.rs',
    guilty: 'fn store(password: &str) -> Digest {\n    md5::compute(password)\n}\n',
    mended: 'fn store(password: &str) -> Digest {\n    argon2(password)\n}\n',
  },
};
