// The same change of many people: tags, opt-outs, erasure.

import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Area } from '../../area.ts';
import type { Notes } from '../../audit-note.ts';
import { answerOptional } from '../segments/counted.ts';
import { bulkApplies } from './apply.ts';
import { bulkDecisions, bulkTimers } from './decide.ts';
import { type BulkMemory, type BulkView, bulkOfApp } from './memory.ts';
import type { BulkEntry, BulkProtocol } from './protocol.ts';

/** What the audit log notes of changes of many people. */
const bulkNotes: Notes<BulkEntry, unknown> = {
  'bulk.started': (_state, { change: { id, action, isDry, matched } }) => {
    if (isDry) return undefined;
    const { tags, suppress, delete: isErasure } = action;
    const names = tags && Object.keys(tags);
    const after = { matched, tags: names, suppress: suppress?.channels, delete: isErasure };
    return { action: 'subscribers.bulk_changed', target: id, after };
  },
};

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
