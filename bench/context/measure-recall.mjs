// Files of a commit that are hidden from the packer in turn: does the pack of the others point at them?
import { assembleContext } from '../../dist/engine/context/assemble-context.js';
import { openContext } from '../../dist/library/context/open-context.js';
import { createCodeView } from '../../dist/core/context/packing/references.js';
import { filesNear } from './whole-files.mjs';
import { rankFiles } from './repository-map.mjs';

const mostHidden = 3;
const mostAnchors = 24;

export async function measureRecall({ id, repository, scratch, totals }) {
  const change = await repository.change({ source: 'revision', revision: id }).catch(() => null);
  if (change === null) return;
  const context = await openContext(change, repository, scratch, { cwd: scratch, environment: {} });
  try {
    const view = createCodeView(context.index);
    const code = change.files.filter(
      ({ path, status, content }) =>
        status !== 'deleted' && content === 'text' && view.definitionsIn(path).length > 0,
    );
    if (code.length < 2 || code.length > 12) return;
    for (const hidden of code.slice(0, mostHidden)) {
      const files = change.files.filter(file => file !== hidden);
      const paths = files.filter(file => code.includes(file)).map(file => file.path);
      const assembled = await assembleContext(
        {
          agent: 'Planner',
          taskId: id,
          goal: 'x',
          acceptanceCriteria: [],
          constraints: [],
          nextActions: [],
          capability: 'reasoning_high',
          scopeClass: 'Large',
          scope: { files: 1, changed_lines: 1, modules: 1 },
          budget: 12_000,
          files,
          isExhaustive: true,
        },
        { ...context, history: () => Promise.resolve([]), pointers: () => Promise.resolve([]) },
      ).catch(() => null);
      if (assembled === null) continue;
      totals.hidden += 1;
      const isHit = anchored => Number(anchored.includes(hidden.path));
      totals.found[0] += isHit(assembled.pack.anchors.map(({ path }) => path));
      totals.found[1] += isHit(filesNear(paths, view).slice(0, mostAnchors));
      totals.found[2] += isHit(
        rankFiles(paths, view)
          .slice(0, mostAnchors)
          .map(([path]) => path),
      );
    }
  } finally {
    context.close();
  }
}
