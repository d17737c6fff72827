// What a restore does to pending sends. It raises the store's epoch; nothing is granted until the
// first turn writes `partition.restored`, which holds all open sends (`none`; they fail as
// `unknown_outcome`) or marketing (`transactional`). Campaigns that may have begun since the backup
// wait for their author. Which sends are held follows from the entry's place in the log.

import { accepted, type Entry, type Tell } from '../../engine/actor/message.ts';
import type { Applies, Decisions } from '../../engine/actor/protocol.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { Erasure } from '../../storage/erasures.ts';
import type { ResendMode } from '../../storage/meta.ts';
import type { Area, EveryArea } from '../area.ts';
import type { Caller } from '../tenants/accounts/protocol.ts';
import { eraseAgain } from './erasure.ts';
import { restoredOfPartition } from './restored-state.ts';
import type { AppState, OrgState, PartitionState } from './state.ts';

interface Life {
  readonly epoch: number;
  readonly resend: ResendMode;
}

/** The store's last restore; memory has acted on it once its epoch is as high. */
export interface Restored extends Life {
  /** Erased people by the list outside backups. Called once, when the restore is acted on. */
  erased(): readonly Erasure[];
  /** The newest of each change on the lists that the restore must not undo. */
  changes?(): readonly Entry[];
}

export interface RestoredProtocol {
  'restored.begin': { body: Caller & Life; reply: null };
}

export type RestoredEntry = Entry &
  Life & {
    readonly kind: 'partition.restored';
    /** When it was acted on. */
    readonly atMs: Millis;
  };

/** True from a restore until a turn has acted on it; nothing is sent before. */
export function isRestorePending(
  state: { readonly epoch: number },
  restored: Restored | undefined,
): boolean {
  return restored !== undefined && restored.epoch > state.epoch;
}

/** For the first turn. Erasures come first: a crash before the end repeats all of it. */
function restoredTells(state: PartitionState, restored: Restored | undefined): readonly Tell[] {
  if (restored === undefined || !isRestorePending(state, restored)) return [];
  const { epoch, resend } = restored;
  const here = restored.erased().filter(({ app }) => state.apps.has(app));
  const begin = { to: 0, message: { kind: 'restored.begin', by: -1, epoch, resend } };
  return [...eraseAgain(here), begin];
}

interface RestoredRules {
  readonly everyArea: Pick<EveryArea<AppState>, 'restoreBackup'>;
  readonly restored?: Restored;
}

const restoredDecisions = ({
  everyArea,
}: RestoredRules): Decisions<RestoredProtocol, PartitionState> => ({
  'restored.begin': (state, { epoch, resend }, context) => {
    if (epoch <= state.epoch) return accepted(null);
    const entry: RestoredEntry = {
      kind: 'partition.restored',
      owner: 0,
      epoch,
      resend,
      atMs: context.nowMs,
    };
    const entries: Entry[] = [entry];
    if (resend !== 'all')
      for (const app of state.apps.values())
        entries.push(...everyArea.restoreBackup(app, context.nowMs));
    return accepted(null, { entries });
  },
});

/** Each area folds what it holds back. */
const restoredApplies: Applies<RestoredEntry, PartitionState> = {
  'partition.restored': (state, { epoch }) => {
    state.epoch = epoch;
  },
};

export const restoredArea = {
  name: 'restored',
  partition: restoredOfPartition,
  decide: restoredDecisions,
  clock: ({ restored }: RestoredRules) => ({
    holds: (state: PartitionState) => isRestorePending(state, restored),
    resume: (state: PartitionState) => restoredTells(state, restored),
  }),
  apply: restoredApplies,
  silent: ['partition.restored'],
  whenDiskIsFull: ['restored.begin'],
} as const satisfies Area<RestoredRules, PartitionState, AppState, OrgState>;
