/** For every structural rule: text it must report, on the line that says HIT, and text it must not. */
export interface Sample {
  readonly path: string;
  readonly guilty: readonly string[];
  readonly innocent: readonly string[];
}

const js = 'src/a.js';
const ts = 'src/a.ts';
const py = 'app/a.py';
const c = 'src/a.c';
const cpp = 'src/a.cpp';

const go = (body: string, result = 'error'): string =>
  `package a\n\nfunc f(id string) ${result} {\n${body}\n}\n`;
const java = (body: string): string =>
  `class A {\n  void f(String id) throws Exception {\n${body}\n  }\n}\n`;
const rust = (body: string): string => `fn f(id: &str) {\n${body}\n}\n`;
const php = (body: string): string => `<?php\n${body}\n`;
const cs = (body: string): string => `class A {\n  void F(string id) {\n${body}\n  }\n}\n`;
const inC = (body: string): string => `int f(char *id) {\n${body}\n}\n`;

export const samples: Readonly<Record<string, Sample>> = {
  'javascript-sql': {
    path: ts,
    guilty: [
      'db.query("SELECT * FROM users WHERE id = " + req.query.id); // HIT\n',
      'db.query(`SELECT * FROM users WHERE id = ${req.query.id}`); // HIT\n',
      "db.all(`SELECT a FROM b WHERE c LIKE '%${ctx.request.query['q']}%'`); // HIT\n",
      'db.query("SELECT * FROM users WHERE id = " + String(req.query.id)); // HIT\n',
      'pool.query({ text: `SELECT a FROM b WHERE id = ${id}` }); // HIT\n',
      'db.query(`SELECT a FROM b ORDER BY ${req.query.sort}`); // HIT\n',
      'prisma.$queryRawUnsafe(`SELECT a FROM b WHERE id = ${req.query.id}`); // HIT\n',
      'db.query(`SELECT a FROM b WHERE id = ${id}`); // HIT\n',
      "await pool.execute('DELETE FROM users WHERE name = ' + name); // HIT\n",
    ],
    innocent: [
      "db.query('SELECT a FROM b WHERE id = ?', [id]);\n",
      'db.query(`SELECT a FROM ${TABLE} WHERE id = ?`, [id]);\n',
      'db.query(`SELECT a FROM b WHERE id IN (${placeholders})`, ids);\n',
      'log.query(`select ${x}`); sql`SELECT a FROM b WHERE id = ${id}`;\n',
      'db.query("SELECT a FROM b WHERE id = ?", [req.query.id]);\n',
      'db.query(sql`SELECT a FROM b WHERE id = ${req.query.id}`);\n',
      'prisma.$queryRaw`SELECT a FROM b WHERE id = ${req.query.id}`;\n',
      'pool.query({ text: "SELECT a FROM b WHERE id = $1", values: [req.query.id] });\n',
      'db.query(`SELECT a FROM b WHERE id = ${db.escape(req.query.id)}`);\n',
      'db.query(`SELECT a FROM b WHERE id = ${Number(req.query.id)}`);\n',
      "db.query(`SELECT a FROM b ORDER BY a ${req.query.desc ? 'DESC' : 'ASC'}`);\n",
    ],
  },
  'javascript-sql-text': {
    path: ts,
    guilty: [
      "const sql = `SELECT a FROM b WHERE name = '${req.body.name}'`; // HIT\n",
      'let sql; sql = "SELECT a FROM b WHERE id = " + req.query.id; // HIT\n',
    ],
    innocent: [
      'const sql = `SELECT a FROM b WHERE id = ${id}`;\n',
      'const text = `select ${req.query.a} from the list`;\n',
      "const sql = 'SELECT a FROM b WHERE id = ?';\n",
      'const sql = SQL`SELECT a FROM b WHERE id = ${req.query.id}`;\n',
    ],
  },
  'javascript-shell': {
    path: ts,
    guilty: [
      'exec(`rm -rf ${folder}`); // HIT\n',
      'cp.exec(`ls ${req.query.dir}`); // HIT\n',
      "require('child_process').exec(`ls ${dir}`); // HIT\n",
      'exec(req.query.command); // HIT\n',
      "child_process.execSync('git log ' + branch); // HIT\n",
    ],
    innocent: [
      "execSync('git status');\n",
      'pattern.exec(`a ${text}`);\n',
      'pattern.exec(req.query.text);\n',
      'execFile("ls", [req.query.dir]);\n',
      'execFile("git", ["log", branch]);\n',
      'execSync(`${COMMAND} --all`);\n',
    ],
  },
  'javascript-shell-option': {
    path: ts,
    guilty: ['spawn(`git log ${branch}`, { shell: true }); // HIT\n'],
    innocent: ["spawn('git', ['log', branch]);\n", "spawn('npm run build', { shell: true });\n"],
  },
  'javascript-new-function': {
    path: js,
    guilty: ["const f = new Function('a', body); // HIT\n"],
    innocent: ["const f = new Function('return this');\n"],
  },
  'javascript-inner-html': {
    path: js,
    guilty: [
      'box.innerHTML = `<b>${name}</b>`; // HIT\n',
      "box.innerHTML = '<b>' + name + '</b>'; // HIT\n",
    ],
    innocent: [
      "box.innerHTML = '';\n",
      'box.textContent = `<b>${name}</b>`;\n',
      'box.innerHTML = `<b>${escapeHtml(name)}</b>`;\n',
    ],
  },
  'javascript-dangerous-html': {
    path: 'src/a.tsx',
    guilty: [
      'export const A = (p) => <div dangerouslySetInnerHTML={{ __html: p.comment }} />; // HIT\n',
    ],
    innocent: [
      "export const A = () => <div dangerouslySetInnerHTML={{ __html: '&nbsp;' }} />;\n",
      'export const A = (p) => <div dangerouslySetInnerHTML={{ __html: sanitize(p.c) }} />;\n',
    ],
  },
  'javascript-tls-off': {
    path: ts,
    guilty: [
      'const agent = new https.Agent({ rejectUnauthorized: false }); // HIT\n',
      "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; // HIT\n",
    ],
    innocent: [
      'const agent = new https.Agent({ rejectUnauthorized: true });\n',
      "process.env.NODE_ENV = '0';\n",
    ],
  },
  'javascript-password-hash': {
    path: ts,
    guilty: ["createHash('md5').update(password); // HIT\n"],
    innocent: ["createHash('sha256').update(password);\n", "createHash('md5').update(content);\n"],
  },
  'javascript-weak-random': {
    path: ts,
    guilty: ['const sessionId = Math.random().toString(36); // HIT\n'],
    innocent: ['const delay = Math.random() * 100;\n', 'const token = randomBytes(16);\n'],
  },
  'javascript-request-path': {
    path: ts,
    guilty: [
      'res.sendFile(req.query.file); // HIT\n',
      'fs.readFile(path.join(root, req.params.name), done); // HIT\n',
    ],
    innocent: [
      'fs.readFile(path.join(root, path.basename(req.params.name)), done);\n',
      'fs.readFile(file, done);\n',
    ],
  },
  'javascript-open-redirect': {
    path: ts,
    guilty: ['res.redirect(req.query.next); // HIT\n', 'res.redirect(302, req.body.to); // HIT\n'],
    innocent: ["res.redirect('/home');\n"],
  },
  'javascript-token-unchecked': {
    path: ts,
    guilty: [
      'jwt.verify(token, key, { ignoreExpiration: true }); // HIT\n',
      "jwt.verify(token, key, { algorithms: ['none'] }); // HIT\n",
    ],
    innocent: ["jwt.verify(token, key, { algorithms: ['RS256'] });\n"],
  },
  'javascript-empty-catch': {
    path: ts,
    guilty: ['try { a(); } catch (error) {}\n'],
    innocent: [
      'try { a(); } catch (error) { log(error); }\n',
      'try { a(); } catch (error) { /* the file may be gone */ }\n',
      'try { a(); } catch {}\n',
    ],
  },
  'javascript-async-for-each': {
    path: ts,
    guilty: ['list.forEach(async item => { await save(item); }); // HIT\n'],
    innocent: [
      'list.forEach(item => save(item));\n',
      'await Promise.all(list.map(async item => save(item)));\n',
    ],
  },
  'javascript-async-filter': {
    path: ts,
    guilty: ['const some = list.filter(async item => await check(item)); // HIT\n'],
    innocent: [
      'const some = list.filter(item => check(item));\n',
      'await page.some(async () => {});\n',
    ],
  },
  'javascript-finally-throw': {
    path: ts,
    guilty: ["try { a(); } finally {\n  throw new Error('x'); // HIT\n}\n"],
    innocent: ['try { a(); } catch (e) { throw e; } finally { b(); }\n'],
  },

  'python-sql': {
    path: py,
    guilty: [
      'cur.execute(f"SELECT a FROM b WHERE id = {user_id}")  # HIT\n',
      'cur.execute("SELECT a FROM b WHERE id = %s" % user_id)  # HIT\n',
      'cur.execute("DELETE FROM b WHERE id = {}".format(user_id))  # HIT\n',
      'cur.execute("UPDATE b SET a = 1 WHERE id = " + user_id)  # HIT\n',
      'conn.execute(text(f"SELECT a FROM b WHERE id = {user_id}"))  # HIT\n',
      'cur.execute("SELECT a FROM b WHERE id = " + request.args["order_id"])  # HIT\n',
      'cur.execute(f"SELECT a FROM b WHERE id = {request.query_params[\'id\']}")  # HIT\n',
      'cur.execute("SELECT a FROM b WHERE id = " + input())  # HIT\n',
    ],
    innocent: [
      'cur.execute("SELECT a FROM b WHERE id = %s", (user_id,))\n',
      'cur.execute(f"SELECT a FROM {TABLE} WHERE id = ?", (user_id,))\n',
      'cur.execute(f"SELECT {columns} FROM {table}")\n',
      'runner.execute(f"run {job}")\n',
    ],
  },
  'python-sql-text': {
    path: py,
    guilty: [
      'query = f"SELECT a FROM b WHERE id = {request.args[\'id\']}"  # HIT\n',
      'query = "SELECT a FROM b WHERE id = %s" % request.form.get("id")  # HIT\n',
    ],
    innocent: [
      'query = f"SELECT a FROM b WHERE id = {user_id}"\n',
      'query = "SELECT a FROM b WHERE id = %s"\n',
      'text = f"select {request.args[\'a\']} from the list"\n',
    ],
  },
  'python-shell-call': {
    path: py,
    guilty: [
      'subprocess.getoutput(f"ls {folder}")  # HIT\n',
      'getstatusoutput(request.args["c"])  # HIT\n',
      'await asyncio.create_subprocess_shell("ls " + folder)  # HIT\n',
    ],
    innocent: [
      'subprocess.getoutput("git log")\n',
      'subprocess.getoutput(f"ls {shlex.quote(folder)}")\n',
      'await asyncio.create_subprocess_exec("ls", folder)\n',
    ],
  },
  'python-os-system': {
    path: py,
    guilty: [
      'os.system(f"rm {name}")  # HIT\n',
      'os.system(input())  # HIT\n',
      'os.system("ping " + input("> "))  # HIT\n',
      'os.popen(request.args.get("c"))  # HIT\n',
      'os.system("ls " + name)  # HIT\n',
    ],
    innocent: [
      'os.system("clear")\n',
      'os.system(shlex.quote(input()))\n',
      'os.system(f"ls {shlex.quote(name)}")\n',
    ],
  },
  'python-subprocess-shell': {
    path: py,
    guilty: [
      'subprocess.run(command, shell=True)  # HIT\n',
      'subprocess.check_output(f"git log {branch}", shell=True)  # HIT\n',
    ],
    innocent: [
      'subprocess.run(["git", "log", branch])\n',
      'subprocess.run("make all", shell=True)\n',
    ],
  },
  'python-eval': {
    path: py,
    guilty: ['value = eval(text)  # HIT\n'],
    innocent: ['value = eval("1 + 1")\n', 'model.eval()\n', 'value = ast.literal_eval(text)\n'],
  },
  'python-unsafe-yaml': {
    path: py,
    guilty: [
      'data = yaml.load(text)  # HIT\n',
      'data = yaml.load(text, Loader=yaml.Loader)  # HIT\n',
    ],
    innocent: ['data = yaml.safe_load(text)\n', 'data = yaml.load(text, Loader=yaml.SafeLoader)\n'],
  },
  'python-pickle': {
    path: py,
    guilty: ['data = pickle.loads(body)  # HIT\n'],
    innocent: ['copy = pickle.loads(pickle.dumps(a))\n', 'text = pickle.dumps(a)\n'],
  },
  'python-tls-off': {
    path: py,
    guilty: [
      'requests.get(url, verify=False)  # HIT\n',
      'context.check_hostname = False  # HIT\n',
      'context.verify_mode = ssl.CERT_NONE  # HIT\n',
    ],
    innocent: ['requests.get(url, verify=True)\n', 'jwt.decode(token, verify=False)\n'],
  },
  'python-password-hash': {
    path: py,
    guilty: ['digest = hashlib.md5(password.encode()).hexdigest()  # HIT\n'],
    innocent: ['digest = hashlib.md5(content).hexdigest()\n'],
  },
  'python-mktemp': {
    path: py,
    guilty: ['name = tempfile.mktemp()  # HIT\n'],
    innocent: ['name = tempfile.mkstemp()\n'],
  },
  'python-debug-server': {
    path: py,
    guilty: ['app.run(host="0.0.0.0", debug=True)  # HIT\n'],
    innocent: ['app.run(debug=settings.debug)\n'],
  },
  'python-mark-safe': {
    path: py,
    guilty: ['html = mark_safe(f"<b>{name}</b>")  # HIT\n'],
    innocent: ['html = mark_safe("<br>")\n', 'html = mark_safe(f"<b>{escape(name)}</b>")\n'],
  },
  'python-weak-random': {
    path: py,
    guilty: ['reset_token = random.randint(1, 10**9)  # HIT\n'],
    innocent: ['delay = random.random()\n', 'token = secrets.token_hex()\n'],
  },
  'python-except-pass': {
    path: py,
    guilty: [
      'try:\n    a()\nexcept:\n    pass\n',
      'try:\n    a()\nexcept Exception as error:\n    pass\n',
    ],
    innocent: [
      'try:\n    a()\nexcept KeyError:\n    pass\n',
      'try:\n    a()\nexcept Exception:\n    pass  # best effort\n',
      'try:\n    a()\nexcept Exception:\n    log()\n',
    ],
  },
  'python-mutable-default': {
    path: py,
    guilty: [
      'def f(item, seen=[]):  # HIT\n    seen.append(item)\n    return seen\n',
      'def f(*, cache: dict = {}):  # HIT\n    cache["a"] = 1\n',
    ],
    innocent: [
      'def f(item, seen=()):\n    return item in seen\n',
      'def f(names=[]):\n    return len(names)\n',
      'def f(seen=[]):\n    seen = list(seen)\n    seen.append(1)\n',
    ],
  },
  'python-none-equality': {
    path: py,
    guilty: ['if a == None:  # HIT\n    b()\n'],
    innocent: ['if a is None:\n    b()\n', 'query.filter(User.name == None)\n'],
  },
  'python-is-literal': {
    path: py,
    guilty: ['if a is "x":  # HIT\n    b()\n'],
    innocent: ['if a is None or a is True:\n    b()\n'],
  },
  'python-assert-tuple': {
    path: py,
    guilty: ['assert (a == 1, "a is one")  # HIT\n'],
    innocent: ['assert a == 1, "a is one"\n', 'assert (a == 1)\n'],
  },
  'python-finally-return': {
    path: py,
    guilty: ['def f():\n    try:\n        a()\n    finally:\n        return 1  # HIT\n'],
    innocent: ['def f():\n    try:\n        return a()\n    finally:\n        b()\n'],
  },
  'python-raise-not-implemented': {
    path: py,
    guilty: ['class A:\n    def f(self):\n        raise NotImplemented  # HIT\n'],
    innocent: ['class A:\n    def __eq__(self, other):\n        return NotImplemented\n'],
  },
  'python-unreachable': {
    path: py,
    guilty: ['def f():\n    return 1\n    a()  # HIT\n'],
    innocent: [
      'def f():\n    if a:\n        return 1\n    b()\n',
      'def f():\n    return\n    yield\n',
    ],
  },
  'python-repeated-key': {
    path: py,
    guilty: ['a = {"b": 1, "c": 2, "b": 3}  # HIT\n'],
    innocent: ['a = {"b": 1, "c": 2, x: 3, x: 4}\n'],
  },

  'go-sql': {
    path: 'a.go',
    guilty: [
      go('\tdb.Query(fmt.Sprintf("SELECT a FROM b WHERE id = %s", id)) // HIT'),
      go('\tdb.ExecContext(ctx, "DELETE FROM b WHERE id = "+id) // HIT'),
    ],
    innocent: [
      go('\tdb.Query("SELECT a FROM b WHERE id = $1", id)'),
      go('\tdb.Query(fmt.Sprintf("SELECT a FROM %s", tableName))'),
    ],
  },
  'go-shell': {
    path: 'a.go',
    guilty: [
      go('\texec.Command("sh", "-c", "ls "+id) // HIT'),
      go('\texec.CommandContext(ctx, "/bin/bash", "-c", fmt.Sprintf("ls %s", id)) // HIT'),
    ],
    innocent: [go('\texec.Command("ls", id)'), go('\texec.Command("sh", "-c", "ls")')],
  },
  'go-tls-off': {
    path: 'a.go',
    guilty: [go('\t_ = &tls.Config{InsecureSkipVerify: true} // HIT')],
    innocent: [go('\t_ = &tls.Config{InsecureSkipVerify: insecure}')],
  },
  'go-password-hash': {
    path: 'a.go',
    guilty: [go('\tx(md5.Sum([]byte(password))) // HIT')],
    innocent: [go('\tx(md5.Sum(content))')],
  },
  'go-template-html': {
    path: 'a.go',
    guilty: [go('\tx(template.HTML("<b>" + id + "</b>")) // HIT')],
    innocent: [go('\tx(template.HTML("<br>"))')],
  },
  'go-defer-in-loop': {
    path: 'a.go',
    guilty: [go('\tfor _, n := range names {\n\t\tf := open(n)\n\t\tdefer f.Close() // HIT\n\t}')],
    innocent: [
      go('\tdefer f.Close()'),
      go('\tfor {\n\t\tfunc() {\n\t\t\tdefer f.Close()\n\t\t}()\n\t}'),
      go('\tfor {\n\t\tdefer f.Close()\n\t\treturn nil\n\t}'),
    ],
  },
  'go-ignored-error': {
    path: 'a.go',
    guilty: [
      go('\tdata, _ := os.ReadFile(id)\n\tx(data)'),
      go('\t_ = json.Unmarshal(body, &value)'),
    ],
    innocent: [
      go('\tdata, err := os.ReadFile(id)\n\tx(data, err)'),
      go('\t_ = f.Close()'),
      go('\tv, _ := cache[id]\n\tx(v)'),
    ],
  },
  'go-ignored-number': {
    path: 'a.go',
    guilty: [go('\tn, _ := strconv.Atoi(id)\n\tx(n)')],
    innocent: [
      go('\tn, err := strconv.Atoi(id)\n\tx(n, err)'),
      go('\tif n, _ := strconv.Atoi(id); n > 0 {\n\t\tx(n)\n\t}'),
    ],
  },
  'go-error-becomes-nil': {
    path: 'a.go',
    guilty: [go('\tif err != nil {\n\t\treturn nil\n\t}\n\treturn err')],
    innocent: [
      go('\tif err != nil {\n\t\treturn err\n\t}\n\treturn nil'),
      go('\tif err != nil {\n\t\treturn nil // not fatal\n\t}\n\treturn err'),
      go('\tif err != nil {\n\t\treturn nil\n\t}\n\treturn a', '*T'),
    ],
  },
  'go-empty-error-branch': {
    path: 'a.go',
    guilty: [go('\tif err := g(); err != nil {\n\t}\n\treturn nil')],
    innocent: [
      go('\tif err := g(); err != nil {\n\t\treturn err\n\t}\n\treturn nil'),
      go('\tif err := g(); err != nil {\n\t\t// fine\n\t}\n\treturn nil'),
    ],
  },
  'go-lock-copied': {
    path: 'a.go',
    guilty: ['package a\n\nfunc f(wg sync.WaitGroup) { // HIT\n}\n'],
    innocent: ['package a\n\nfunc f(wg *sync.WaitGroup) {\n}\n'],
  },
  'go-add-in-goroutine': {
    path: 'a.go',
    guilty: [go('\tgo func() {\n\t\twg.Add(1) // HIT\n\t\twork()\n\t}()')],
    innocent: [go('\twg.Add(1)\n\tgo func() {\n\t\tdefer wg.Done()\n\t}()')],
  },
  'go-unreachable': {
    path: 'a.go',
    guilty: [go('\treturn nil\n\tx() // HIT')],
    innocent: [go('\tif a {\n\t\treturn nil\n\t}\n\tx()')],
  },
  'go-constant-condition': {
    path: 'a.go',
    guilty: [go('\tif false { // HIT\n\t\tx()\n\t}')],
    innocent: [go('\tif debug {\n\t\tx()\n\t}')],
  },

  'java-sql': {
    path: 'src/A.java',
    guilty: [
      java('    s.executeQuery("SELECT a FROM b WHERE id = " + id); // HIT'),
      java('    s.prepareStatement(String.format("DELETE FROM b WHERE id = %s", id)); // HIT'),
    ],
    innocent: [
      java('    s.prepareStatement("SELECT a FROM b WHERE id = ?");'),
      java('    s.executeQuery("SELECT a FROM " + TABLE);'),
    ],
  },
  'java-runtime-exec': {
    path: 'src/A.java',
    guilty: [java('    Runtime.getRuntime().exec("ls " + id); // HIT')],
    innocent: [java('    Runtime.getRuntime().exec("ls");')],
  },
  'java-trust-all': {
    path: 'src/A.java',
    guilty: [
      'class A {\n  public void checkServerTrusted(X509Certificate[] c, String a) {} // HIT\n}\n',
      'class A {\n  public boolean verify(String host, SSLSession s) { return true; } // HIT\n}\n',
    ],
    innocent: [
      'class A {\n  public void checkServerTrusted(X509Certificate[] c, String a) { check(c); }\n  ' +
        'public boolean verify(String host) { return true; }\n}\n',
    ],
  },
  'java-password-hash': {
    path: 'src/A.java',
    guilty: [java('    x(DigestUtils.md5Hex(password)); // HIT')],
    innocent: [java('    x(DigestUtils.md5Hex(content));')],
  },
  'java-empty-catch': {
    path: 'src/A.java',
    guilty: [java('    try { a(); } catch (IOException e) {}')],
    innocent: [
      java('    try { a(); } catch (IOException ignored) {}'),
      java('    try { a(); } catch (IOException e) { log(e); }'),
      java('    try { a(); } catch (IOException e) { /* closed already */ }'),
    ],
  },
  'java-string-identity': {
    path: 'src/A.java',
    guilty: [java('    if (id == "a") b(); // HIT')],
    innocent: [java('    if ("a".equals(id) && x == null) b();')],
  },
  'java-thread-run': {
    path: 'src/A.java',
    guilty: [java('    new Thread(task).run(); // HIT')],
    innocent: [java('    new Thread(task).start();')],
  },
  'java-equals-without-hash': {
    path: 'src/A.java',
    guilty: ['class A {\n  public boolean equals(Object o) { return true; } // HIT\n}\n'],
    innocent: [
      'class A {\n  public boolean equals(Object o) { return true; }\n  public int hashCode() { return 1; }\n}\n',
    ],
  },
  'java-shared-date-format': {
    path: 'src/A.java',
    guilty: [
      'class A {\n  private static final SimpleDateFormat F = new SimpleDateFormat("y"); // HIT\n}\n',
    ],
    innocent: ['class A {\n  private final SimpleDateFormat f = new SimpleDateFormat("y");\n}\n'],
  },
  'java-finally-return': {
    path: 'src/A.java',
    guilty: [java('    try { a(); } finally { return; } // HIT')],
    innocent: [java('    try { return; } finally { b(); }')],
  },
  'java-deserialise': {
    path: 'src/A.java',
    guilty: [java('    Object o = new ObjectInputStream(in).readObject(); // HIT')],
    innocent: [java('    Object o = mapper.readValue(in, A.class);')],
  },

  'ruby-sql': {
    path: 'a.rb',
    guilty: ['conn.execute("SELECT a FROM b WHERE id = #{id}") # HIT\n'],
    innocent: [
      'conn.execute("SELECT a FROM b")\n',
      'conn.execute("SELECT a FROM #{table_name}")\n',
    ],
  },
  'ruby-sql-condition': {
    path: 'a.rb',
    guilty: ['User.where("name = \'#{name}\'") # HIT\n'],
    innocent: [
      'User.where("name = ?", name)\n',
      'User.where("#{table_name}.a = 1")\n',
      'User.where(name: name)\n',
    ],
  },
  'ruby-shell': {
    path: 'a.rb',
    guilty: ['system("ls #{dir}") # HIT\n', 'x = `git log #{branch}` # HIT\n'],
    innocent: [
      'system("ls", dir)\n',
      'x = `git log`\n',
      'system("ls #{Shellwords.escape(dir)}")\n',
    ],
  },
  'ruby-eval': {
    path: 'a.rb',
    guilty: ['eval(code) # HIT\n'],
    innocent: ['eval("1 + 1")\n', 'instance.eval(code)\n'],
  },
  'ruby-request-dispatch': {
    path: 'a.rb',
    guilty: ['params[:type].constantize # HIT\n', 'record.send(params[:method]) # HIT\n'],
    innocent: ['"User".constantize\n', 'record.send(:save)\n'],
  },
  'ruby-marshal': {
    path: 'a.rb',
    guilty: ['Marshal.load(body) # HIT\n'],
    innocent: ['Marshal.load(Marshal.dump(a))\n', 'YAML.load(text)\n'],
  },
  'ruby-tls-off': {
    path: 'a.rb',
    guilty: ['http.verify_mode = OpenSSL::SSL::VERIFY_NONE # HIT\n'],
    innocent: ['http.verify_mode = OpenSSL::SSL::VERIFY_PEER\n'],
  },
  'ruby-html-safe': {
    path: 'a.rb',
    guilty: ['"<b>#{name}</b>".html_safe # HIT\n'],
    innocent: ['"<br>".html_safe\n', '"<b>#{h(name)}</b>".html_safe\n'],
  },
  'ruby-permit-all': {
    path: 'a.rb',
    guilty: ['params.require(:user).permit! # HIT\n'],
    innocent: ['params.require(:user).permit(:name)\n'],
  },
  'ruby-empty-rescue': {
    path: 'a.rb',
    guilty: ['begin\n  a\nrescue => e\nend\n'],
    innocent: [
      'begin\n  a\nrescue KeyError\nend\n',
      'begin\n  a\nrescue => e\n  log(e)\nend\n',
      'begin\n  a\nrescue => e\n  # best effort\nend\n',
    ],
  },
  'ruby-rescue-exception': {
    path: 'a.rb',
    guilty: ['begin\n  a\nrescue Exception => e # HIT\n  log(e)\nend\n'],
    innocent: ['begin\n  a\nrescue StandardError => e\n  log(e)\nend\n'],
  },

  'rust-sql': {
    path: 'src/a.rs',
    guilty: [
      rust('    conn.execute(&format!("DELETE FROM b WHERE id = {}", id), []); // HIT'),
      rust('    sqlx::query(&format!("SELECT a FROM b WHERE id = {id}")); // HIT'),
    ],
    innocent: [
      rust('    conn.execute("DELETE FROM b WHERE id = ?1", [id]);'),
      rust('    conn.execute(&format!("SELECT a FROM {}", table), []);'),
    ],
  },
  'rust-shell': {
    path: 'src/a.rs',
    guilty: [rust('    Command::new("sh").arg("-c").arg(format!("ls {}", id)); // HIT')],
    innocent: [
      rust('    Command::new("ls").arg(id);'),
      rust('    Command::new("sh").arg("-c").arg("ls");'),
    ],
  },
  'rust-tls-off': {
    path: 'src/a.rs',
    guilty: [rust('    Client::builder().danger_accept_invalid_certs(true); // HIT')],
    innocent: [rust('    Client::builder().danger_accept_invalid_certs(false);')],
  },
  'rust-lock-dropped': {
    path: 'src/a.rs',
    guilty: [rust('    let _ = m.lock().unwrap(); // HIT')],
    innocent: [rust('    let _guard = m.lock().unwrap();'), rust('    let _ = out.write(b"x");')],
  },
  'rust-static-mut': {
    path: 'src/a.rs',
    guilty: ['static mut COUNT: u32 = 0; // HIT\n'],
    innocent: ['static COUNT: AtomicU32 = AtomicU32::new(0);\n'],
  },
  'rust-uninitialised': {
    path: 'src/a.rs',
    guilty: [rust('    let a: u8 = unsafe { std::mem::uninitialized() }; // HIT')],
    innocent: [rust('    let a = MaybeUninit::<u8>::uninit();')],
  },

  'php-sql': {
    path: 'a.php',
    guilty: [
      php('mysqli_query($c, "SELECT a FROM b WHERE id = $id"); // HIT'),
      php('$db->query("DELETE FROM b WHERE id = " . $id); // HIT'),
    ],
    innocent: [
      php('$db->prepare("SELECT a FROM b WHERE id = ?");'),
      php('$db->query("SELECT a FROM {$table}");'),
    ],
  },
  'php-shell': {
    path: 'a.php',
    guilty: [php('exec("ls $dir"); // HIT'), php('$x = `ls $dir`; // HIT')],
    innocent: [php('exec("ls");'), php('exec("ls " . escapeshellarg($dir));')],
  },
  'php-eval': {
    path: 'a.php',
    guilty: [php('eval($code); // HIT')],
    innocent: [php('evaluate($code);')],
  },
  'php-unserialize': {
    path: 'a.php',
    guilty: [php('$a = unserialize($_COOKIE["a"]); // HIT')],
    innocent: [php('$a = unserialize($stored);')],
  },
  'php-echo-request': {
    path: 'a.php',
    guilty: [php('echo "Hello " . $_GET["name"]; // HIT')],
    innocent: [php('echo htmlspecialchars($_GET["name"]);')],
  },
  'php-include-request': {
    path: 'a.php',
    guilty: [php('include $_GET["page"] . ".php"; // HIT')],
    innocent: [php('include __DIR__ . "/a.php";')],
  },
  'php-extract-request': {
    path: 'a.php',
    guilty: [php('extract($_POST); // HIT')],
    innocent: [php('extract($row);')],
  },
  'php-password-hash': {
    path: 'a.php',
    guilty: [php('$h = md5($password); // HIT')],
    innocent: [php('$h = md5($content);')],
  },
  'php-tls-off': {
    path: 'a.php',
    guilty: [php('curl_setopt($c, CURLOPT_SSL_VERIFYPEER, false); // HIT')],
    innocent: [php('curl_setopt($c, CURLOPT_SSL_VERIFYPEER, true);')],
  },
  'php-assignment-condition': {
    path: 'a.php',
    guilty: [php('if ($a = 5) { b(); } // HIT')],
    innocent: [php('if ($a === 5) { b(); }'), php('if ($row = next_row()) { b(); }')],
  },
  'php-empty-catch': {
    path: 'a.php',
    guilty: [php('try { a(); } catch (E $e) {}')],
    innocent: [php('try { a(); } catch (E $e) { log($e); }')],
  },

  'csharp-sql': {
    path: 'A.cs',
    guilty: [
      cs('    new SqlCommand("SELECT a FROM b WHERE id = " + id, c); // HIT'),
      cs('    cmd.CommandText = $"DELETE FROM b WHERE id = {id}"; // HIT'),
      cs('    db.Users.FromSqlRaw($"SELECT a FROM b WHERE id = {id}"); // HIT'),
    ],
    innocent: [
      cs('    new SqlCommand("SELECT a FROM b WHERE id = @id", c);'),
      cs('    db.Users.FromSqlInterpolated($"SELECT a FROM b WHERE id = {id}");'),
    ],
  },
  'csharp-tls-off': {
    path: 'A.cs',
    guilty: [
      cs('    h.ServerCertificateCustomValidationCallback = (a, b, c, d) => true; // HIT'),
      cs('    x(HttpClientHandler.DangerousAcceptAnyServerCertificateValidator); // HIT'),
    ],
    innocent: [cs('    h.ServerCertificateCustomValidationCallback = (a, b, c, d) => Check(b);')],
  },
  'csharp-binary-formatter': {
    path: 'A.cs',
    guilty: [cs('    var f = new BinaryFormatter(); // HIT')],
    innocent: [cs('    var f = new JsonFormatter();')],
  },
  'csharp-raw-html': {
    path: 'A.cs',
    guilty: [cs('    x(Html.Raw("<b>" + id + "</b>")); // HIT')],
    innocent: [cs('    x(Html.Raw("<br>"));')],
  },
  'csharp-async-void': {
    path: 'A.cs',
    guilty: ['class A {\n  private async void Save(int a) { await B(); } // HIT\n}\n'],
    innocent: [
      'class A {\n  private async Task Save(int a) { await B(); }\n  private async void OnClick(object ' +
        'sender, EventArgs e) { await B(); }\n}\n',
    ],
  },
  'csharp-throw-loses-stack': {
    path: 'A.cs',
    guilty: [cs('    try { B(); } catch (Exception ex) { Log(ex); throw ex; } // HIT')],
    innocent: [cs('    try { B(); } catch (Exception ex) { Log(ex); throw; }')],
  },
  'csharp-empty-catch': {
    path: 'A.cs',
    guilty: [cs('    try { B(); } catch { }')],
    innocent: [
      cs('    try { B(); } catch (OperationCanceledException) { }'),
      cs('    try { B(); } catch { Log(); }'),
    ],
  },
  'csharp-lock-this': {
    path: 'A.cs',
    guilty: [cs('    lock (this) { B(); } // HIT')],
    innocent: [cs('    lock (gate) { B(); }')],
  },

  'c-unbounded-input': {
    path: c,
    guilty: [inC('  gets(line); // HIT'), inC('  scanf("%s", name); // HIT')],
    innocent: [inC('  fgets(line, sizeof line, stdin);\n  scanf("%31s", name);')],
  },
  'c-format-string': {
    path: c,
    guilty: [inC('  printf(id); // HIT'), inC('  fprintf(stderr, id); // HIT')],
    innocent: [inC('  printf("%s", id);\n  printf(USAGE);\n  fprintf(stderr, "x");')],
  },
  'c-shell': {
    path: c,
    guilty: [inC('  system(argv[1]); // HIT')],
    innocent: [inC('  system("ls");')],
  },
  'c-unbounded-copy': {
    path: c,
    guilty: [inC('  strcpy(name, argv[1]); // HIT')],
    innocent: [inC('  strcpy(name, "abc");\n  snprintf(name, sizeof name, "%s", argv[1]);')],
  },
  'c-temporary-name': {
    path: c,
    guilty: [inC('  tmpnam(name); // HIT')],
    innocent: [inC('  mkstemp(name);')],
  },
  'c-assignment-condition': {
    path: c,
    guilty: [inC('  if (a = 5) b(); // HIT')],
    innocent: [inC('  if (a == 5) b();\n  if ((a = next())) b();')],
  },
  'cpp-assignment-condition': {
    path: cpp,
    guilty: [inC('  while (a = 1) b(); // HIT')],
    innocent: [inC('  while (a == 1) b();\n  if (auto p = next()) b();')],
  },
  'c-empty-if': {
    path: c,
    guilty: [inC('  if (a == 1); // HIT\n    b();')],
    innocent: [inC('  if (a == 1) b();\n  while (next());')],
  },
  'c-allocation-without-end': {
    path: c,
    guilty: [inC('  char *p = malloc(strlen(id)); // HIT')],
    innocent: [inC('  char *p = malloc(strlen(id) + 1);')],
  },
  'c-clear-nothing': {
    path: c,
    guilty: [inC('  memset(p, sizeof p, 0); // HIT')],
    innocent: [inC('  memset(p, 0, sizeof p);')],
  },
  'c-copy-by-source-size': {
    path: c,
    guilty: [inC('  strncpy(p, id, strlen(id)); // HIT')],
    innocent: [inC('  strncpy(p, id, sizeof p - 1);')],
  },
  'cpp-empty-catch': {
    path: cpp,
    guilty: [inC('  try { a(); } catch (...) {}')],
    innocent: [inC('  try { a(); } catch (...) { throw; }')],
  },
};
