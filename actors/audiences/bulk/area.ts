// The same change of many people: tags, opt-outs, erasure.

import type { Area } from '../../area.ts';
import { answerOptional } from '../segments/counted.ts';
import { bulkApplies } from './apply.ts';
import { bulkDecisions, bulkTimers } from './decide.ts';
import { bulkNotes } from './notes.ts';
import { bulkOfApp } from './state.ts';
import type { BulkMemory, BulkView } from './view.ts';

export const bulkArea = {
  name: 'bulk',
  app: bulkOfApp,
  decide: () => bulkDecisions,
  apply: bulkApplies,
  silent: ['bulk.started', 'bulk.progressed'],
  notes: bulkNotes,
  asks: { 'bulk.start': answerOptional },
  whenDiskIsFull: ['bulk.read'],
  timers: bulkTimers,
} as const satisfies Area<never, BulkMemory, BulkView, object>;
