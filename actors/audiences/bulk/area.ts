// The same change of many people: tags, opt-outs, erasure.

import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Area } from '../../area.ts';
import { answerOptional } from '../segments/counted.ts';
import { bulkApplies } from './apply.ts';
import { bulkDecisions, bulkTimers } from './decide.ts';
import { type BulkMemory, type BulkView, bulkOfApp } from './memory.ts';
import { bulkNotes } from './notes.ts';
import type { BulkProtocol } from './protocol.ts';

export const bulkArea = {
  name: 'bulk',
  app: bulkOfApp,
  decide: () => bulkDecisions,
  apply: bulkApplies,
  silent: ['bulk.started', 'bulk.progressed'],
  notes: bulkNotes,
  asks: { 'bulk.start': answerOptional },
  stores: {
    'bulk.start': ({ action }: MessageOf<BulkProtocol, 'bulk.start'>) =>
      'tags' in action ? 'adds' : undefined,
  },
  whenDiskIsFull: ['bulk.read'],
  timers: bulkTimers,
} as const satisfies Area<never, BulkMemory, BulkView, object>;
