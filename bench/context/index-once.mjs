// A process of its own, so that its memory is that of one cold index: `node index-once.mjs REPOSITORY FOLDER`.
import { openCodeIndex } from '../../dist/adapters/index/code-index.js';
import { openRepository } from '../../dist/adapters/git/repository.js';

const [root, folder] = process.argv.slice(2);
const began = performance.now();
const repository = await openRepository(root);
const index = await openCodeIndex(folder);
await index.refresh(await repository.tree('HEAD'), id => repository.content(id, 64 << 20));
console.log(
  JSON.stringify({
    ms: performance.now() - began,
    megabytes: process.resourceUsage().maxRSS / 1024,
    files: index.files().length,
  }),
);
index.close();
await repository.close();
