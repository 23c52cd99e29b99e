// Texts that nobody wrote to be read, by what they repeat. What takes longer than they are long was found in each of them once.

/** Of an answer: what the scanner walks over. Its steps can be counted. */
export const walkedUnits = [
  '{ ',
  '{"a" ',
  '{"a":{"b":',
  '{\n',
  '[\n{',
  '> x\n',
  '```\nx\n',
  '</think>\n<think>x\n',
  '|',
  'a|b|',
  '- \n',
  '# # \n',
  'Verdict: x\n',
  '### Findings Index\n',
  '| P1 | a | b | c |\n',
  '\r',
  '#1\n- #1',
];

/** Of an answer: what regular expressions alone read. */
export const matchedUnits = [
  '`',
  '*',
  '<think>\n',
  '<result>',
  'a/b.c:1 ',
  'a/b:',
  ' \t',
  '&quot;',
  '\u001B]',
  '\u001B[1',
  '(',
  '"\\"',
];

/** @type {(text: string, times: number) => string} */
const line = (text, times) => text.repeat(times);

/** @type {(index: number) => string} */
const key = index =>
  `-----BEGIN PRIVATE KEY-----\n${line('MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n', 3)}${index}\n-----END PRIVATE KEY-----\n`;

/**
 * Files for the analysers. `n` is about a thousand characters, or a hundred things to look at.
 * @type {Readonly<Record<string, (n: number) => Record<string, string | { old: string, new: string }>>>}
 */
export const growingFiles = {
  'one long line': n => ({ 'src/a.js': line('a(b)+c;', n * 140) }),
  'many lines': n => ({ 'src/a.py': line('a = b + 1\n', n * 100) }),
  'lines that end in CR LF': n => ({ 'src/a.cs': line('int a = 1;\r\n', n * 90) }),
  NULs: n => ({ 'src/a.go': line('\u0000x\n', n * 300) }),
  'bytes that are no text': n => ({ 'src/a.rb': line('\uFFFD\uD800 \uFFFD\n', n * 200) }),
  'blank lines before a FIXME': n => ({ 'src/a.go': `${line('\n', n * 900)}// FIXME late\n` }),
  'blank lines in a program': n => ({ 'src/a.js': `${line('\n', n * 900)}console.log(a);\n` }),
  'empty catches': n => ({
    'src/a.js': line('try { a(); if (b) { return; } } catch (e) {}\n', n * 20),
  }),
  'shell commands': n => ({ 'src/a.js': line('execSync(`ls ${a}`);\n', n * 40) }),
  'tests of Rust': n => ({
    'src/a.rs': `#[cfg(test)]\nmod tests {\n${line('    dbg!(a);\n', n * 60)}}\n`,
  }),
  'keys of tests': n => ({
    'tests/a.key': Array.from({ length: n * 4 }, (_, index) => key(index)).join(''),
    'tests/b.pem': 'a\n',
  }),
  'words of many scripts': n => ({
    'src/a.json': line('{"userToken": "Τοκλειδίτου-2024"}\n', n * 30),
  }),
  'numbers of Go': n => ({
    'src/a.go': `package a\n\nfunc f(m []string) {\n${line('\tn, _ := strconv.Atoi(m[1])\n\tlog.Print(n)\n', n * 15)}}\n`,
  }),
  // More lines than are searched for the one that made the record.
  'records of Go': n => ({
    'src/a.go': `package a\n\nfunc f(a A) {\n${line(`\tdata, _ := json.Marshal(a)\n${line('\n', 19)}`, n * 12)}}\n`,
  }),
  'copies of C': n => ({
    'src/a.c': `void f(struct a *a) {\n${line('  strcpy(b, a->name);\n', n * 40)}}\n`,
  }),
  'tests that are put aside': n => ({
    'tests/a.py': `class A(B):\n${line("  @unittest.skip('later')\n  def test_a(self):\n    pass\n", n * 15)}`,
  }),
  'texts that explain': n => ({
    'src/a.py': line('"""\ndb://scott:tg7Kq2Lx@rows\n"""\n', n * 20),
  }),
  'FIXMEs that move': n => {
    const text = Array.from(
      { length: n * 20 },
      (_, index) => `// FIXME number ${index} is told too late\nvar a${index} = ${index}\n`,
    ).join('');
    return { 'src/a.go': { old: text, new: 'var a = 1\n' }, 'src/b.go': text };
  },
  'deep brackets': n => ({ 'src/a.ts': `${line('[', n * 500)}${line(']', n * 500)}` }),
  'deep blocks': n => ({ 'src/a.js': `${line('if(a){', n * 150)}${line('}', n * 150)}` }),
  'text that looks binary': n => ({ 'src/a.go': line('\u0001\uFFFD\u0000\u202E x \r', n * 120) }),
  'invalid syntax': n => ({ 'src/a.rs': line('fn ((({{{ "\'` ?? ', n * 60) }),
  'open strings': n => ({ 'src/a.py': line('"""\'\'\'"\n', n * 120) }),
  slashes: n => ({ 'src/b.ts': line('=/[', n * 300) }),
  'random marks': n => ({
    'src/a.js': line('function f() { const token = Math.random(); g(token); }\n', n * 15),
  }),
};
