/** Leaves the run's page in the journal for people, and hands the reviews on by reference. */
import { parseJson } from '../core/json.ts';
import type { Plan } from '../core/words/plan.ts';
import type { RunStore } from '../core/ports.ts';
import { parseResourceUri } from '../core/run-files/resource-uri.ts';
import type { RunRecord } from '../core/words/run.ts';
import {
  checkHandoff,
  type ContextSnapshot,
  handoffOf,
  handoffPath,
  journalHead,
  PackNotes,
  PackSize,
  renderContextSnapshots,
  renderTeamPanel,
  teamPanelOf,
} from '../core/run-files/run-page.ts';

export async function keepJournal({
  record,
  plan,
  store,
}: {
  readonly record: RunRecord;
  readonly plan: Plan;
  readonly store: RunStore;
}): Promise<void> {
  const packs = await readPackNotes(store);
  const snapshots = await Promise.all(packs.map(pack => snapshotOf(pack, store)));
  const page =
    renderTeamPanel(teamPanelOf(record, plan, packs)) +
    (snapshots.length > 0 ? renderContextSnapshots(snapshots) : '');
  await store.write('journal.md', ((await store.read('journal.md')) ?? journalHead(null)) + page);
  const handoff = handoffOf(record, packs);
  await checkHandoff(handoff, async uri => resolves(uri, store));
  await store.write(handoffPath(handoff), `${JSON.stringify(handoff, null, 2)}\n`);
}

async function readPackNotes(store: RunStore): Promise<PackNotes[]> {
  const names = (await store.list('context')).filter(name => name.endsWith('.meta.json'));
  const notes = await Promise.all(
    names.map(async name => PackNotes.safeParse(parseJson(await store.read(`context/${name}`)))),
  );
  return notes.flatMap(read => (read.success ? [read.data] : []));
}

async function snapshotOf(
  { pack_uri: uri, rung_reached: rung, stop_reason: stopReason }: PackNotes,
  store: RunStore,
): Promise<ContextSnapshot> {
  const size = PackSize.safeParse(parseJson(await store.read(pathOf(uri) ?? '')));
  return { uri, tokenEstimate: size.success ? size.data.token_estimate : 0, rung, stopReason };
}

async function resolves(uri: string, store: RunStore): Promise<boolean> {
  const path = pathOf(uri);
  return path !== null && (await store.read(path)) !== null;
}

function pathOf(uri: string): string | null {
  const resource = parseResourceUri(uri);
  return resource?.kind === 'run' ? resource.path : null;
}
