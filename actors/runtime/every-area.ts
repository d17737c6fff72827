// Hooks of all areas: documents and entries that go with a decision, and folds that run before the
// area that owns an entry folds it.

import type { Rebase } from '../../engine/actor/machine.ts';
import type { Entry } from '../../engine/actor/message.ts';
import type { Millis } from '../../engine/base/brand.ts';
import { unpackOrdinals } from '../../engine/base/ordinal-list.ts';
import type { BackupRestored, EveryArea, Hooks } from '../area.ts';
import type { AudienceEntry } from '../people/audience/protocol.ts';
import type { AccountsEntry } from '../tenants/accounts/protocol.ts';
import { type AnyArea, areas } from './areas.ts';
import type { ErasureEntry } from './erasure-protocol.ts';
import type { ExpiryEntry } from './expiry-protocol.ts';
import type { RestoredEntry } from './restored.ts';
import type { AppState, PartitionState } from './state.ts';

type AnyHooks = Hooks<PartitionState, AppState>;

const hooks: readonly AnyHooks[] = areas.flatMap(({ on }: AnyArea) => on ?? []);
/** An area that builds on another must let go first. */
const lastFirst = hooks.toReversed();

/** For decisions. */
export const everyArea: EveryArea<AppState> = {
  appTables: areas.flatMap(({ tables }: AnyArea) => tables ?? []),
  stored: {
    tables: areas.flatMap(({ stored }: AnyArea) => stored?.tables ?? []),
    sums: areas.flatMap(({ stored }: AnyArea) => stored?.sums ?? []),
  },
  createApp: (owner, nowMs, rng) =>
    hooks.flatMap((one) => one.createApp?.(owner, nowMs, rng) ?? []),
  erasePerson: (app, row, context) =>
    hooks.flatMap((one) => one.erasePerson?.(app, row, context) ?? []),
  expirePerson: (app, row, context) =>
    hooks.flatMap((one) => one.expirePerson?.(app, row, context) ?? []),
  mergePeople: (from, into, context) =>
    hooks.flatMap((one) => one.mergePeople?.(from, into, context) ?? []),
  restoreBackup: (app, nowMs) => hooks.flatMap((one) => one.restoreBackup?.(app, nowMs) ?? []),
};

type Shared = AccountsEntry | AudienceEntry | ErasureEntry | ExpiryEntry | RestoredEntry;

/** Runs the hooks of an entry, before the entry itself is folded. */
export function foldEverywhere(state: PartitionState, entry: Entry): void {
  const one = entry as Shared;
  const app = state.apps.get(entry.owner);
  switch (one.kind) {
    case 'subscriber.erased':
      if (app !== undefined) {
        const { person } = one;
        const names = [person, ...app.people.aliasesOf(person)];
        for (const hook of lastFirst) hook.personErased?.(app, { person, names });
      }
      break;
    case 'people.expired':
      if (app !== undefined) {
        const people = unpackOrdinals(one.people);
        for (const hook of lastFirst) hook.peopleExpired?.(app, people);
      }
      break;
    case 'subscriber.merged':
      if (app !== undefined) for (const hook of lastFirst) hook.personMerged?.(app, one);
      break;
    case 'app.deleted':
      if (app !== undefined) for (const hook of lastFirst) hook.appDeleted?.(state, app, one.atMs);
      break;
    case 'org.changed':
      if (one.atMs !== undefined)
        for (const hook of lastFirst) hook.orgChanged?.(state, one.org, one.atMs);
      break;
    case 'settings.changed':
      if (app !== undefined)
        for (const hook of lastFirst) hook.settingsChanged?.(app, one.settings, one.atMs);
      break;
    case 'events.gone':
      if (app !== undefined) for (const hook of lastFirst) hook.eventsGone?.(app, one.beforeMs);
      break;
    case 'partition.restored':
      for (const hook of hooks) hook.partitionRestored?.(state);
      for (const other of state.apps.values())
        for (const hook of hooks) hook.restoreBegun?.(other, one.atMs);
      if (one.resend !== 'all') holdAll(state, one.resend, one.atMs);
      break;
  }
}

export function rebaseEverywhere(state: PartitionState, to: Rebase): void {
  for (const hook of hooks) hook.clockRebased?.(state, to);
}

function holdAll(state: PartitionState, resend: BackupRestored['resend'], atMs: Millis): void {
  for (const app of state.apps.values())
    for (const hook of hooks) hook.backupRestored?.(app, { resend, atMs });
}
