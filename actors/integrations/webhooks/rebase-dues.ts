// After the operator set the clock right: moves dues that the wrong one set, in slices. A wait
// keeps what is left of it. Chunks keep the instant in their names and ids.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { webhookDues } from '../../../storage/tables/webhook.ts';
import type { ChunkName, DuePlace } from './delivery-id.ts';
import type { Delivery } from './delivery-rows.ts';
import type { WrongDues } from './passes.ts';
import type { WebhooksEntry } from './protocol.ts';
import { longestRetryMs } from './schedule.ts';
import { Settling } from './settle.ts';

const duesPerTurn = 16;

export function rebaseDues(wrong: WrongDues, from: DuePlace, context: Context): Decision<null> {
  const { owner, nowMs, documents } = context;
  const settlings = new Map<number, Settling>();
  const keys = documents
    .range(webhookDues, { from, limit: duesPerTurn, damaged: () => {} })
    .map(({ key }) => key as unknown as DuePlace);
  let next: DuePlace | undefined;
  for (const [destination, dueMs, atMs, chunk] of keys) {
    if (dueMs < firstWrongMs(wrong)) {
      next = [destination, firstWrongMs(wrong), 0, 0];
      break;
    }
    const settling = settlings.get(destination) ?? new Settling(destination, context);
    settlings.set(destination, settling);
    moveDues({ atMs, chunk }, settling, wrong);
    if (keys.length === duesPerTurn) next = [destination, dueMs, atMs, chunk + 1];
  }
  const swept: WebhooksEntry = {
    kind: 'webhook.swept',
    owner,
    pass: 'rebase',
    atMs: nowMs,
    ...(next === undefined ? {} : { nextDue: next }),
  };
  const moves = [...settlings.values()].flatMap((one) => one.documents());
  return accepted(null, { entries: [swept], documents: moves });
}

/** Where it is not known since when the clock was wrong, no right wait is longer. */
function firstWrongMs({ toMs, sinceMs }: WrongDues): Millis {
  return Math.max(toMs, Math.min(sinceMs, toMs + longestRetryMs));
}

/** Of a whole chunk. Its second due finds that all of them have moved. */
function moveDues(name: ChunkName, settling: Settling, wrong: WrongDues): void {
  const rows = settling.rowsOf(name);
  if (rows === undefined) return;
  const before = Array.from({ length: rows.count }, (_, i) => rows.at(i));
  const isWrong = ({ dueMs = 0 }: Delivery) => dueMs >= firstWrongMs(wrong);
  if (!before.some(isWrong)) return;
  for (const [i, one] of before.entries()) rows.set(i, moved(one, wrong));
}

function moved(one: Delivery, wrong: WrongDues): Delivery {
  const { dueMs, endedMs } = one;
  const { toMs, aheadMs, sinceMs } = wrong;
  return {
    ...one,
    ...(endedMs === undefined || endedMs < sinceMs ? {} : { endedMs: endedMs - aheadMs }),
    ...(dueMs === undefined || dueMs < firstWrongMs(wrong)
      ? {}
      : { dueMs: Math.max(toMs, dueMs - aheadMs) }),
  };
}
