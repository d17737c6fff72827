// Reads an app's ledger of deliveries back, page by page, and holds it against what its log owes.
// What an event was is taken from the bytes that its receiver got; only what never left is read one
// by one.

import {
  type DeliveryName,
  parseDeliveryId,
} from '../../actors/integrations/webhooks/delivery-id.ts';
import type { DeliveryView } from '../../actors/integrations/webhooks/protocol.ts';
import { dayMs, secondMs } from '../../engine/base/brand.ts';
import { parseId } from '../../engine/base/id.ts';
import { type Client, persist } from './client.ts';
import type { Findings } from './invariants.ts';
import type { LogAudit } from './log-audit.ts';
import type { AppModel } from './model.ts';
import { type AppWebhooks, keyOf, type OwedFact } from './webhook-facts.ts';

/** What the recount looks at. */
export interface RecountedWebhooks {
  readonly audit: LogAudit;
  readonly findings: Findings;
  /** The bytes that a receiver got of a delivery. */
  receivedOf(deliveryId: string): Buffer | undefined;
  latestMs(): number;
}

/** The ledger keeps deliveries for thirty days. */
const keptMs = 29 * dayMs;

/** What a delivery says of its event. */
interface Told {
  readonly type: string;
  readonly seq: number;
  readonly subscriberId: string | null;
  readonly campaignId: string | null;
  readonly sendId: string | null;
  readonly deviceId: string | null;
  readonly channel: string | null;
  readonly atMs: number;
  readonly meta: Readonly<Record<string, unknown>>;
}

export function* checkWebhooks(checked: RecountedWebhooks, app: AppModel): Client {
  const { audit, findings, latestMs } = checked;
  const mine = audit.webhooks.of(app.ordinal);
  if (mine.subscriptions.size + mine.owed.size === 0 && mine.version === 0) return;
  mine.written(latestMs()); // nothing waits any more
  const found = new Map<number, Set<string>>();
  const open = new Map<number, number>();
  for (const view of yield* readDeliveries(app, {})) {
    const name = parseDeliveryId(app.ordinal, view.id);
    if (name === undefined) {
      findings.add('webhook_subscribed', `${view.id} is no delivery of app ${app.ordinal}`);
      continue;
    }
    if (isOpen(view)) open.set(name.destination, (open.get(name.destination) ?? 0) + 1);
    findings.expect(
      !isOpen(view),
      'webhook_ends',
      () => `${view.id} of destination ${name.destination} is ${view.state} for ever`,
    );
    const told = yield* toldBy(checked, app, view);
    if (told === undefined || told.type === 'webhook.test') continue;
    const keys = found.get(name.destination) ?? new Set();
    found.set(name.destination, keys);
    checkRow(checked, mine, name, view, told, keys);
  }
  for (const [number, owed] of mine.owed)
    for (const [key, one] of owed)
      findings.expect(
        found.get(number)?.has(key) === true || mayBeMissing(checked, app, one),
        'webhook_complete',
        () =>
          `destination ${number} of app ${app.ordinal} is owed ${key} of person ${one.person}, written at ${one.writtenMs}`,
      );
  yield* checkDestinations(checked, app, mine, open);
}

/** One row of the ledger is an event that is owed, about whom it should be, and the only one. */
function checkRow(
  { findings }: RecountedWebhooks,
  mine: AppWebhooks,
  { destination }: DeliveryName,
  view: DeliveryView,
  told: Told,
  found: Set<string>,
): void {
  const all = mine.owed.get(destination) ?? new Map<string, OwedFact>();
  const isOfErased = told.type === 'message.complained' && told.sendId === null;
  const named = keyOf({ kind: told.type, seq: told.seq, about: isOfErased ? '' : aboutOf(told) });
  // Of somebody erased nothing says which of several it was.
  const isIt = (one: string) => one.startsWith(named) && !found.has(one);
  const key = isOfErased ? ([...all.keys()].find(isIt) ?? named) : named;
  const owed = all.get(key);
  const what = `${view.id} of destination ${destination} is ${key}`;
  findings.expect(
    owed !== undefined && view.event === told.type,
    'webhook_subscribed',
    () => `${what}, listed as ${view.event}, and nothing like it is owed`,
  );
  findings.expect(!found.has(key), 'webhook_event_once', () => `${what}, for the second time`);
  found.add(key);
  if (owed === undefined) return;
  const person = told.subscriberId === null ? undefined : parseId('sub', told.subscriberId)?.low32;
  const isGone = owed.person !== undefined && mine.gone.has(mine.canonical(owed.person));
  findings.expect(
    person === owed.person || (person === undefined && isGone),
    'webhook_complete',
    () => `${what} of person ${person}, and should be of ${owed.person}`,
  );
}

