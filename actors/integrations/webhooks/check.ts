// Checks the ledger: every delivery has its events, every open one a due that finds it, and memory
// counts the open ones of a destination right.

import type { Millis } from '../../../engine/base/brand.ts';
import { webhookChunks, webhookDeliveries, webhookDues } from '../../../storage/tables/webhook.ts';
import { type AppCheck, type CheckedApp, checkOf, unlessDamaged } from '../../area-check.ts';
import { DeliveryRows } from './delivery-rows.ts';
import type { WebhooksApp } from './memory.ts';
import { keptMs } from './sweep.ts';

export function checkWebhooks({ webhooks }: WebhooksApp, checked: CheckedApp): AppCheck {
  const { documents, problem } = checked;
  const cutMs = checked.cutMsOf(keptMs);
  const open = new Map<number, number>();
  /** How many are due, by due; those that have no row yet. */
  const missing = new Map<string, number>();
  return {
    rows: [
      checkOf(webhookDeliveries, (row, key) => {
        const [atMs, chunk, destination] = key as readonly [Millis, number, number];
        const rows = new DeliveryRows(atMs, row);
        for (const [dueMs, count] of rows.dues()) {
          missing.set(`${destination}|${dueMs}|${atMs}|${chunk}`, count);
          open.set(destination, (open.get(destination) ?? 0) + count);
        }
        if (atMs >= cutMs)
          unlessDamaged(() => {
            if (documents.get(webhookChunks, [atMs, chunk]) === undefined)
              problem(`: webhook deliveries of ${instant(atMs)} have no events`);
          });
      }),
      // Dues are read after the deliveries. Their counts are of when they were written.
      checkOf(webhookDues, (_row, key) => {
        const [, dueMs, atMs] = key as readonly [number, Millis, Millis, number];
        if (!missing.delete(key.join('|')) && atMs >= cutMs)
          problem(`: a webhook delivery is due at ${instant(dueMs)} that is not open`);
      }),
    ],
    end: () => {
      for (const due of missing.keys())
        problem(`: webhook deliveries (${due}) are open, but nothing says when they are due`);
      for (const [number, { record, open: counted }] of webhooks.destinations) {
        const found = open.get(number) ?? 0;
        if (found !== counted)
          problem(`: the integration ${record.type} has ${found} open deliveries, not ${counted}`);
      }
    },
  };
}

function instant(ms: Millis): string {
  return new Date(ms).toISOString();
}
