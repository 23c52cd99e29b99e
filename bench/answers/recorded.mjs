// Finds recorded answers below a folder: files of agents that hold a Findings Index, and comments of tools by pull request.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** `{ name, text }` of every Markdown file with an index; what a synthesis wrote beside them has none. */
export function indexFilesIn(folder) {
  return filesIn(folder, '.md')
    .map(file => ({ name: path.relative(folder, file), text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /^#{1,4}\s+findings index/im.test(text));
}

/** `{ source, tool, comments }` for each tool and pull request that has comments: `{ text, path, line, severity }`. */
export function commentsIn(folder) {
  return filesIn(folder, '.json').flatMap(file => {
    const { pull_requests: pulls } = JSON.parse(readFileSync(file, 'utf8'));
    if (!Array.isArray(pulls)) return [];
    return pulls.flatMap(({ panels = {} }) =>
      Object.values(panels).flatMap(tools =>
        Object.entries(tools)
          .filter(([, comments]) => comments.length > 0)
          .map(([tool, comments]) => ({ source: path.relative(folder, file), tool, comments })),
      ),
    );
  });
}

function filesIn(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .filter(name => name.endsWith(ending))
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map(name => path.join(folder, name));
}