function mayBeMissing(
  { audit, latestMs }: RecountedWebhooks,
  { ordinal }: AppModel,
  { event, writtenMs }: OwedFact,
): boolean {
  const isOfGone =
    event.kind.startsWith('campaign.') &&
    !audit.campaigns.of(ordinal).campaigns.has(event.about.split(' ')[0] ?? '');
  return !event.isCertain || isOfGone || latestMs() - writtenMs > keptMs;
}

/** The list of destinations says what the log says, and counts what the ledger has. */
function* checkDestinations(
  { findings }: RecountedWebhooks,
  app: AppModel,
  mine: AppWebhooks,
  open: ReadonlyMap<number, number>,
): Client {
  const { reply } = yield* persist(app.ordinal, 'destination.list', {}, { by: app.org });
  if (!reply.ok) return findings.add('acknowledged_kept', `destinations: ${reply.fault.message}`);
  const listed = new Map(reply.value.map((one) => [one.type, one]));
  for (const { number, type } of mine.subscriptions.values()) {
    const pending = listed.get(type)?.pending;
    findings.expect(
      pending === (open.get(number) ?? 0),
      'webhook_pending_exact',
      () => `${type} of app ${app.ordinal} has ${pending} pending, its ledger ${open.get(number)}`,
    );
  }
  for (const [type, wanted] of app.destinations) {
    const { enabled, disabledReason, events, concurrency } = listed.get(type) ?? {};
    findings.expect(
      (enabled === wanted.enabled || disabledReason === 'no_success') &&
        concurrency === wanted.concurrency &&
        events?.join() === wanted.events.join(),
      'acknowledged_kept',
      () => `${type} of app ${app.ordinal} is ${events}, ${enabled}, ${concurrency} at once`,
    );
  }
  // The webhook of the settings is none that a client put.
  findings.expect(
    listed.size - Number(listed.has('legacy')) === app.destinations.size,
    'acknowledged_kept',
    () => `app ${app.ordinal} has destinations ${[...listed.keys()]}`,
  );
}

/** All pages of the deliveries that a filter has. */
export function* readDeliveries(
  app: AppModel,
  filter: { readonly status?: DeliveryView['state'] },
): Client<DeliveryView[]> {
  const found: DeliveryView[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = { ...filter, limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const { reply } = yield* persist(app.ordinal, 'webhook_delivery.list', page, { by: app.org });
    if (!reply.ok) return found;
    found.push(...reply.value.items);
    if (reply.value.nextCursor === null) return found;
    cursor = reply.value.nextCursor;
  }
}

function* toldBy(
  { receivedOf, findings }: RecountedWebhooks,
  app: AppModel,
  { id }: DeliveryView,
): Client<Told | undefined> {
  const bytes = receivedOf(id);
  if (bytes !== undefined) {
    const body = JSON.parse(bytes.toString('utf8')) as Told & { readonly at: string };
    return { ...body, atMs: Date.parse(body.at) };
  }
  const { reply } = yield* persist(app.ordinal, 'webhook_delivery.read', { id }, { by: app.org });
  if (reply.ok) {
    const { kind: type, meta, ...payload } = reply.value.payload;
    return { ...payload, type, meta: { ...meta } };
  }
  findings.add('webhook_complete', `${id} is listed, and read: ${reply.fault.message}`);
  return undefined;
}

/** As the audit tells events of one number apart. */
function aboutOf({ type, campaignId, sendId, deviceId, channel, atMs, meta }: Told): string {
  if (type === 'integration.disabled') return `${meta['integration']}`;
  if (type === 'campaign.chunk_processed')
    return `${campaignId} ${meta['last'] === true ? `last ${meta['occurrence']}` : Math.floor(atMs / secondMs)}`;
  if (type === 'campaign.completed') return `${campaignId} ${meta['occurrence'] ?? ''}`;
  if (type === 'message.complained') return `${sendId} ${deviceId}`;
  if (type.startsWith('campaign.')) return `${campaignId}`;
  if (type !== 'delivery.degraded') return '';
  return `${channel} ${Math.floor(atMs / secondMs)}${campaignId ?? ''}`;
}

function isOpen({ state }: DeliveryView): boolean {
  return state === 'pending' || state === 'retrying';
}
