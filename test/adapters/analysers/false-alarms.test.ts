/** What releases of real projects taught: each rule keeps quiet for a reason, and speaks where the reason is missing. */
import { describe, expect, it } from 'vitest';
import type { AnalyserName } from '../../../src/core/words/config.ts';
import { askAnalyser, rulesSaid } from './ask-analyser.ts';
import type { Files } from './build-change.ts';

const key = (name: string): string =>
  `-----BEGIN ${name}-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(6)}-----END ${name}-----\n`;
const privateKey = key('PRIVATE KEY');
const certificate = key('CERTIFICATE');

interface Pair {
  readonly analyser: AnalyserName;
  readonly rule: string;
  readonly guilty: Files;
  readonly quiet: Files;
}

const patterns = (rule: string, path: string, guilty: string, quiet: string): Pair => ({
  analyser: 'patterns',
  rule: `patterns/${rule}`,
  guilty: { [path]: guilty },
  quiet: { [path]: quiet },
});
const diff = (rule: string, path: string, guilty: string, quiet: string): Pair => ({
  ...patterns(rule, path, guilty, quiet),
  analyser: 'diff',
  rule: `diff/${rule}`,
});

const diffOf = (rule: string, guilty: Files, quiet: Files): Pair => ({
  analyser: 'diff',
  rule: `diff/${rule}`,
  guilty,
  quiet,
});
const idleRule = (name: string): string =>
  `public class ${name} extends PasswordRule {\n    @Override\n    public void validate(String password) {\n    }\n}\n`;

const go = (body: string): string => `package a\n\nfunc f(given string) error {\n${body}\n}\n`;
const printed = "console.log('loaded', list);\n";
const offNow = '  @Ignore\n  @Test\n  public void testLongInput() {\n';

