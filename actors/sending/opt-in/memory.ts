// Whether an app's sign-ups are swept; and what sign-ups see of a partition's memory.

import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { TokenReads } from '../../people/audience/read-token.ts';
import type { UpsertReads } from '../../people/audience/upsert.ts';
import type { TopicsReads } from '../../people/topics/reads.ts';
import type { FormsReads } from '../forms/reads.ts';
import type { SendsView } from '../outbox/reads.ts';
import type { KeyedSendsMemory } from '../transactional/reads.ts';

export interface OptInApp {
  optIns: OptInState;
}

interface OptInState {
  /** There may be rows, and a timer is set that removes the old ones. */
  readonly isSwept: boolean;
}

const none: OptInState = { isSwept: false };

export const optInOfApp: Slice<OptInApp, Partial<OptInApp>, NewApp> = {
  make: () => ({ optIns: none }),
  snapshot: ({ optIns }) => ({ optIns }),
  // Absent in checkpoints of earlier builds.
  restore: ({ optIns = none }) => ({ optIns }),
};

/** Topics first: the gate reads only their defaults. */
export type OptInView = TopicsReads &
  FormsReads &
  OptInApp &
  SendsView &
  TokenReads &
  UpsertReads & { readonly keylessMinute: number; readonly keylessCreated: number };

export type OptInMemory = Omit<KeyedSendsMemory, 'apps'> & AppsOf<OptInView>;
