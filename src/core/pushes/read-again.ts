/** What of an earlier state of a change is only waited with: it stands until its reviewer has read the file as it is now. */
import type { Finding } from '../words/finding.ts';
import type { Review } from '../words/review.ts';

/** What was kept of files that have been read again since, and only of those, goes: it was said again, or it holds no more. */
export function withoutReadAgain(earlier: Review, { status, coverage }: Review): Review {
  const then = new Map(earlier.coverage.map(({ path, extent }) => [path, extent]));
  const again = new Set(
    coverage
      .filter(
        ({ path, extent }) =>
          then.get(path) === 'skipped' &&
          (extent === 'full' || (extent === 'partial' && status === 'complete')),
      )
      .map(({ path }) => path),
  );
  const isKept = ({ from, location }: Finding): boolean =>
    from === undefined || location === null || !again.has(location.path);
  return status === 'failed' ? earlier : { ...earlier, findings: earlier.findings.filter(isKept) };
}
