/** What cases are made of. */

/** A command; words with spaces stand in quotes. */
export function run(line, rest = {}) {
  const words = line.match(/"[^"]*"|\S+/g) ?? [];
  return { words: words.map(word => word.replace(/^"(.*)"$/, '$1')), ...rest };
}

/** Commands, between semicolons. */
export const runAll = lines => lines.split(' ; ').map(line => run(line));

/** Rows of a text: each a name, a colon and the rest, which may be empty. */
export function rowsOf(text) {
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map(line => /^(\S+?):\s*(.*)$/.exec(line).slice(1)),
  );
}

/** A case for each entry: `combine('a', { b: 1, c: 2 }, make)` makes `a/b` and `a/c`. */
export function combine(prefix, entries, make) {
  return Object.entries(entries).map(([name, value]) => ({
    name: `${prefix}/${name}`,
    ...make(value, name),
  }));
}

const runners = {
  replay: id => ({ answers: `./${id}.md` }),
  command: id => ({ command: ['sh', './say.sh', `${id}.md`] }),
  api: id => ({ model: `openai-compatible/say-${id}`, baseUrl: '$server/v1' }),
};

/**
 * Files of a configuration beside the repository that seats a reviewer for each answer. One at a time, so that the order is always the
 * same. `seats` adds to them, or seats others.
 */
export function panel(answers, { seats = {}, runner = 'replay', ...settings } = {}) {
  const reviewers = [...new Set([...Object.keys(answers), ...Object.keys(seats)])].map(id => ({
    id,
    runner,
    ...(id in answers && runners[runner](id)),
    ...seats[id],
  }));
  return {
    'panel/jury.config.json': { concurrency: 1, ...settings, reviewers },
    'panel/say.sh': 'cat >/dev/null\ncat "${0%/*}/$1"\n',
    ...Object.fromEntries(Object.entries(answers).map(([id, text]) => [`panel/${id}.md`, text])),
  };
}

export const seated = '--config ../panel/jury.config.json';
