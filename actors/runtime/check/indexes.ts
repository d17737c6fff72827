// The third pass of a check: what is stored twice must agree. Each area checks its own, all in one
// snapshot.

import type { Ages } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { Documents } from '../../../storage/documents.ts';
import { decodeKey } from '../../../storage/keys.ts';
import type { PartitionSnapshot } from '../../../storage/partition-snapshot.ts';
import { tableById } from '../../../storage/table.ts';
import { lastEdits } from '../../../storage/tables/last-edit.ts';
import {
  type AppCheck,
  type CheckedApp,
  type TableCheck,
  unlessDamaged,
} from '../../area-check.ts';
import { keptFromMs } from '../../tenants/accounts/records.ts';
import { type AnyArea, areas } from '../areas.ts';
import { everyArea } from '../every-area.ts';
import type { AppState, PartitionState } from '../state.ts';
import type { Problems } from './problems.ts';
import { StoredRows } from './stored-rows.ts';

type Row = (row: object, key: CheckedKey) => void;
type CheckedKey = Parameters<TableCheck['row']>[1];

const appTables = new Set(everyArea.appTables.map(({ id }) => id));
/** Orgs have rows of it, too. */
appTables.delete(lastEdits.id);

/** Compares every document with memory and with the records it refers to. */
export function checkIndexes(
  snapshot: PartitionSnapshot,
  state: PartitionState,
  nowMs: Millis,
  problems: Problems,
  tick: (what: string) => void,
): void {
  const documents = new Documents(snapshot);
  const checks = new Map<Ordinal, readonly AppCheck[]>();
  const rowsOf = new Map<Ordinal, ReadonlyMap<number, Row>>();
  for (const [owner, app] of state.apps) {
    const checked = checkedApp(owner, app, documents, nowMs, state.ages, problems);
    const ofApp = areas.flatMap(({ check }: AnyArea) => check?.(app, checked) ?? []);
    checks.set(owner, ofApp);
    const rows = ofApp.flatMap((one) => one.rows ?? []);
    rowsOf.set(owner, new Map(rows.map(({ table, row }) => [table.id, row as Row])));
  }
  const stored = new StoredRows();
  const strangers = new Set<Ordinal>();
  let count = 0;
  for (const { key, value } of snapshot.documents()) {
    if (++count % 65536 === 0) tick(`${count} documents against their indexes`);
    const table = tableById(key[0] ?? -1);
    if (table === undefined) continue; // the first pass reported it
    const { owner, parts } = decodeKey(key);
    stored.add(owner, table.id, value);
    const rows = rowsOf.get(owner);
    if (rows === undefined) {
      const isOfOrg = !appTables.has(table.id) && state.orgs.has(owner);
      if (isOfOrg || state.tombstones.has(owner) || strangers.has(owner)) continue;
      strangers.add(owner);
      problems.add(`there are documents of owner ${owner}, which is unknown in memory`);
      continue;
    }
    const row = rows.get(table.id);
    if (row !== undefined) unlessDamaged(() => row(table.decode(value, key), parts));
  }
  for (const ofApp of checks.values()) for (const { end } of ofApp) end?.();
  stored.compare(state.apps, problems);
}

function checkedApp(
  owner: Ordinal,
  { record: { id }, settings }: AppState,
  documents: Documents,
  nowMs: Millis,
  ages: Ages,
  problems: Problems,
): CheckedApp {
  return {
    id,
    owner,
    cutMs: keptFromMs(settings, ages, nowMs),
    cutMsOf: (keptMs) => ages.cutMs(nowMs, keptMs),
    documents: { get: (table, key) => documents.get(table, owner, key) },
    problem: (sentence) => problems.add(`${id}${sentence}`),
  };
}
