// A partition's memory as plain data, and back: what a checkpoint holds. Derived and per-process members (what is
// ready to start, the tables' secret) are left out and made again.

import type { Ordinal } from '../engine/base/brand.ts';
import { ExpiringSet, type ExpiringSetSnapshot } from '../engine/base/expiring-set.ts';
import type { HashKey } from '../engine/base/hash.ts';
import { People, type PeopleSnapshot } from './audience/people.ts';
import type { AppState, OrgState, PartitionState } from './state.ts';
import { IdempotencyKeys } from './transactional/idempotency.ts';
import { Outbox } from './transactional/outbox.ts';

interface StateSnapshot {
  readonly orgs: readonly (readonly [Ordinal, Omit<OrgState, 'apps' | 'keyIds'> & { readonly apps: Ordinal[]; readonly keyIds: string[] }])[];
  readonly apps: readonly (readonly [Ordinal, AppSnapshot])[];
  readonly keys: readonly (readonly [string, PartitionState['keys'] extends Map<string, infer K> ? K : never])[];
  readonly ordinalsUsed: readonly (readonly [number, number])[];
  readonly tombstones: readonly Ordinal[];
  readonly idempotency: unknown;
  readonly eventIdKey: HashKey | null;
  readonly eventIds: ExpiringSetSnapshot;
}

type AppSnapshot = Omit<AppState, 'credentials' | 'people' | 'suppressions' | 'outbox'> & {
  readonly credentials: readonly (readonly [string, unknown])[];
  readonly people: PeopleSnapshot;
  readonly suppressions: readonly string[];
  readonly outbox: unknown;
};

export function snapshotState(state: PartitionState): unknown {
  return {
    orgs: [...state.orgs].map(([ordinal, org]) => [
      ordinal,
      { ...org, apps: [...org.apps], keyIds: [...org.keyIds] },
    ]),
    apps: [...state.apps].map(([ordinal, app]) => [
      ordinal,
      {
        ...app,
        credentials: [...app.credentials],
        people: app.people.snapshot(),
        suppressions: [...app.suppressions],
        outbox: app.outbox.snapshot(),
      },
    ]),
    keys: [...state.keys],
    ordinalsUsed: [...state.ordinalsUsed],
    tombstones: [...state.tombstones],
    idempotency: state.idempotency.snapshot(),
    eventIdKey: state.eventIdKey ?? null,
    eventIds: state.eventIds.snapshot(),
  } satisfies Record<keyof StateSnapshot, unknown>;
}

/** Fills a new state from a snapshot. */
export function restoreState(state: PartitionState, snapshot: unknown): void {
  const from = snapshot as StateSnapshot;
  for (const [ordinal, org] of from.orgs) {
    state.orgs.set(ordinal, { ...org, apps: new Set(org.apps), keyIds: new Set(org.keyIds) });
    state.orgById.set(org.record.id, ordinal);
  }
  for (const [ordinal, app] of from.apps) {
    state.apps.set(ordinal, {
      ...app,
      credentials: new Map(app.credentials) as AppState['credentials'],
      people: People.restore(app.people, state.tableKey),
      suppressions: new Set(app.suppressions),
      outbox: Outbox.restore(app.outbox),
    });
  }
  for (const [keyId, key] of from.keys) state.keys.set(keyId, key);
  for (const [slot, used] of from.ordinalsUsed) state.ordinalsUsed.set(slot, used);
  for (const ordinal of from.tombstones) state.tombstones.add(ordinal);
  state.idempotency = IdempotencyKeys.restore(from.idempotency);
  state.eventIdKey = from.eventIdKey ?? undefined;
  state.eventIds = ExpiringSet.restore(from.eventIds);
}
