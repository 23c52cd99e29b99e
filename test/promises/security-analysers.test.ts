import { describe, expect, it } from 'vitest';
import { createHistory, type Files } from '../adapters/git/sample-repository.ts';
import { jury, juryJson, writePanel } from '../cli/jury.ts';

const createAddition = (files: Files): ReturnType<typeof createHistory> =>
  createHistory({ 'README.md': 'A shop.\n' }, files);

const numbered = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const route = (body: string): string => `app.get('/', async (req, res) => { ${body} });`;

/** One injection on each line. */
const injections = {
  'src/sql.js': [
    route('db.query("SELECT * FROM users WHERE id = " + req.query.id);'),
    route('db.query(`SELECT * FROM users WHERE id = ${req.query.id}`);'),
    route("db.query(`SELECT * FROM users WHERE name = '${req.query['name']}'`);"),
    route('db.query("SELECT * FROM users WHERE id = " + String(req.query.id));'),
    route('db.all(`SELECT * FROM users ORDER BY ${req.query.sort}`);'),
    route('pool.query({ text: `SELECT * FROM users WHERE id = ${req.query.id}` });'),
    route("const sql = `SELECT * FROM users WHERE name = '${req.body.name}'`; db.query(sql);"),
    route('prisma.$queryRawUnsafe(`SELECT * FROM users WHERE id = ${req.query.id}`);'),
  ],
  'src/shell.js': [
    route('child_process.exec(`ls ${req.query.folder}`);'),
    route("require('child_process').exec(`ls ${req.query.folder}`);"),
    route('exec(req.query.command);'),
  ],
  'app/shell.py': [
    'os.system(input())',
    'os.system("ping " + input("> "))',
    'os.system(f"ping {request.args.get(\'host\')}")',
    'os.popen(request.args["command"])',
    'subprocess.run(f"ls {request.args[\'folder\']}", shell=True)',
    'subprocess.Popen("ls " + input(), shell=True)',
    'subprocess.getoutput(f"ls {folder}")',
  ],
  'app/sql.py': [
    'cur.execute("SELECT * FROM orders WHERE id = " + request.args["order_id"])',
    'cur.execute(f"SELECT * FROM orders WHERE id = {request.query_params[\'id\']}")',
    'cur.execute("SELECT * FROM orders WHERE id = " + input())',
    'query = f"SELECT * FROM orders WHERE id = {request.args[\'id\']}"',
  ],
} as const;

const harmless = {
  'src/sql.js': [
    route('db.query("SELECT * FROM users WHERE id = ?", [req.query.id]);'),
    route('db.query(`SELECT * FROM users WHERE id = $1`, [req.query.id]);'),
    route('db.query(sql`SELECT * FROM users WHERE id = ${req.query.id}`);'),
    route('return sql`SELECT * FROM users WHERE id = ${req.query.id}`;'),
    route('prisma.$queryRaw`SELECT * FROM users WHERE id = ${req.query.id}`;'),
    route('pool.query({ text: "SELECT * FROM users WHERE id = $1", values: [req.query.id] });'),
    route('db.query(`SELECT * FROM users WHERE id = ${db.escape(req.query.id)}`);'),
    route('db.query(`SELECT * FROM users WHERE id = ${Number(req.query.id)}`);'),
    route("db.query(`SELECT * FROM users ORDER BY id ${req.query.down ? 'DESC' : 'ASC'}`);"),
    route('log.info(`select ${req.query.id} from the list`);'),
    route('execFile("ls", [req.query.folder]); pattern.exec(req.query.text);'),
  ],
  'app/all.py': [
    'cur.execute("SELECT * FROM orders WHERE id = %s", (request.args["id"],))',
    'session.execute(select(Order).where(Order.id == request.args["id"]))',
    'subprocess.run(["ls", request.args["folder"]])',
    'os.system("clear")',
    'os.system(shlex.quote(input()))',
  ],
} as const;

const files = (lines: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(lines).map(([name, text]) => [name, numbered(text)]));

