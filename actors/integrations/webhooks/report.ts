// Takes the outcomes of calls: settles deliveries, and switches a destination off that nothing
// reaches. What is open of it goes on to its sixth attempt; what happens from then on is kept.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import { type DestinationRecord, isHopeless } from './destination.ts';
import type { WebhooksView } from './memory.ts';
import type { IntegrationDisabled, WebhookReport, WebhooksEntry } from './protocol.ts';
import { Settling } from './settle.ts';

type Accepted = Extract<Decision, { outcome: 'accepted' }>;

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
  const { entries = [], effects = [] } = switchedOffBy(app, number, settling, context);
  return accepted(null, {
    entries: [{ ...settling.entry(), ...head }, ...entries],
    documents: settling.documents(),
    effects,
  });
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

/** Follows a `webhook.settled`, which has already updated the health that this reports. */
function switchedOffBy(
  { webhooks, record: app }: WebhooksView,
  number: number,
  settling: Settling,
  { owner, nowMs, ages }: Context,
): Pick<Accepted, 'entries' | 'effects'> {
  const one = webhooks.destinations.get(number);
  if (one === undefined || !one.record.enabled) return {};
  const health = settling.healthAfter(one.health);
  if (!isHopeless(health) || ages.isUnsure(health.failingMs ?? nowMs)) return {};
  const destination: DestinationRecord = {
    ...one.record,
    enabled: false,
    disabledReason: 'no_success',
    switchedOffMs: nowMs,
    updatedMs: nowMs,
  };
  const entry: WebhooksEntry = { kind: 'webhook.saved', owner, destination };
  const message: IntegrationDisabled = {
    kind: 'integration.disabled',
    org: app.org,
    appId: app.id,
    type: one.record.type,
  };
  return { entries: [entry], effects: [{ port: 'front', message }] };
}
