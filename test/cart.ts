/** A shop whose branch adds a cart, before a panel that says what the test says. */
import { createSampleRepository, type SampleRepository } from './adapters/git/sample-repository.ts';
import { writePanel } from './cli/jury.ts';

/** A small module with three things that reviewers may say of it: a count that may be wrong, a query put together, a cache without a check. */
export const cart = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum;
}

export function find(db, name) {
  return db.query("SELECT * FROM item WHERE name = '" + name + "'");
}

export function save(cache, key, value) {
  cache.items[key] = value;
  cache.size += 1;
}
`;

export interface Shop {
  readonly sample: SampleRepository;
  readonly config: string;
  /** From now on; without a line: that there is nothing. */
  say(reviewer: string, lines: readonly string[]): void;
}

/** `main` holds a page, `feature` adds `src/cart.js`; alpha, beta and gamma read it. */
export function openShop(): Shop {
  const sample = createSampleRepository();
  sample.write('README.md', 'A shop.\n');
  sample.commit('start');
  sample.git('checkout', '-q', '-b', 'feature');
  sample.write('src/cart.js', cart);
  sample.commit('cart');
  const ids = ['alpha', 'beta', 'gamma'];
  const config = writePanel(
    sample,
    ids.map(id => ({
      id,
      script: `process.stdout.write(fs.readFileSync('${sample.root}/../said-${id}', 'utf8'));`,
    })),
  );
  const say = (reviewer: string, lines: readonly string[]) =>
    sample.write(
      `../said-${reviewer}`,
      `${lines.length === 0 ? 'No issues found.' : lines.join('\n')}\n`,
    );
  for (const id of ids) say(id, []);
  return { sample, config, say };
}