describe('what the built-in analysers state about security', () => {
  it('finds injections where they stand, and each of them is high', () => {
    const { code, record } = juryJson(createAddition(files(injections)).root, ['review']);
    const found = record.claims
      .flatMap(({ findings }) => findings)
      .filter(({ severity }) => severity === 'high')
      .map(({ location }) => `${location?.path}:${location?.line}`);
    expect([...new Set(found)].toSorted()).toEqual(
      Object.entries(injections)
        .flatMap(([name, lines]) => lines.map((_, index) => `${name}:${index + 1}`))
        .toSorted(),
    );
    expect([code, record.outcome, record.blocking.length]).toEqual([
      1,
      'FAIL',
      record.claims.filter(({ severity }) => severity === 'high').length,
    ]);
  });

  it('is silent about values that are passed as parameters', () => {
    const { code, record } = juryJson(createAddition(files(harmless)).root, ['review']);
    expect([
      code,
      record.claims.map(({ text, location }) => `${location?.path}:${location?.line} ${text}`),
    ]).toEqual([0, []]);
  });

  it.each([
    ['an injection', { 'app/shell.py': 'os.system(f"ping {host}")\n' }],
    ['eval', { 'src/run.js': 'export const run = text => eval(text);\n' }],
    ['unsafe YAML', { 'app/load.py': 'data = yaml.load(text)\n' }],
  ])('blocks alone: %s', (_, change) => {
    const sample = createAddition(change);
    const { code, record } = juryJson(sample.root, ['review']);
    expect([code, record.blocking]).toEqual([1, record.claims.map(({ id }) => id)]);
  });

  it('closes the quality gates', () => {
    expect(
      jury(createAddition({ 'src/sql.js': numbered(injections['src/sql.js']) }).root, [
        'gates',
        'HEAD~1..HEAD',
      ]).code,
    ).toBe(1);
  });

  it('blocks alone whatever the analyser is called and whoever else is seated', () => {
    const sample = createAddition({ 'app/shell.py': 'os.system(f"ping {host}")\n' });
    const seats =
      '  - { id: fred, runner: builtin, analyser: patterns }\n  - { id: calm, runner: command, command: ' +
      '[sh, -c, "cat > /dev/null; echo None"] }\n';
    sample.write('../panel/fred.yaml', `reviewers:\n${seats}`);
    const { code, record } = juryJson(sample.root, ['review', '--config', '../panel/fred.yaml']);
    expect([
      code,
      record.claims.map(({ supporters }) => supporters),
      record.blocking.length,
    ]).toEqual([1, [['fred']], 1]);
  });

  it('blocks no more when somebody has dismissed it', () => {
    const sample = createAddition({ 'app/shell.py': 'os.system(f"ping {host}")\n' });
    const { record } = juryJson(sample.root, ['review']);
    jury(sample.root, [
      'dismiss',
      record.claims[0]?.id ?? '',
      '--reason',
      'the host is a constant',
    ]);
    expect(juryJson(sample.root, ['review'])).toMatchObject({
      code: 0,
      record: { outcome: 'PASS', blocking: [] },
    });
  });

  it.each([
    ['never', 0],
    ['single:critical,majority:high', 0],
    ['analyser:critical', 0],
    ['analyser:high', 1],
  ])('obeys fail rules that somebody sets: %s', (rule, code) => {
    const sample = createAddition({ 'app/shell.py': 'os.system(f"ping {host}")\n' });
    expect(juryJson(sample.root, ['review', '--fail-on', rule])).toMatchObject({
      code,
      record: { claims: [{ severity: 'high' }] },
    });
  });
});

describe('what does not block alone', () => {
  it('is a high finding of another reviewer, even one that calls itself an analyser of security', () => {
    const sample = createAddition({ 'src/run.js': 'export const run = text => parse(text);\n' });
    const answer = JSON.stringify({
      findings: [
        {
          id: 'A1',
          severity: 'HIGH',
          category: 'security',
          file: 'src/run.js',
          line: 1,
          issue: 'The text is not checked.',
          evidence: 'Built-in rule patterns/python-eval (CWE-95).',
        },
      ],
      verdict: 'WARN',
    });
    const config = writePanel(sample, [
      { id: 'patterns', script: `console.log(${JSON.stringify(answer)});` },
      { id: 'other', script: "console.log('None\\nVERDICT: safe');" },
    ]);
    expect(juryJson(sample.root, ['review', '--config', config])).toMatchObject({
      code: 0,
      record: { claims: [{ severity: 'high', supporters: ['patterns'] }] },
    });
  });

  it('is a high finding of an analyser about anything but security', () => {
    const sample = createAddition({ 'src/run.js': 'const a = 1;\na = 2;\n' });
    expect(juryJson(sample.root, ['review'])).toMatchObject({
      code: 0,
      record: { claims: [{ severity: 'high' }] },
    });
  });
});
