/** What cases are made of. */

/** A command: a text is split at spaces, a list is taken as it is. */
export function run(words, rest = {}) {
  return { words: typeof words === 'string' ? words.split(' ') : words, ...rest };
}

/** A case for each entry: `combine('a', { b: 1, c: 2 }, make)` makes `a/b` and `a/c`. */
export function combine(prefix, table, make) {
  return Object.entries(table).map(([name, value]) => ({
    name: `${prefix}/${name}`,
    ...make(value, name),
  }));
}

/**
 * Files of a configuration beside the repository that seats a reviewer for each answer. By default answers are recorded;
 * `runner: 'command'` prints them, `runner: 'api'` has them from a model. One at a time, so that the order is always the same.
 */
export function panel(answers, { seats = {}, runner = 'replay', ...settings } = {}) {
  const reviewers = Object.keys(answers).map(id => ({
    id,
    runner,
    ...{
      replay: { answers: `./${id}.md` },
      command: { command: ['sh', './say.sh', `${id}.md`] },
      api: { model: `openai-compatible/say ${id}`, baseUrl: 'http://127.0.0.1:$port/v1' },
    }[runner],
    ...seats[id],
  }));
  return {
    'panel/jury.config.json': JSON.stringify({ concurrency: 1, ...settings, reviewers }),
    'panel/say.sh': 'cat >/dev/null\ncat "${0%/*}/$1"\n',
    ...Object.fromEntries(Object.entries(answers).map(([id, text]) => [`panel/${id}.md`, text])),
  };
}

export const seated = '--config ../panel/jury.config.json';