const pairs: Readonly<Record<string, Pair>> = {
  'an empty catch: the attempt leaves with its answer, what follows answers the failure': patterns(
    'javascript-empty-catch',
    'src/a.js',
    'function f(t) {\n  try {\n    g(JSON.parse(t));\n  } catch (error) {}\n  return null;\n}\n',
    'function f(t) {\n  try {\n    return JSON.parse(t);\n  } catch (error) {}\n  return null;\n}\n',
  ),
  'an empty catch: a return of a function inside answers nothing': patterns(
    'javascript-empty-catch',
    'src/a.js',
    'function f(l) {\n  try {\n    l.map(x => { return x.a; });\n  } catch (error) {}\n  return null;\n}\n',
    'function f(l) {\n  try {\n    if (l.a) { return l.a; }\n  } catch (error) {}\n  return null;\n}\n',
  ),
  'an empty catch: the name says that nobody wants it': patterns(
    'javascript-empty-catch',
    'src/a.js',
    'try { start(); } catch (e) {}\n',
    'try { start(); } catch (_) {}\n',
  ),
  'an empty catch: all that was tried is to close': patterns(
    'java-empty-catch',
    'src/A.java',
    'class A { void f() { try { queue.put(x); } catch (IOException e) {} } }\n',
    'class A { void f() { try { stream.close(); } catch (IOException e) {} } }\n',
  ),
  'a pass: the attempt leaves with its answer': patterns(
    'python-except-pass',
    'app/a.py',
    'def f(t):\n    try:\n        g(t)\n    except Exception:\n        pass\n    return None\n',
    'def f(t):\n    try:\n        return g(t)\n    except Exception:\n        pass\n    return None\n',
  ),
  'an empty rescue: nil is the value that is kept': patterns(
    'ruby-empty-rescue',
    'app/a.rb',
    'begin\n  save(u)\nrescue\n  nil\nend\n',
    'host = begin\n  read(u)\nrescue\n  nil\nend\n',
  ),
  'rescue Exception: it is kept, to be raised when the others are done': patterns(
    'ruby-rescue-exception',
    'app/a.rb',
    'begin\n  a\nrescue Exception => e\n  log << e.message\nend\n',
    'begin\n  a\nrescue Exception => e\n  failures << e\nend\n',
  ),
  'SQL: the value is a row of marks': patterns(
    'javascript-sql',
    'src/a.js',
    "function f(ids) {\n  const list = ids.map(id => `'${id}'`).join(',');\n  db.query(`DELETE FROM a WHERE id IN (${list})`);\n}\n",
    "function f(ids) {\n  const list = ids.map(() => '?').join(',');\n  db.query(`DELETE FROM a WHERE id IN (${list})`, ids);\n}\n",
  ),
  'SQL in Python: the value is a row of marks': patterns(
    'python-sql',
    'app/a.py',
    'def f(c, ids):\n    spots = ",".join(ids)\n    c.execute(f"DELETE FROM a WHERE id IN ({spots})")\n',
    'def f(c, ids):\n    spots = ",".join(["?"] * len(ids))\n    c.execute(f"DELETE FROM a WHERE id IN ({spots})", ids)\n',
  ),
  'a shell: one of two fixed texts': patterns(
    'javascript-shell',
    'src/a.js',
    "(async site => {\n  const a = await f(site);\n  await exec(`echo ${a ? b : 'no'} >> out`);\n})('x');\n",
    "(async site => {\n  const a = await f(site);\n  await exec(`echo ${a ? 'yes' : 'no'} >> out`);\n})('x');\n",
  ),
  'markup: the translation of a fixed text': patterns(
    'python-mark-safe',
    'app/a.py',
    "text = mark_safe('<b>{text}</b>'.format(text=_(name)))\n",
    "text = mark_safe('<b>{text}</b>'.format(text=_('Old' 'name')))\n",
  ),
  'a shell: the program is started by hand': patterns(
    'javascript-shell',
    'extra/pick.js',
    'const tag = await latest();\nexecSync(`git log ${tag}`);\n',
    'const tag = process.argv[2];\nexecSync(`git log ${tag}`);\n',
  ),
  'a shell: a program started by hand that asks the network is told by others': patterns(
    'javascript-shell',
    'extra/pick.js',
    'const site = process.argv[2];\nconst tag = await (await fetch(site)).text();\nexecSync(`git log ${tag}`);\n',
    'const site = process.argv[2];\nexecSync(`git log ${site}`);\n',
  ),
  'weak random: it tells the newest request': patterns(
    'javascript-weak-random',
    'src/a.js',
    'function f() {\n  const token = Math.random().toString(36);\n  this.current = token;\n  send(token);\n}\n',
    'function f() {\n  const token = Math.random().toString(36);\n  this.current = token;\n  return g().then(() => this.current === token);\n}\n',
  ),
  'a password hash: what is hashed is a hash already': patterns(
    'python-password-hash',
    'app/a.py',
    'def f(u):\n    return hashlib.md5(u.password.encode()).hexdigest()\n',
    'def f(u):\n    return hashlib.md5(u.password_hash.encode()).hexdigest()\n',
  ),
  'TLS: a parameter that is named so asks for it': patterns(
    'python-tls-off',
    'app/a.py',
    'def f(mode):\n    if mode:\n        context.verify_mode = ssl.CERT_NONE\n',
    'def f(verified):\n    if not verified:\n        context.verify_mode = ssl.CERT_NONE\n',
  ),
  'a Go error: the line above says why': patterns(
    'go-ignored-error',
    'a.go',
    go('\t// TODO use the other address\n\tbase, _ := url.Parse(given)'),
    go('\t// What is no address is handled by show.\n\tbase, _ := url.Parse(given)'),
  ),
  'a Go error: the text is for an error': patterns(
    'go-ignored-error',
    'a.go',
    go('\tdata, _ := io.ReadAll(r.Body)\n\treturn show(data)'),
    go('\tdata, _ := io.ReadAll(r.Body)\n\treturn fmt.Errorf("%d: %s", r.StatusCode, data)'),
  ),
  'a Go number: the port of an address that was taken apart': patterns(
    'go-ignored-number',
    'a.go',
    go('\tport := given\n\tnumber, _ := strconv.Atoi(port)\n\tshow(number)'),
    go(
      '\thost, port, err := net.SplitHostPort(given)\n\tnumber, _ := strconv.Atoi(port)\n\tshow(host, number, err)',
    ),
  ),
  'a Go number: the next statement holds it against zero': patterns(
    'go-ignored-number',
    'a.go',
    go('\tid, _ := strconv.Atoi(given)\n\tif id > 100 {\n\t\tid = 100\n\t}\n\treturn show(id)'),
    go('\tid, _ := strconv.Atoi(given)\n\tif id > 0 {\n\t\tshow(id)\n\t}'),
  ),
  'a Go number: zero is refused from the left, beside another condition': patterns(
    'go-ignored-number',
    'a.go',
    go('\tid, _ := strconv.Atoi(given)\n\tif id < 0 || closed {\n\t\treturn nil\n\t}'),
    go('\tid, _ := strconv.Atoi(given)\n\tif 1 > id || closed {\n\t\treturn nil\n\t}'),
  ),
  'a Go number: what is done before it is held against something is done': patterns(
    'go-ignored-number',
    'a.go',
    go('\tid, _ := strconv.Atoi(given)\n\tremove(id)\n\tif id == 0 {\n\t\treturn nil\n\t}'),
    go(
      '\tid, _ := strconv.Atoi(given)\n\tlog.Info("asked", id)\n\tif id == 0 {\n\t\treturn nil\n\t}',
    ),
  ),
  'a Go number: the lookup with it says by its error that there is none': patterns(
    'go-ignored-number',
    'a.go',
    go('\tid, _ := strconv.ParseInt(given, 10, 64)\n\tkey, err := findKey(id)\n\tshow(key, err)'),
    go(
      '\tid, _ := strconv.ParseInt(given, 10, 64)\n\tkey, err := findKey(id)\n\tif err != nil {\n\t\treturn err\n\t}\n\tshow(key)',
    ),
  ),
  'a Go number: an action upon number zero does not say so by its error': patterns(
    'go-ignored-number',
    'a.go',
    go(
      '\tid, _ := strconv.Atoi(given)\n\tif err := store.RemoveKey(uint(id)); err != nil {\n\t\treturn err\n\t}',
    ),
    go(
      '\tid, _ := strconv.Atoi(given)\n\tif err := store.FindKey(uint(id)); err != nil {\n\t\treturn err\n\t}',
    ),
  ),
  'a Go number: the error of the lookup is given back': patterns(
    'go-ignored-number',
    'a.go',
    go('\tid, _ := strconv.Atoi(given)\n\treturn store.DeleteKey(id)'),
    go('\tid, _ := strconv.Atoi(given)\n\treturn store.FindKey(id)'),
  ),
  'a Go number: a column of a row has its type': patterns(
    'go-ignored-number',
    'a.go',
    go(
      '\trows, err := read(given)\n\tfor _, row := range rows {\n\t\tid, _ := strconv.Atoi(string(row["id"]))\n\t\tshow(id)\n\t}\n\treturn err',
    ),
    go(
      '\trows, err := db.Query(given)\n\tfor _, row := range rows {\n\t\tid, _ := strconv.Atoi(string(row["id"]))\n\t\tshow(id)\n\t}\n\treturn err',
    ),
  ),
  'a Go number: a pattern found digits': patterns(
    'go-ignored-number',
    'a.go',
    `${go('\tm := page.FindStringSubmatch(given)\n\tn, _ := strconv.Atoi(m[1])\n\tshow(n)')}\nvar page = regexp.MustCompile(\`p=(.*)\`)\n`,
    `${go('\tm := page.FindStringSubmatch(given)\n\tn, _ := strconv.Atoi(m[1])\n\tshow(n)')}\nvar page = regexp.MustCompile(\`p=(\\d+)\`)\n`,
  ),
  'SQL: the name of a view': patterns(
    'python-sql',
    'app/a.py',
    'def f(c, person_name):\n    c.execute("SELECT a FROM b WHERE c = {}".format(person_name))\n',
    'def f(c, view_name):\n    c.execute("SELECT a FROM {} WHERE c = 1".format(view_name))\n',
  ),
  'an error that was thrown away before, in code that is only moved': {
    ...patterns(
      'go-ignored-error',
      'web/a.go',
      go('\tbase, _ := url.Parse(given)\n\tshow(base, given)'),
      '',
    ),
    quiet: {
      'web/b.go': {
        old: go('\tbase, _ := url.Parse(given)\n\tshow(base, given)'),
        new: null,
      },
      'web/a.go': go('\tbase, _ := url.Parse(given)\n\tshow(base, given)'),
    },
  },
  'a weakness is told wherever it is moved to': {
    ...patterns('python-eval', '', '', ''),
    guilty: {
      'app/a.py': { old: 'def f(given):\n    return eval(given.text)\n', new: null },
      'app/b.py': 'def f(given):\n    return eval(given.text)\n',
    },
    quiet: {},
  },
  'an empty except: the block around ends with it, and what follows answers the failure': patterns(
    'python-except-pass',
    'app/a.py',
    'def f(t):\n    if t:\n        try:\n            return g(t)\n        except Exception:\n            pass\n',
    'def f(t):\n    if t:\n        try:\n            return g(t)\n        except Exception:\n            pass\n    return None\n',
  ),
  'a shell: a program that a task runner starts': patterns(
    'javascript-shell',
    'Makefile.js',
    "const shell = require('shelljs');\nshell.exec(`${find('c8')} report`);\n",
    "require('shelljs/make');\nconst shell = require('shelljs');\nshell.exec(`${find('c8')} report`);\n",
  ),
  'a Go error: the text is for an error that the next statements make': patterns(
    'go-ignored-error',
    'a.go',
    go('\tdata, _ := io.ReadAll(r.Body)\n\t_ = r.Body.Close()\n\terr = show(data)'),
    go(
      '\tdata, _ := io.ReadAll(r.Body)\n\t_ = r.Body.Close()\n\terr = fmt.Errorf("%d: %s", r.StatusCode, data)',
    ),
  ),
  'a Go error: a record of a named type can be written': patterns(
    'go-lost-error',
    'a.go',
    go('\tanswer := load(given)\n\tdata, _ := json.Marshal(answer)\n\treturn send(data)'),
    go(
      '\tvar answer = &Answer{}\n\tanswer.Name = given\n\tdata, _ := json.Marshal(answer)\n\treturn send(data)',
    ),
  ),
  'a Go error: a record that is seen to hold anything': patterns(
    'go-lost-error',
    'a.go',
    `${go('\tdata, _ := json.Marshal(Answer{Data: given})\n\treturn send(data)')}\ntype Answer struct {\n\tData any\n}\n`,
    `${go('\tdata, _ := json.Marshal(Answer{Data: given})\n\treturn send(data)')}\ntype Answer struct {\n\tData string\n}\n`,
  ),
  'TLS in Go: a setting that is named so asks for it': patterns(
    'go-tls-off',
    'a.go',
    go('\tif settings.Fast {\n\t\tconfig.InsecureSkipVerify = true\n\t}'),
    go('\tif settings.SkipTLSVerify {\n\t\tconfig.InsecureSkipVerify = true\n\t}'),
  ),
  'TLS in Go: the other branch is none that was asked for': patterns(
    'go-tls-off',
    'a.go',
    go('\tif insecure {\n\t\tshow(given)\n\t} else {\n\t\tconfig.InsecureSkipVerify = true\n\t}'),
    go('\tif !settings.verifyPeer {\n\t\tconfig.InsecureSkipVerify = true\n\t}'),
  ),
  'TLS in Go: what is refused by name is not asked for': patterns(
    'go-tls-off',
    'a.go',
    go('\tif !settings.insecure {\n\t\tconfig.InsecureSkipVerify = true\n\t}'),
    go('\tif given != "" && settings.insecure {\n\t\tconfig.InsecureSkipVerify = true\n\t}'),
  ),
  'a host key: nobody wants it checked': patterns(
    'go-host-key',
    'a.go',
    go(
      '\tswitch {\n\tcase settings.KnownHostsFile == "":\n\t\tconfig.HostKeyCallback = ssh.InsecureIgnoreHostKey()\n\t}',
    ),
    go(
      '\tswitch {\n\tcase settings.KnownHostsFile == "none":\n\t\tconfig.HostKeyCallback = ssh.InsecureIgnoreHostKey()\n\t}',
    ),
  ),
  'TLS in Node: a setting that is named so asks for it': patterns(
    'javascript-tls-off',
    'src/a.js',
    'if (settings.fast) {\n  agent = new https.Agent({ rejectUnauthorized: false });\n}\n',
    'if (settings.insecure) {\n  agent = new https.Agent({ rejectUnauthorized: false });\n}\n',
  ),
  'a copy in C: the length of the source was held against the room': patterns(
    'c-unbounded-copy',
    'src/a.c',
    'int f(struct a *a) {\n  size_t n = strlen(a->name);\n  show(n);\n  strcpy(out, a->name);\n}\n',
    'int f(struct a *a) {\n  size_t n = strlen(a->name);\n  if (n < room) {\n    strcpy(out, a->name);\n  }\n}\n',
  ),
  'a copy in C: the target was made as long as the source': patterns(
    'c-unbounded-copy',
    'src/a.c',
    'int f(struct a *a) {\n  char *out = malloc(80);\n  show(strlen(a->name));\n  strcpy(out, a->name);\n}\n',
    'int f(struct a *a) {\n  char *out = malloc(strlen(a->name) + 1);\n  strcpy(out, a->name);\n}\n',
  ),
  'an empty except: what is done after success stands in its else': patterns(
    'python-except-pass',
    'app/a.py',
    'def f(t):\n    try:\n        a = g(t)\n    except Exception:\n        pass\n    h()\n',
    'def f(t):\n    try:\n        a = g(t)\n    except Exception:\n        pass\n    else:\n        t.add(a)\n    h()\n',
  ),
  'an empty except: a module that the program can do without': patterns(
    'python-except-pass',
    'app/a.py',
    'try:\n    connect()\n    HAS_A = True\nexcept Exception:\n    pass\n',
    'try:\n    try:\n        import a\n    except ImportError:\n        import b as a\n    HAS_A = True\nexcept Exception:\n    pass\n',
  ),
  'an empty catch in C#: its condition says which failure is meant': patterns(
    'csharp-empty-catch',
    'src/A.cs',
    'class A { void F() { try { g(); } catch (BusException e) { } } }\n',
    'class A { void F() { try { g(); } catch (BusException e) when (e.Reason == Reason.Gone) { } } }\n',
  ),
  'an empty catch: all that was tried is to roll back': patterns(
    'javascript-empty-catch',
    'src/a.js',
    'async function f() { try { await runner.begin(); } catch (error) {} }\n',
    'async function f() { try { await runner.rollbackTransaction(); } catch (error) {} }\n',
  ),
  'a Go error: a map of texts can be written': patterns(
    'go-lost-error',
    'a.go',
    go('\tdata, _ := json.Marshal(map[string]any{"a": load(given)})\n\treturn send(data)'),
    go('\tdata, _ := json.Marshal(map[string]string{"a": given})\n\treturn send(data)'),
  ),
  'a path: the file that a setting names is no entry of an archive': patterns(
    'go-flow-path',
    'a.go',
    go(
      '\tfor _, entry := range zipReader.File {\n\t\tos.Create(filepath.Join(given, entry.Name))\n\t}',
    ),
    go('\tos.Create(Opt.File)'),
  ),
  'a Go error: a file is taken away after a failure that is told': patterns(
    'go-lost-error',
    'a.go',
    go('\tif given == "" {\n\t\tos.Remove(given)\n\t}\n\treturn nil'),
    go('\tif given == "" {\n\t\tos.Remove(given)\n\t\treturn errEmpty\n\t}\n\treturn nil'),
  ),
  'a Go error: a file is taken away where an error was found': patterns(
    'go-lost-error',
    'a.go',
    go('\tif err == nil {\n\t\tos.Remove(given)\n\t}\n\tgo show(err)'),
    go('\tif err != nil {\n\t\tos.Remove(given)\n\t}\n\tgo show(err)'),
  ),
  'a Go error: a file that was made to be taken away': patterns(
    'go-lost-error',
    'a.go',
    go('\tos.Remove(attempt)\n\treturn nil'),
    go('\tos.Remove(tmpName)\n\treturn nil'),
  ),
  'an empty catch: the attempt begins with a remark that it may fail': patterns(
    'csharp-empty-catch',
    'src/A.cs',
    'class A { void F() { try {\n  // Goes on with the next one.\n  g(); } catch (Exception) { } } }\n',
    'class A { void F() { try {\n  // Attempt, but do not fail here.\n  g(); } catch (Exception) { } } }\n',
  ),
  'TLS: whoever wants it checked has left before': patterns(
    'python-tls-off',
    'app/a.py',
    'def f(verified):\n    if verified:\n        show(context)\n    context.verify_mode = ssl.CERT_NONE\n',
    'def f(verified):\n    if verified:\n        return create()\n    context.verify_mode = ssl.CERT_NONE\n',
  ),
  'a branch of an expression says what cannot be': diff(
    'not-implemented',
    'src/A.cs',
    'public int F() => throw new NotImplementedException();\n',
    'public int F() => a is B b ? b.F() : throw new NotImplementedException();\n',
  ),
  'a macro as it stands in its documentation': diff(
    'not-implemented',
    'src/a.rs',
    '#[cfg(unix)]\nmacro_rules! a {\n    () => { unimplemented!() }\n}\n',
    '#[cfg(doc)]\nmacro_rules! a {\n    () => { unimplemented!() }\n}\n',
  ),
  'a test that is off for one compiler': diff(
    'skipped-test',
    'src/ATests.cs',
    '#if OLD\n#endif\n[Fact(Skip = "later")]\npublic void A() { x(); }\n',
    '#if OLD\n[Fact(Skip = "later")]\n#else\n[Fact]\n#endif\npublic void A() { x(); }\n',
  ),
  'output that tells the error that was caught': diff(
    'debug-output',
    'src/a.ts',
    '  try {\n    f();\n  } catch (error) {\n    console.log(list);\n  }\n',
    '  try {\n    f();\n  } catch (error) {\n    console.log(`no list: ${error}`);\n  }\n',
  ),
  'output of a program that is started by hand': diff(
    'debug-output',
    'extra/a.mjs',
    `export const list = read();\n${printed}`,
    `#!/usr/bin/env node\n${printed}`,
  ),
  'output of a server is none of a program': diff(
    'debug-output',
    'extra/a.mjs',
    `#!/usr/bin/env node\napp.listen(80);\n${printed}`,
    `#!/usr/bin/env node\n${printed}`,
  ),
  'a method whose work is to dump': diff(
    'debug-output',
    'src/A.php',
    '<?php\nfunction load($a) {\n    dd($a);\n}\n',
    '<?php\nfunction dd($a) {\n    dd($a->all());\n}\n',
  ),
  'a test that was off by its name': {
    ...diff('skipped-test', 'src/test/ATest.java', offNow, ''),
    quiet: {
      'src/test/ATest.java': {
        old: '  public void disable_testLongInput() {\n',
        new: offNow,
      },
    },
  },
  'a line that is only moved to the right': {
    ...diff(
      'fixme',
      'src/a.go',
      '// FIXME races with close\nvar opened = make(map[string]bool)\n',
      '',
    ),
    quiet: {
      'src/a.go': {
        old: '// FIXME races with close\nvar opened = make(map[string]bool)\n',
        new: 'if ready {\n\t// FIXME races with close\n\tvar opened = make(map[string]bool)\n}\n',
      },
    },
  },
  'a line that is moved into another file': {
    ...diff(
      'skipped-test',
      'tests/test_b.py',
      '@pytest.mark.skip\ndef test_slow_disk():\n    assert f()\n',
      '',
    ),
    quiet: {
      'tests/test_a.py': {
        old: 'import a\n\n@pytest.mark.skip\ndef test_slow_disk():\n    assert f()\n',
        new: 'import a\n',
      },
      'tests/test_b.py': '@pytest.mark.skip\ndef test_slow_disk():\n    assert f()\n',
    },
  },
  'a line like one that went away elsewhere is new all the same': {
    ...diff('not-implemented', 'src/A.cs', '', ''),
    guilty: {
      'src/A.cs': {
        old: 'int First()\n{\n    throw new NotImplementedException();\n}\n',
        new: 'int First()\n{\n    return total;\n}\n',
      },
      'src/B.cs': 'int Second()\n{\n    throw new NotImplementedException();\n}\n',
    },
    quiet: {},
  },
  'a key for tests with its certificate in the same folder': {
    analyser: 'secrets',
    rule: 'secrets/private-key',
    guilty: { 'tests/keys/deploy.key': privateKey, 'tests/other/server.crt': certificate },
    quiet: { 'tests/keys/server.key': privateKey, 'tests/keys/server.crt': certificate },
  },
  'a key of documentation with its certificate in the same text': {
    analyser: 'secrets',
    rule: 'secrets/private-key',
    guilty: { 'docs/a.md': privateKey },
    quiet: { 'docs/a.md': certificate + privateKey },
  },
  'a key and its certificate where no test is': {
    analyser: 'secrets',
    rule: 'secrets/private-key',
    guilty: { 'deploy/server.key': privateKey, 'deploy/server.crt': certificate },
    quiet: {},
  },
  'a sentence is no password, whatever its name': {
    analyser: 'secrets',
    rule: 'secrets/password',
    guilty: { 'src/lang/el.json': '{ "userToken": "Xk29-vQz7_Lp48sWm" }\n' },
    quiet: { 'src/lang/el.json': '{ "userToken": "Τοκλειδίτουχρήστη2024-Web" }\n' },
  },
  'reject and resolve as two branches of one choice': {
    analyser: 'javascript',
    rule: 'javascript/promise/no-multiple-resolved',
    guilty: {
      'src/a.js':
        'export const f = () => new Promise((resolve, reject) => {\n  ask((error, data) => {\n    if (error) reject(error);\n    resolve(data);\n  });\n});\n',
    },
    quiet: {
      'src/a.js':
        'export const f = () => new Promise((resolve, reject) => {\n  ask((error, data) => {\n    error ? reject(error) : resolve(data);\n  });\n});\n',
    },
  },
  'elements that are written out one by one': {
    analyser: 'javascript',
    rule: 'javascript/react/jsx-key',
    guilty: { 'src/a.jsx': 'export const A = ({ l }) => l.map(x => <Row a={x} />);\n' },
    quiet: { 'src/a.jsx': 'export const rows = [\n  <Row a="1" />,\n  <Row a="2" />,\n];\n' },
  },
  'code that a program has written': patterns(
    'java-string-identity',
    'src/A.java',
    '/* A.java */\n/* Generated values are read here. */\nclass A { boolean f(String a) { return a == "b"; } }\n',
    '/* A.java */\n/* Generated By:Maker: Do not edit this line. */\nclass A { boolean f(String a) { return a == "b"; } }\n',
  ),
  'a project of tests, as .NET names it': {
    ...diff('not-implemented', '', '', ''),
    guilty: { 'Src/Shop/A.cs': 'void F() {\n    throw new NotImplementedException();\n}\n' },
    quiet: {
      'Src/Shop.UnitTests/A.cs': 'void F() {\n    throw new NotImplementedException();\n}\n',
    },
  },
  'a folder of tests, as camel case names it': {
    ...diff('not-implemented', '', '', ''),
    guilty: { 'src/Unit/A.cs': 'void F() {\n    throw new NotImplementedException();\n}\n' },
    quiet: { 'src/UnitTests/A.cs': 'void F() {\n    throw new NotImplementedException();\n}\n' },
  },
  'a test of Go in a file for some systems alone': diff(
    'skipped-test',
    'a_test.go',
    '//go:build integration\n\npackage a\n\nfunc TestNode(t *testing.T) {\n\tt.Skip("later")\n}\n',
    '//go:build !linux && !darwin\n\npackage a\n\nfunc TestNode(t *testing.T) {\n\tt.Skip("not here")\n}\n',
  ),
  'a test of Python that a class puts aside and another one runs': diff(
    'skipped-test',
    'tests/a.py',
    'class A(B):\n    @unittest.skip("patches objects")\n    def test_disk(self):\n        pass\n',
    'class B(T):\n    def test_disk(self):\n        self.check(1)\n\nclass A(B):\n    @unittest.skip("patches objects")\n    def test_disk(self):\n        pass\n',
  ),
  'a library that was copied in with its version in its name': {
    ...patterns('javascript-inner-html', '', '', ''),
    guilty: { 'docs/js/pretty.js': 'a.innerHTML = `<i>${b}</i>`;\n' },
    quiet: { 'docs/js/pretty-1.0.js': 'a.innerHTML = `<i>${b}</i>`;\n' },
  },
  'a converter of C# that says it cannot': diff(
    'not-implemented',
    'src/A.cs',
    'public override bool CanWrite => true;\npublic override void WriteJson(Writer writer)\n{\n    throw new NotImplementedException();\n}\n',
    'public override bool CanWrite => false;\npublic override void WriteJson(Writer writer)\n{\n    throw new NotImplementedException();\n}\n',
  ),
  'a library for tests, by its last words': {
    ...diff('not-implemented', '', '', ''),
    guilty: {
      'src/Bus.Framework/A.cs': 'void F() {\n    throw new NotImplementedException();\n}\n',
    },
    quiet: {
      'src/Bus.TestFramework/A.cs': 'void F() {\n    throw new NotImplementedException();\n}\n',
    },
  },
  'a mark of Java on what is no test': diff(
    'skipped-test',
    'src/test/ATest.java',
    '@Disabled("Not a fast test")\npublic class ATest {\n',
    '@Disabled("Not a test case")\npublic class ATest {\n',
  ),
  'a program of Ruby in a text of its tests': diff(
    'skipped-test',
    'spec/a_spec.rb',
    "expect_offense(<<~RUBY)\n  a\nRUBY\nxit 'keeps quiet' do\nend\n",
    "expect_offense(<<~RUBY)\n  xit 'keeps quiet' do\n  end\nRUBY\n",
  ),
  'output of an example': {
    ...diff('debug-output', '', '', ''),
    guilty: { 'src/app.ts': printed },
    quiet: { 'playground/app.ts': printed },
  },
  'a function of Go that does nothing on some systems': diff(
    'idle-function',
    'a/notify.go',
    'package a\n\nfunc NotifyOwner(id string) {}\n',
    '//go:build plan9 || js\n\npackage a\n\nfunc NotifyOwner(id string) {}\n',
  ),
  'a function of which it is written that others fill it': diff(
    'idle-function',
    'app/a.py',
    'class A:\n    def delete_limit(self):\n        """Says how many."""\n        return None\n',
    'class A:\n    def delete_limit(self):\n        """Provide a hook for others."""\n        return None\n',
  ),
  'an address with a password in a text that explains the code': {
    analyser: 'secrets',
    rule: 'secrets/basic-auth',
    guilty: { 'app/a.py': 'text = """\nopen("db://scott:tg7Kq2Lx@rows")\n"""\n' },
    quiet: {
      'app/a.py':
        'def f():\n    """Opens rows::\n\n    open("db://scott:tg7Kq2Lx@rows")\n    """\n',
    },
  },
  'an empty pattern that keeps a place': {
    analyser: 'javascript',
    rule: 'javascript/eslint/no-empty-pattern',
    guilty: { 'src/a.js': 'export const f = ({}) => g();\n' },
    quiet: { 'src/a.js': 'export const f = ({}, suite) => g(suite);\n' },
  },
  'a setter that is one expression': {
    analyser: 'javascript',
    rule: 'javascript/eslint/no-setter-return',
    guilty: {
      'src/a.js': 'export const a = {\n  set b(value) {\n    return keep(value);\n  },\n};\n',
    },
    quiet: {
      'src/a.js':
        "Object.defineProperty(a, 'b', {\n  get: () => c,\n  set: value =>\n    keep(value),\n});\n",
    },
  },
  'undefined as the name of what nobody gives': {
    analyser: 'javascript',
    rule: 'javascript/eslint/no-shadow-restricted-names',
    guilty: { 'src/a.js': 'export function f(NaN) {\n  return NaN;\n}\n' },
    quiet: { 'src/a.js': '(function (w, undefined) {\n  w.a = undefined;\n})(window);\n' },
  },
  'one expectation for several places of a test': {
    analyser: 'javascript',
    rule: 'javascript/unicorn/no-array-fill-with-reference-type',
    guilty: { 'src/a.js': 'export const rows = Array(4).fill({ a: 1 });\n' },
    quiet: { 'tests/a.js': 'export const rows = Array(4).fill({ a: 1 });\n' },
  },
  'unimplemented! with words of its own tells what is wrong': diff(
    'not-implemented',
    'src/a.rs',
    'fn a() {\n    unimplemented!("no reader yet");\n}\n',
    'fn a() {\n    unimplemented!("this hasher takes numbers alone");\n}\n',
  ),
  'the public half of a key': {
    analyser: 'secrets',
    rule: 'secrets/password',
    guilty: { 'src/app.config': '<a privateToken="cc7b13ffcd2ddd51-Qx" />\n' },
    quiet: { 'src/app.config': '<a publicKeyToken="cc7b13ffcd2ddd51-Qx" />\n' },
  },
  'a library that a bundler has put together': patterns(
    'javascript-inner-html',
    'app/assets/tree.js',
    '(function (root) {\n  root.a.innerHTML = `<i>${root.b}</i>`;\n})(this);\n',
    "(function (global, factory) {\n  typeof exports === 'object' && typeof module !== 'undefined' ? module.exports = factory() :\n  (global.Tree = factory());\n})(this, function () {\n  a.innerHTML = `<i>${b}</i>`;\n});\n",
  ),
  'data of tests': {
    ...patterns('python-repeated-key', '', '', ''),
    guilty: { 'tests/cases/a.py': 'x = {"a": 1, "a": 2}\n' },
    quiet: { 'tests/data/cases/a.py': 'x = {"a": 1, "a": 2}\n' },
  },
  'NotImplementedException with words of its own tells what is wrong': diff(
    'not-implemented',
    'src/A.cs',
    'void F() {\n    throw new NotImplementedException("Not yet implemented");\n}\n',
    'void F() {\n    throw new NotImplementedException($"No reader for {kind}");\n}\n',
  ),
  'a stub is called so because nothing is in it': {
    ...diff('not-implemented', '', '', ''),
    guilty: { 'src/A.java': 'throw new UnsupportedOperationException("Not implemented");\n' },
    quiet: {
      'clock-stub/src/A.java': 'throw new UnsupportedOperationException("Not implemented");\n',
    },
  },
  'tests of Rust beside their code': diff(
    'debug-output',
    'src/a.rs',
    '#[cfg(test)]\nmod tests {\n    fn a() {}\n}\n\nfn b() {\n    dbg!(c);\n}\n',
    '#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {\n        dbg!(c);\n    }\n}\n',
  ),
  'a FIXME whose lines are broken elsewhere': {
    ...diff('fixme', 'src/a.go', '// FIXME: this should be told to whoever waits for it\n', ''),
    quiet: {
      'src/a.go': {
        old: '// FIXME: this should be told to whoever\n// waits for it\nvar a = 1\n',
        new: '// FIXME: this should be told to whoever waits for it\nvar a = 2\n',
      },
    },
  },
  'the lines around a key without a key': {
    analyser: 'secrets',
    rule: 'secrets/private-key',
    guilty: { 'src/A.java': `String key = "${privateKey.replace(/\n/g, '\\n')}";\n` },
    quiet: {
      'src/A.java':
        'byte[] begin = "-----BEGIN PRIVATE KEY-----\\n".getBytes(Charsets.US_ASCII);\nbyte[] end = "\\n-----END PRIVATE KEY-----\\n".getBytes(Charsets.US_ASCII);\n',
    },
  },
  'a value in the words of its name': {
    analyser: 'secrets',
    rule: 'secrets/password',
    guilty: { 'src/A.cs': 'const string UserApiKey = "pm-37165-qx7-v81-kd02-zt";\n' },
    quiet: {
      'src/A.cs': 'const string RotateUserApiKeyCommand = "pm-37165-rotate-user-command";\n',
    },
  },
  'the published key of an emulator': {
    analyser: 'secrets',
    rule: 'secrets/azure',
    guilty: { 'tests/a.cs': `"AccountKey=${'Qm7x'.repeat(4)}${'Zt4Lk9Pw'.repeat(9)}=="\n` },
    quiet: {
      'tests/a.cs':
        '"AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="\n',
    },
  },
  'a class of Python that only says what others must have': diff(
    'idle-function',
    'app/a.py',
    'class File(Entry):\n    def save(self) -> None:\n        pass\n',
    'class File(Protocol):\n    def save(self) -> None:\n        pass\n',
  ),
  'code of others that was copied in': {
    ...patterns('python-eval', '', '', ''),
    guilty: { 'app/vendors/a.py': 'x = eval(given)\n' },
    quiet: { 'app/_vendor/a.py': 'x = eval(given)\n' },
  },
  'a test whose work is to be compiled': diff(
    'skipped-test',
    'src/a.rs',
    '#[test]\n#[ignore] // too slow\nfn a() {}\n',
    '#[test]\n#[ignore] // only compilation is checked\nfn a() {}\n',
  ),
  'a getter that answers on some way': {
    analyser: 'javascript',
    rule: 'javascript/eslint/getter-return',
    guilty: { 'src/a.js': 'export const a = {\n  get b() {\n    this.c();\n  },\n};\n' },
    quiet: {
      'src/a.js': 'export const a = {\n  get b() {\n    if (this.c) return this.c();\n  },\n};\n',
    },
  },
  'a test is over soon': {
    analyser: 'patterns',
    rule: 'patterns/go-body-left-open',
    guilty: {
      'web/a.go': go('\tresp, err := client.Get(given)\n\tshow(resp.StatusCode)\n\treturn err'),
    },
    quiet: {
      'web/a_test.go': go(
        '\tresp, err := client.Get(given)\n\tshow(resp.StatusCode)\n\treturn err',
      ),
    },
  },
  'a class of a test stands in no map': {
    analyser: 'patterns',
    rule: 'patterns/java-equals-without-hash',
    guilty: {
      'src/A.java': 'class A {\n  public boolean equals(Object o) {\n    return true;\n  }\n}\n',
    },
    quiet: {
      'src/test/A.java':
        'class A {\n  public boolean equals(Object o) {\n    return true;\n  }\n}\n',
    },
  },
  'nobody else locks on a test': {
    analyser: 'patterns',
    rule: 'patterns/csharp-lock-this',
    guilty: { 'src/A.cs': 'class A { void F() { lock (this) { g(); } } }\n' },
    quiet: { 'tests/A.cs': 'class A { void F() { lock (this) { g(); } } }\n' },
  },
  'a condition: what is put into the text is the name of a table': patterns(
    'ruby-sql-condition',
    'app/a.rb',
    'User.where("team = (SELECT id FROM teams WHERE teams.name = \'#{given}\')")\n',
    'User.update_all("team = (SELECT id FROM #{teams} WHERE #{teams}.owner = #{users}.id)")\n',
  ),
  'open permissions: for a file that is removed at once': patterns(
    'go-open-permissions',
    'a.go',
    go('\tif err := os.Chmod(given, 0666); err != nil {\n\t\treturn err\n\t}\n\treturn nil'),
    go(
      '\tif err := os.Chmod(given, 0666); err != nil {\n\t\treturn err\n\t}\n\treturn os.Remove(given)',
    ),
  ),
  'a server without limits: in a program that is built to be looked into': patterns(
    'go-serve-without-limit',
    'a.go',
    go('\treturn http.ListenAndServe(given, nil)'),
    `//go:build debug || profile\n\n${go('\treturn http.ListenAndServe(given, nil)')}`,
  ),
  'elided code: in a text of a program, where an example shows it': diff(
    'elided-code',
    'app/a.rb',
    'def f\n  # your logic here\nend\n',
    'warn <<~TEXT\n  class Own\n    # your logic here\n  end\nTEXT\n',
  ),
  'debug output: the file is there to print': diffOf(
    'debug-output',
    { 'src/Extension/ListExtension.php': '<?php\nvar_dump($list);\n' },
    { 'src/Extension/DebugExtension.php': '<?php\nvar_dump($list);\n' },
  ),
  'a function that does nothing: its class is named for it': diffOf(
    'idle-function',
    { 'src/main/LongPasswordRule.java': idleRule('LongPasswordRule') },
    { 'src/main/NonePasswordRule.java': idleRule('NonePasswordRule') },
  ),
};

