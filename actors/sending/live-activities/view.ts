// What Live Activities see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { TokenReads } from '../../people/audience/read-token.ts';
import type { SendsMemory, SendsView } from '../transactional/view.ts';

/** Of an app. */
export type LiveActivitiesView = SendsView & TokenReads;

/** Of a partition. */
export type LiveActivitiesMemory = Omit<SendsMemory, 'apps'> & AppsOf<LiveActivitiesView>;
