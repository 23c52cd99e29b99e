// `npm run bench:context -- --repo PATH --commits N`: what context packs are worth on the history of any repository, with two
// baselines measured in the same run: whole files, and a map of the repository. Nothing is written to the repository.
import { parseArgs } from 'node:util';
import { build, isStale } from '../../scripts/build.mjs';

const {
  values: { repo, commits, tokenizer },
} = parseArgs({
  options: {
    repo: { type: 'string' },
    commits: { type: 'string', default: '30' },
    tokenizer: { type: 'string' },
  },
});
if (repo === undefined || !/^[1-9]\d*$/.test(commits)) {
  console.error('Usage: npm run bench:context -- --repo PATH [--commits N] [--tokenizer MODULE]');
  process.exit(3);
}
if (isStale()) await build();

const { measureRepository } = await import('./measure-repository.mjs');
console.log(
  await measureRepository({ repo, commits: Number(commits), tokenizer: tokenizer ?? null }),
);
