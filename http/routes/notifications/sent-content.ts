// Asks what a send said. A journey's send that is over does not name its person: its receipts do,
// and they are looked for near its time first.

import type { EventsProtocol } from '../../../actors/events/protocol.ts';
import type { SendReceipt } from '../../../actors/insight/timeline/protocol.ts';
import { placeOfCursor } from '../../../actors/list-cursor.ts';
import { dayMs, hourMs } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import type { Call } from '../../call/call.ts';

/** Most receipts come within the hour; retries and quiet hours take a few days at most. */
const periods = [0, hourMs, dayMs, 8 * dayMs] as const;
/** Of each period; a page reads a bounded number of events. */
const pagesMax = 4;
const receiptsMax = 50;

/** What Engage alone tells: an app may tell an open of anybody's send. */
const receiptNames: ReadonlySet<string> = new Set([
  ...['sent', 'delivered', 'bounced', 'failed', 'suppressed'],
]);

/** `ask` is asked again, with the send's receipts, if it does not find the send without them. */
export async function foundSend<Found>(
  call: Call<unknown, unknown>,
  id: string,
  ask: (receipts?: readonly SendReceipt[]) => Promise<Found | 'unfound'>,
): Promise<Found | undefined> {
  const found = await ask();
  if (found !== 'unfound') return found;
  const again = await ask(await receiptsOf(call, id));
  return again === 'unfound' ? undefined : again;
}

async function receiptsOf(
  call: Call<unknown, unknown>,
  sendId: string,
): Promise<readonly SendReceipt[]> {
  const sentMs = parseId('ntf', sendId)?.atMs ?? 0;
  for (const [i, from] of periods.slice(0, -1).entries()) {
    const span = { fromMs: sentMs + from, toMs: sentMs + (periods[i + 1] ?? from) };
    const receipts = await receiptsIn(call, sendId, span);
    if (receipts.length > 0) return receipts;
  }
  return [];
}

async function receiptsIn(
  call: Call<unknown, unknown>,
  sendId: string,
  span: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly SendReceipt[]> {
  const app = call.app();
  const events = call.to<EventsProtocol>(app);
  let before: { readonly beforeSeq?: number } = {};
  for (let page = 0; page < pagesMax; page++) {
    const query = { of: { sendId }, ...span, ...before, limit: receiptsMax };
    const { items, nextCursor } = await events.ask('events.list', { query });
    const receipts = items.filter(({ name }) => receiptNames.has(name));
    const beforeSeq = nextCursor === null ? undefined : placeOfCursor('events', app, nextCursor);
    if (receipts.length > 0 || beforeSeq === undefined)
      return receipts.map(({ subscriberId, name, channel, deviceId }) => ({
        ...{ subscriberId, name, channel, deviceId },
      }));
    before = { beforeSeq };
  }
  return [];
}