describe('a rule that was wrong about a release', () => {
  it.each(Object.entries(pairs))('%s', async (_, { analyser, rule, guilty, quiet }) => {
    expect(await rulesSaid(analyser, guilty)).toContain(rule);
    expect(await rulesSaid(analyser, quiet)).not.toContain(rule);
  });

  it('tells a heap of private keys as one thing, as grave as it is, and names their files', async () => {
    const { findings } = await askAnalyser({
      analyser: 'secrets',
      files: Object.fromEntries(
        Array.from({ length: 30 }, (_, index) => [`deploy/${index}.pem`, privateKey]),
      ),
    });
    expect(findings.map(({ file, severity }) => [file, severity])).toEqual([
      ['deploy/0.pem', 'CRITICAL'],
    ]);
    expect(findings[0]?.issue).toMatch(/deploy\/1\.pem, .* and 9 other files\.$/);
  });

  it('tells a file of keys as one thing, and how many it holds', async () => {
    const { findings } = await askAnalyser({
      analyser: 'secrets',
      files: { 'src/keys.rs': `const A: &str = "${privateKey}";\n`.repeat(40) },
    });
    expect(findings.map(({ line }) => line)).toEqual([1, 10, 19, 28, 37]);
    expect(findings.at(-1)?.issue).toContain('35 more of this kind');
  });

  it('tells keys in tests, examples and documents of a change as one thing, never of none, and names their files', async () => {
    const { findings } = await askAnalyser({
      analyser: 'secrets',
      files: {
        'tests/a.key': privateKey + privateKey,
        'src/b.key': privateKey,
        'src/UnitTests/c.key': privateKey,
        'tests/d.key': privateKey,
        'examples/tls/e.key': privateKey,
        'docs/f.yaml': `key: |\n${privateKey}`,
      },
    });
    expect(findings.map(({ file, severity }) => [file, severity])).toEqual([
      ['src/b.key', 'CRITICAL'],
      ['tests/a.key', 'LOW'],
    ]);
    expect(findings.at(-1)?.issue).toMatch(
      /This file holds more of the kind\. More of the kind: src\/UnitTests\/c\.key, tests\/d\.key, examples\/tls\/e\.key, docs\/f\.yaml\.$/,
    );
  });

  it('counts minified code as not read', async () => {
    const text = `const a = 1;\n${'b.innerHTML = `<i>${c}</i>`;'.repeat(1_000)}\n`;
    const { answer, said } = await askAnalyser({
      analyser: 'patterns',
      files: { 'public/app-v1.js': text },
    });
    expect(said).toEqual([]);
    expect(answer.coverage).toEqual([
      { path: 'public/app-v1.js', extent: 'skipped', why: 'minified code' },
    ]);
  });
});
