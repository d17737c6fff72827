// What Live Activities see of a partition's memory. They keep nothing in it.

import type { AppsOf } from '../../area.ts';
import type { TokenReads } from '../../people/audience/read-token.ts';
import type { SendsView } from '../outbox/reads.ts';
import type { KeyedSendsMemory } from '../transactional/reads.ts';

export type LiveActivitiesView = SendsView & TokenReads;

export type LiveActivitiesMemory = Omit<KeyedSendsMemory, 'apps'> & AppsOf<LiveActivitiesView>;
