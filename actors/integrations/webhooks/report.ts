// Takes the outcomes of calls: settles deliveries, and switches a destination off that nothing
// reached for five days.

import {
  accepted,
  type Context,
  type Decision,
  type Entry,
} from '../../../engine/actor/message.ts';
import { type DestinationRecord, isHopeless } from './destination.ts';
import type { WebhookReport, WebhooksEntry } from './protocol.ts';
import { Settling } from './settle.ts';
import { healthAfterRun } from './state.ts';
import type { WebhooksView } from './view.ts';

export function takeReports(
  app: WebhooksView,
  number: number,
  reports: readonly WebhookReport[],
  context: Context,
): Decision<null> {
  const ended = reports.filter(({ result }) => result !== undefined);
  if (ended.length === 0) return accepted(null);
  const settling = new Settling(number, context);
  for (const { place, result, ...chunk } of ended)
    if (result !== undefined) settling.attempted(chunk, place, result);
  const { concurrency } = app.webhooks.destinations.get(number)?.record ?? {};
  const head = concurrency === 1 ? { head: headAfter(ended, settling) } : {};
  const entries: Entry[] = [{ ...settling.entry(), ...head }];
  const disabled = disabledBy(app, number, settling.runs, context);
  if (disabled !== undefined) entries.push(disabled);
  return accepted(null, { entries, documents: settling.documents() });
}

/** In strict order nothing passes the delivery that is tried again. */
function headAfter(reports: readonly WebhookReport[], settling: Settling) {
  for (const { place, ...chunk } of reports) {
    const rows = settling.rowsOf(chunk);
    const i = rows?.indexOf(place) ?? -1;
    if (rows !== undefined && i >= 0 && rows.isOpenAt(i)) return [chunk.atMs, chunk.chunk] as const;
  }
  return null;
}

function disabledBy(
  { webhooks }: WebhooksView,
  number: number,
  runs: readonly number[],
  { owner, nowMs, ages }: Context,
): WebhooksEntry | undefined {
  const one = webhooks.destinations.get(number);
  if (one === undefined || !one.record.enabled) return undefined;
  const health = runs.reduce((now, run) => healthAfterRun(now, run, nowMs), one.health);
  if (!isHopeless(health, nowMs) || ages.isUnsure(health.failingMs ?? nowMs)) return undefined;
  const destination: DestinationRecord = {
    ...one.record,
    enabled: false,
    disabledReason: 'no_success',
    updatedMs: nowMs,
  };
  return { kind: 'webhook.saved', owner, destination };
}
