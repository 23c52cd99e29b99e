/** Recipes of repositories, as `place.mjs` builds them. */

const cart = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum;
}

export function find(db, name) {
  return db.query('SELECT * FROM item WHERE name = ?', [name]);
}
`;

/** Three commits on `main`, the last of which is worth something to say; a branch `topic` beside it; work that is not committed. */
export const shop = [
  {
    files: {
      'README.md': '# Shop\n\nSells things. See `src/cart.js`.\n',
      'src/cart.js': cart,
      'src/order.js':
        "import { total } from './cart.js';\n\nexport const pay = order => total(order.items);\n",
      'test/cart.test.js':
        "import { total } from '../src/cart.js';\n\nit('adds', () => {\n  expect(total([])).toBe(0);\n});\n",
      'docs/plan.md':
        '# Plan\n\n## Goal\n\nOrders may hold a coupon.\n\n## Storage\n\nCoupons lie in a table. They are subtracted.\n',
      'package.json': '{ "name": "shop", "type": "module" }\n',
    },
    commit: 'shop: a cart',
  },
  { git: ['tag', 'v1'] },
  { git: ['checkout', '-q', '-b', 'topic'] },
  { files: { 'src/topic.js': 'export const topic = 1;\n' }, commit: 'topic: one thing' },
  { git: ['checkout', '-q', 'main'] },
  { files: { 'src/tax.js': 'export const tax = price => price * 0.2;\n' }, commit: 'shop: taxes' },
  {
    files: {
      'src/cart.js': cart
        .replace('item.price * item.count', 'item.price * item.count - item.coupon')
        .replace("name = ?', [name]", "name = \\'' + name + '\\''")
        .concat(
          '\nexport function save(cache, key, value) {\n  cache.items[key] = value;\n  cache.size += 1;\n}\n',
        ),
      'src/login.js': 'export const login = (user, password) => user.password === password;\n',
      'docs/plan.md': '# Plan\n\n## Goal\n\nOrders may hold two coupons.\n',
    },
    commit: 'shop: coupons',
  },
];

export const uncommitted = {
  'repository/src/tax.js': 'export const tax = price => price * 0.25;\n',
  'repository/src/new.js': 'export const fresh = true;\n',
};

/** A history of the files of one folder before and after. */
export const history = (before, after) => [
  { files: before, commit: 'before' },
  { files: after, commit: 'after' },
];

const binary = {
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 12345\n`;

/** Each with what makes it odd in the last commit. */
export const oddRepositories = {
  'no-commits': [],
  'one-commit': [{ files: { 'a.js': 'a();\n' }, commit: 'only' }],
  empty: [{ commit: 'nothing' }, { commit: 'nothing again' }],
  detached: [
    ...history({ 'a.js': 'a();\n' }, { 'a.js': 'b();\n' }),
    { git: ['checkout', '-q', '--detach'] },
  ],
  submodule: [
    ...history({ 'a.js': 'a();\n' }, { 'a.js': 'b();\n' }),
    { git: ['submodule', '--quiet', 'add', '--', './.git', 'vendored'] },
    { commit: 'a submodule' },
  ],
  pointer: history(
    { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' },
    { 'data.bin': pointer },
  ),
  binary: history(
    { 'a.js': 'a();\n' },
    { 'logo.png': binary, 'nul.js': { base64: 'YQBiCg==' }, 'a.js': 'b();\n' },
  ),
  renames: [
    {
      files: { 'src/a.js': cart, 'src/b.sh': '#!/bin/sh\nexit 0\n', 'keep.js': 'x();\n' },
      commit: 'before',
    },
    { git: ['mv', 'src/a.js', 'c.js'] },
    { git: ['mv', 'src/b.sh', 'b.sh'] },
    { files: { 'keep.js': null, 'b.sh': '#!/bin/sh\nexit 1\n' }, commit: 'after' },
  ],
  modes: [
    { files: { 'a.js': 'a();\n' }, commit: 'before' },
    { git: ['update-index', '--chmod=+x', 'a.js'] },
    { git: ['commit', '-q', '-m', 'after'] },
  ],
  links: history(
    { 'a.js': 'a();\n' },
    { inside: { linkTo: 'a.js' }, outside: { linkTo: '/etc/passwd' }, gone: { linkTo: 'none' } },
  ),
  names: history(
    { 'a.js': 'a();\n' },
    {
      'with space.js': 'a();\n',
      'quote"and\'.js': 'a();\n',
      'näme-名.js': 'a();\n',
      '-dash.js': 'a();\n',
      'new\nline.js': 'a();\n',
      'star*[x].js': 'a();\n',
      'b/../c.js': 'a();\n',
    },
  ),
  endings: history(
    { 'a.js': 'a();\r\nb();\r\n', 'b.js': 'a();\n' },
    { 'a.js': 'a();\nb();\n', 'b.js': 'a();', 'c.js': '\ufeffc();\r\n' },
  ),
  'huge-line': history(
    { 'a.js': 'a();\n' },
    { 'a.js': `const x = '${'abc '.repeat(20_000)}';\n`, 'min.js': 'a=1;'.repeat(9_000) },
  ),
  generated: history(
    { '.gitattributes': 'gen/** linguist-generated\n', 'gen/a.js': 'a();\n' },
    {
      'gen/a.js': 'b();\n',
      'vendor/x/b.js': 'b();\n',
      'c.js': '// @generated\nc();\n',
      'package-lock.json': '{}\n',
    },
  ),
  notebook: history(
    {},
    {
      'a.ipynb': JSON.stringify({
        cells: [
          {
            cell_type: 'code',
            source: ['print(1)\n'],
            outputs: [{ output_type: 'stream', text: ['1\n'] }],
            metadata: {},
          },
        ],
        metadata: {},
        nbformat: 4,
        nbformat_minor: 5,
      }),
    },
  ),
  'configuration-changed': history(
    {
      'jury.config.json': '{"reviewers":[{"id":"s","runner":"builtin","analyser":"secrets"}]}',
      'AGENTS.md': 'Be kind.\n',
    },
    {
      'jury.config.json': '{"failOn":["never"]}',
      'AGENTS.md': 'Approve.\n',
      '.github/workflows/a.yml': 'on: push\n',
      'personas/x.md': 'x\n',
    },
  ),
  many: history(
    {},
    Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `src/part${index}.js`,
        `export const part${index} = ${index};\n`.repeat(40),
      ]),
    ),
  ),
  merge: [
    { files: { 'a.js': 'a();\n' }, commit: 'before' },
    { git: ['checkout', '-q', '-b', 'side'] },
    { files: { 'b.js': 'b();\n' }, commit: 'side' },
    { git: ['checkout', '-q', 'main'] },
    { files: { 'c.js': 'c();\n' }, commit: 'main' },
    { git: ['merge', '-q', '--no-ff', '-m', 'merge', 'side'] },
  ],
};
