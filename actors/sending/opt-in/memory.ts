// Whether an app's sign-ups are swept; and what sign-ups see of a partition's memory.

import type { Millis } from '../../../engine/base/brand.ts';
import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { TokenReads } from '../../people/audience/read-token.ts';
import type { UpsertReads } from '../../people/audience/upsert.ts';
import type { TopicsReads } from '../../people/topics/reads.ts';
import type { FormsReads } from '../forms/reads.ts';
import type { SendsView } from '../outbox/reads.ts';
import type { KeyedSendsMemory } from '../transactional/reads.ts';
import type { OptInCounts } from './protocol.ts';

export interface OptInApp {
  optIns: OptInState;
}

interface OptInState {
  /** There may be rows, and a timer is set that removes the old ones. */
  readonly isSwept: boolean;
  /** The newest timer that sends what is owed; `null` if no mail is owed. */
  readonly mailing: { readonly run: number; readonly dueMs: Millis } | null;
  /** How many such timers there were. */
  readonly runs: number;
  /** How often a restore took back what happened: mails owed before are not sent. */
  readonly life: number;
  readonly counts: OptInCounts;
}

const none: OptInState = {
  isSwept: false,
  mailing: null,
  runs: 0,
  life: 0,
  counts: { queued: 0, waiting: 0, confirmed: 0 },
};

export const optInOfApp: Slice<OptInApp, Partial<OptInApp>, NewApp> = {
  make: () => ({ optIns: none }),
  snapshot: ({ optIns }) => ({ optIns }),
  // Absent, or with fewer members, in checkpoints of earlier builds.
  restore: ({ optIns }) => ({ optIns: { ...none, ...optIns } }),
};

/** Topics first: the gate reads only their defaults. */
export type OptInView = TopicsReads &
  FormsReads &
  OptInApp &
  SendsView &
  TokenReads &
  UpsertReads & { readonly keylessMinute: number; readonly keylessCreated: number };

export type OptInMemory = Omit<KeyedSendsMemory, 'apps'> & AppsOf<OptInView>;
