// What customer-data platforms see of a partition's memory.

import type { Aged, AppsOf } from '../../area.ts';
import type { SeenEventIds, SeenEventIdsFolds } from '../reads.ts';
import type { EventsView } from '../view.ts';
import type { CdpApp } from './state.ts';

export type CdpView = CdpApp & EventsView;

export type CdpMemory = AppsOf<CdpView> & SeenEventIds & SeenEventIdsFolds & Aged;
