// What Live Activities see of a partition's memory: of an app, a partition.

import type { AppsOf } from '../../area.ts';
import type { TokenReads } from '../../people/audience/read-token.ts';
import type { SendsView } from '../outbox/view.ts';
import type { TransactionalMemory } from '../transactional/view.ts';

export type LiveActivitiesView = SendsView & TokenReads;

export type LiveActivitiesMemory = Omit<TransactionalMemory, 'apps'> & AppsOf<LiveActivitiesView>;
