// Makes changes again that were made since a backup, and that its restore must not undo. They are
// listed outside backups; the first start after a restore makes them again, keys first, before it
// serves or sends anything.

import { accepted, type Context, type Entry, type Tell } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import type { Area } from '../area.ts';
import type { Caller } from '../tenants/accounts/protocol.ts';
import type { Undone } from '../undone.ts';
import { isRestorePending, type Restored } from './restored.ts';
import type { AppState, OrgState, PartitionState } from './state.ts';

export interface RestoreChangesProtocol {
  'restored.change': { body: Caller & { entries: readonly Entry[] }; reply: null };
}

/** By kind of entry. */
export type UndoneChanges = ReadonlyMap<string, Undone<PartitionState, Entry>>;

interface RestoreChangesRules {
  readonly restored?: Restored;
  readonly undone: UndoneChanges;
}

const entriesPerTurn = 200;

/** Makes the changes again whose org or app is here. Ones that the backup has do nothing. */
function changeAgain(state: PartitionState, changes: readonly Entry[]): Tell[] {
  const tells: Tell[] = [];
  const open = new Map<Ordinal, Entry[]>();
  for (const entry of changes) {
    const { owner } = entry;
    if (!state.apps.has(owner) && !state.orgs.has(owner)) continue;
    let entries = open.get(owner);
    const isFull = entries?.length === entriesPerTurn;
    // Two kinds may change one record, and a decision does not see what it writes itself.
    if (entries === undefined || isFull || entries.at(-1)?.kind !== entry.kind) {
      entries = [];
      open.set(owner, entries);
      tells.push({
        to: owner,
        message: { kind: 'restored.change', by: -1, entries } as Tell['message'],
      });
    }
    entries.push(entry);
  }
  return tells;
}

const restoreChangesDecisions = ({
  undone,
}: RestoreChangesRules): Decisions<RestoreChangesProtocol, PartitionState> => ({
  'restored.change': (state, { entries: listed }, context) => {
    const made = listed.flatMap((entry) => {
      const again = againOf(undone, state, entry, context);
      return again === undefined ? [] : [{ entry, ...again }];
    });
    const entries = made.map(({ entry }) => entry);
    const documents = made.flatMap(({ documents = [] }) => documents);
    const effects = made.flatMap(({ effects = [] }) => effects);
    return accepted(null, { entries, documents, effects });
  },
});

function againOf(undone: UndoneChanges, state: PartitionState, entry: Entry, context: Context) {
  const one = undone.get(entry.kind);
  if (one?.again !== undefined) return one.again(state, entry, context);
  return state.apps.has(entry.owner) ? {} : undefined;
}

export const restoreChangesArea = {
  name: 'restore changes',
  decide: restoreChangesDecisions,
  clock: ({ restored }: RestoreChangesRules) => ({
    resume: (state: PartitionState) =>
      isRestorePending(state, restored) ? changeAgain(state, restored?.changes?.() ?? []) : [],
  }),
  whenDiskIsFull: ['restored.change'],
} as const satisfies Area<RestoreChangesRules, PartitionState, AppState, OrgState>;
