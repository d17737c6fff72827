// A partition's memory, made of all areas' slices, and its checkpoint parts. Each app is a part of
// its own. Derived members are left out and rebuilt.

import type { GapMemory, SnapshotPart } from '../../engine/actor/machine.ts';
import { slotOf } from '../../engine/actor/placement.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import type { HashKey } from '../../engine/base/hash.ts';
import { AgeClock } from '../../engine/time/age-clock.ts';
import type { Slice } from '../area.ts';
import { type AnyArea, areas } from './areas.ts';
import type { AppState, OrgState, PartitionState } from './state.ts';

type AnySlice = Slice<object, object, unknown>;
type Members = Readonly<Record<string, unknown>>;

interface SharedPart extends Members {
  readonly orgs: readonly (readonly [Ordinal, Members])[];
}

const sharedPart = 'partition';
const appPart = /^app-(\d+)$/;
const appSlices = slicesOf(({ app }) => app);
const orgSlices = slicesOf(({ org }) => org);
const partitionSlices = slicesOf(({ partition }) => partition);
const parts = areas.flatMap((area: AnyArea) => area.parts ?? []);

export function newPartitionState(tableKey: HashKey): PartitionState {
  const state = {
    orgs: new Map(),
    orgById: new Map(),
    apps: new Map(),
    ...made(partitionSlices, { tableKey }),
    tableKey,
    ages: new AgeClock() as GapMemory,
    addOrg: (record) => {
      state.orgs.set(record.ordinal, made(orgSlices, { record }) as OrgState);
      state.orgById.set(record.id, record.ordinal);
      countOrdinal(state, record.ordinal);
    },
    addApp: (record) => {
      const app = made(appSlices, {
        record,
        tableKey,
        org: state.orgs.get(record.org),
      }) as AppState;
      state.apps.set(record.ordinal, app);
      countOrdinal(state, record.ordinal);
      return app;
    },
  } as PartitionState;
  return state;
}

/** Each part is made when it is asked for. */
export function* partsOfState(state: PartitionState): Generator<SnapshotPart> {
  const orgs = [...state.orgs].map(([ordinal, org]) => [ordinal, snapshot(orgSlices, org)]);
  yield { name: sharedPart, value: { orgs, ...snapshot(partitionSlices, state) } };
  for (const part of parts) yield { name: part.name, value: part.snapshot(state) };
  for (const [ordinal, app] of state.apps)
    yield { name: `app-${ordinal}`, value: snapshot(appSlices, app) };
}

/** Fills a new state; apps come in the order they were written. */
export function restoreState(state: PartitionState, from: Iterable<SnapshotPart>): void {
  for (const { name, value } of from) {
    const app = appPart.exec(name)?.[1];
    const part = parts.find((one) => one.name === name);
    if (app !== undefined)
      state.apps.set(Number(app), restored(appSlices, value, state.tableKey) as AppState);
    else if (name === sharedPart) restoreShared(state, value as SharedPart);
    else if (part !== undefined) part.restore(state, value);
    else throw new Error(`a checkpoint has a part ${name} that this program does not know`);
  }
}

function restoreShared(state: PartitionState, from: SharedPart): void {
  for (const [ordinal, members] of from.orgs) {
    const org = restored(orgSlices, members, state.tableKey) as OrgState;
    state.orgs.set(ordinal, org);
    state.orgById.set(org.record.id, ordinal);
  }
  Object.assign(state, restored(partitionSlices, from, state.tableKey));
}

function slicesOf(pick: (area: AnyArea) => unknown): readonly AnySlice[] {
  return areas.flatMap((area) => (pick(area) as AnySlice | undefined) ?? []);
}

function made(slices: readonly AnySlice[], from: unknown): object {
  return Object.assign({}, ...slices.map((slice) => slice.make(from)));
}

function snapshot(slices: readonly AnySlice[], own: object): object {
  return Object.assign({}, ...slices.map((slice) => slice.snapshot(own)));
}

function restored(slices: readonly AnySlice[], from: unknown, tableKey: HashKey): object {
  return Object.assign({}, ...slices.map((slice) => slice.restore(from as object, { tableKey })));
}

function countOrdinal({ ordinalsUsed }: PartitionState, ordinal: Ordinal): void {
  const slot = slotOf(ordinal);
  ordinalsUsed.set(slot, Math.max(ordinal >>> 12, ordinalsUsed.get(slot) ?? 0));
}
