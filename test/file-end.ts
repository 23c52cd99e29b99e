/**
 * Test files share the process of their worker and what it has loaded: what a file of tests opened through a module that the
 * next one shares is released when the file ends.
 */
const releases: (() => unknown)[] = [];

/** `release` is called once, when the tests of the file that runs now have ended. */
export function atFileEnd(release: () => unknown): void {
  releases.push(release);
}

/** The last opened first. */
export async function endFile(): Promise<void> {
  for (const release of releases.splice(0).toReversed()) await release();
}
