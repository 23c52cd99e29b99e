// Finds recorded answers below a folder: files of agents that hold a Findings Index, and comments of tools by pull request.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readJson } from '../program.mjs';

/** `{ name, text }` of every Markdown file with an index; what a synthesis wrote beside them has none. */
export function indexFilesIn(/** @type {string} */ folder) {
  return filesIn(folder, '.md')
    .map(file => ({ name: path.relative(folder, file), text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /^#{1,4}\s+findings index/im.test(text));
}

/**
 * Of each tool and pull request that has comments.
 * @returns {import('./read.mjs').Comments[]}
 */
export function commentsIn(/** @type {string} */ folder) {
  return filesIn(folder, '.json').flatMap(file => {
    /** @type {{ readonly pull_requests?: readonly { readonly panels?: Record<string, Record<string, import('./read.mjs').Comment[]>> }[] }} */
    const { pull_requests: pulls } = readJson(file);
    if (!Array.isArray(pulls)) return [];
    return pulls.flatMap(({ panels = {} }) =>
      Object.values(panels).flatMap(tools =>
        Object.entries(tools)
          .filter(([, comments]) => comments.length > 0)
          .map(([tool, comments]) => ({ tool, comments })),
      ),
    );
  });
}

function filesIn(/** @type {string} */ folder, /** @type {string} */ ending) {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith(ending))
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map(name => path.join(folder, name));
}
