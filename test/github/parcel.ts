/** Handovers as the job that reviews leaves them, without that job. */
import { type Handover, openHandover, parcels, sealParcel } from '../../src/core/github/parcel.ts';
import type { PullFacts } from '../../src/core/words/change.ts';
import type { Run } from '../../src/core/words/run.ts';
import { renderJson } from '../../src/render/figures.ts';

type Host = Pick<PullFacts, 'repository' | 'number' | 'head' | 'base' | 'branch'>;

export function handoverFiles(
  { repository, number, head, base, branch }: Host,
  report: string,
  sarif: string | null = null,
  created = '2026-11-25T12:00:00.000Z',
): ReadonlyMap<string, Uint8Array> {
  const files = new Map([['report.json', Buffer.from(report)]]);
  if (sarif !== null) files.set('report.sarif', Buffer.from(sarif));
  const from = repository;
  const pull = { repository, number, head, base, branch, isOpen: true, isFork: false, from };
  return sealParcel(parcels.handover, files, { pull, version: '1', created });
}

export function handoverOn(host: Host, run: Run): Handover {
  const files = handoverFiles(host, renderJson(run));
  const { repository, number: pull, head } = host;
  return openHandover({ names: [...files.keys()], files }, { repository, pull, head });
}
