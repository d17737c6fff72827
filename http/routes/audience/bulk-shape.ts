// The wire shape of a bulk change.

import { z } from 'zod';
import type { BulkChange } from '../../../actors/audiences/bulk/protocol.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';

export const bulkChangeSchema = z
  .object({
    id: z.string(),
    state: z.enum(['running', 'done']),
    dryRun: z.boolean(),
    matched: z.int().describe('People to change.'),
    looked: z
      .int()
      .describe('People processed so far, including those who were deleted in the meantime.'),
    changed: z
      .int()
      .describe('People it has changed; with `dryRun`, people it would have changed.'),
    failed: z
      .int()
      .describe('People it could not change: their record would become too large, or is damaged.'),
    startedAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'BulkChange',
    examples: [
      {
        id: exampleIds.bulkChange,
        state: 'running',
        dryRun: false,
        matched: 41_204,
        looked: 12_500,
        changed: 12_388,
        failed: 0,
        startedAt: exampleInstant(),
        updatedAt: exampleInstant(1),
      },
    ],
  });

export function bulkChangeView(change: BulkChange) {
  const { id, state, isDry, matched, looked, changed, failed, startedMs, updatedMs } = change;
  return {
    id,
    state,
    dryRun: isDry,
    matched,
    looked,
    changed,
    failed,
    startedAt: instant(startedMs),
    updatedAt: instant(updatedMs),
  };
}
