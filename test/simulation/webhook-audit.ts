// Follows destinations through the log and derives what each of them must get, from its save on and
// not after its end. It never asks the product's own memory. At the end of a world the ledger is
// read back and held against it; see `webhook-recount.ts`.

import { channelIds } from '../../actors/channels/channel-ids.ts';
import type { DestinationRecord } from '../../actors/integrations/webhooks/destination.ts';
import type { WebhookGrant, WebhooksEntry } from '../../actors/integrations/webhooks/protocol.ts';
import type { AudienceEntry } from '../../actors/people/audience/protocol.ts';
import type { CampaignsEntry } from '../../actors/programs/campaigns/entries.ts';
import type { CampaignRecord } from '../../actors/programs/campaigns/records.ts';
import type { ErasureEntry } from '../../actors/runtime/erasure-protocol.ts';
import type { ExpiryEntry } from '../../actors/runtime/expiry-protocol.ts';
import { factsOf } from '../../actors/runtime/facts.ts';
import type { CallbacksEntry } from '../../actors/sending/callbacks/protocol.ts';
import type { OutboxEntry } from '../../actors/sending/outbox/protocol.ts';
import type { TransactionalEntry } from '../../actors/sending/transactional/protocol.ts';
import type { AccountsEntry } from '../../actors/tenants/accounts/protocol.ts';
import type { Entry } from '../../engine/actor/message.ts';
import { Bitset } from '../../engine/base/bitset.ts';
import { secondMs } from '../../engine/base/brand.ts';
import { unpackOrdinals } from '../../engine/base/ordinal-list.ts';
import type { Findings } from './invariants.ts';
import type { AppFact } from './log-facts.ts';
import { AppWebhooks, type HappenedFact, isOwed, streamKinds } from './webhook-facts.ts';
import { StrictOrder } from './webhook-order.ts';

type KnownEntry =
  | AccountsEntry
  | AudienceEntry
  | CallbacksEntry
  | CampaignsEntry
  | ErasureEntry
  | ExpiryEntry
  | OutboxEntry
  | TransactionalEntry
  | WebhooksEntry;

type OccurrenceEnded = Extract<CampaignsEntry, { kind: 'campaign.occurrence_ended' }>;

/** The destinations of one world. */
export class WebhookAudit {
  readonly apps = new Map<number, AppWebhooks>();
  readonly order: StrictOrder;
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
    this.order = new StrictOrder(findings, this.apps);
  }

  of(owner: number): AppWebhooks {
    let app = this.apps.get(owner);
    if (app === undefined) this.apps.set(owner, (app = new AppWebhooks()));
    return app;
  }

  /** `app`: as the entry has left it, its numbers of events above all. */
  take(raw: Entry, app: AppFact | undefined): void {
    const entry = raw as KnownEntry;
    if (app === undefined) return;
    const mine = this.of(entry.owner);
    if (entry.kind.startsWith('webhook.')) mine.version++;
    switch (entry.kind) {
      case 'app.deleted':
        this.apps.delete(entry.owner);
        return;
      case 'settings.changed':
        mine.settings(entry.settings.webhookUrl ?? null);
        break;
      case 'subscriber.merged':
        mine.merged.set(entry.person, entry.into);
        break;
      case 'subscriber.erased':
        mine.gone.add(entry.person);
        break;
      case 'people.expired':
        for (const person of unpackOrdinals(entry.people)) mine.gone.add(person);
        break;
      case 'campaign.saved':
        mine.campaigns.set(entry.campaign.id, entry.campaign);
        break;
      case 'campaign.started':
        mine.audiences.set(
          `${entry.campaignId} ${entry.occurrence}`,
          Bitset.restore(entry.audience).count(),
        );
        break;
      case 'webhook.saved':
        switchedOff(mine, entry.destination, app.nextEvent - 1);
        mine.save(entry.destination);
        break;
      case 'webhook.removed':
        mine.subscriptions.delete(entry.destination);
        break;
      case 'webhook.written':
        if (entry.taken > 0) mine.written(entry.atMs);
        break;
      case 'webhook.settled':
        if (entry.opened > 0) mine.retried(entry.destination, entry.atMs);
        break;
    }
    if (mine.subscriptions.size > 0) this.#follow(entry, mine, app);
  }

  /** Deliveries leave their partition. */
  granted(grant: WebhookGrant): void {
    this.order.granted(grant);
    const { app, destination, concurrency, places } = grant;
    const one = this.apps.get(app)?.subscriptions.get(destination);
    this.#findings.expect(
      one !== undefined && isOwed(one) && one.concurrency === concurrency,
      'webhook_subscribed',
      () =>
        `${places.length} deliveries leave for destination ${destination} of app ${app}, ${concurrency} at once, and it is ${JSON.stringify(one)}`,
    );
  }

  #follow(entry: KnownEntry, mine: AppWebhooks, app: AppFact): void {
    const facts = factsOf(entry);
    for (const { name, seq, person } of facts.drafts((one) => streamKinds.has(one))) {
      const kind = streamKinds.get(name);
      if (kind !== undefined) happened(mine, { kind, seq, person });
    }
    const seq = app.nextEvent - 1;
    switch (entry.kind) {
      case 'campaign.saved': {
        const { state, endedMs, updatedMs } = entry.campaign;
        if ((state === 'completed' || state === 'failed') && endedMs === updatedMs)
          ended(mine, entry.campaign, state, seq);
        if (entry.campaign.guarded?.atMs === updatedMs)
          degraded(mine, seq, 'email', updatedMs, entry.campaign.id);
        break;
      }
      case 'campaign.occurrence_ended':
        occurrenceEnded(mine, entry, seq);
        break;
      case 'campaign.decided':
      case 'wave.settled': {
        const about = `${entry.campaignId} ${Math.floor(entry.atMs / secondMs)}`;
        happened(mine, { kind: 'campaign.chunk_processed', seq, about, isCertain: false });
        if (entry.kind === 'wave.settled')
          degraded(mine, seq, channelIds[entry.channel] ?? '', entry.atMs);
        break;
      }
      case 'receipt.told': {
        // No event of the stream: several may come at one number.
        const about = `${entry.sendId} ${entry.deviceId}`;
        if (entry.by !== undefined)
          happened(mine, { kind: 'message.complained', seq, person: entry.by.person, about });
        break;
      }
      case 'attempts.settled':
        degraded(mine, seq, entry.channel, entry.atMs);
        break;
    }
  }
}

/** A recurring campaign says at its end what its last occurrence has not said. */
function ended(
  mine: AppWebhooks,
  { id, schedule, endedMs }: CampaignRecord,
  state: 'completed' | 'failed',
  seq: number,
): void {
  const newest = mine.newestEnd.get(id);
  const isRecurring = schedule.type === 'recurring';
  if (state === 'completed' && isRecurring && newest?.atMs === endedMs) return;
  const which = state === 'failed' ? '' : ` ${isRecurring ? '' : (newest?.number ?? '')}`;
  happened(mine, { kind: `campaign.${state}`, seq, about: `${id}${which}` });
}

function occurrenceEnded(
  mine: AppWebhooks,
  { campaignId: id, occurrence: number, atMs }: OccurrenceEnded,
  seq: number,
): void {
  const { state, schedule, nextMs } = mine.campaigns.get(id) ?? {};
  if (state === undefined || state === 'canceled' || state === 'failed') return;
  mine.newestEnd.set(id, { number, atMs });
  const about = `${id} last ${number}`;
  happened(mine, { kind: 'campaign.chunk_processed', seq, about, isCertain: false });
  const isHeard = mine.audiences.get(`${id} ${number}`) !== 0 || nextMs === undefined;
  if (schedule?.type === 'recurring' && isHeard)
    happened(mine, { kind: 'campaign.completed', seq, about: `${id} ${number}` });
}

/** The others are told when the service switches one off. */
function switchedOff(
  mine: AppWebhooks,
  { number, type, switchedOffMs }: DestinationRecord,
  seq: number,
): void {
  if (switchedOffMs === undefined || mine.subscriptions.get(number)?.enabled !== true) return;
  happened(mine, { kind: 'integration.disabled', seq, about: type, except: number });
}

function degraded(
  mine: AppWebhooks,
  seq: number,
  channel: string,
  atMs: number,
  campaignId = '',
): void {
  const about = `${channel} ${Math.floor(atMs / secondMs)}${campaignId}`;
  happened(mine, { kind: 'delivery.degraded', seq, about, isCertain: false });
}

function happened(
  mine: AppWebhooks,
  one: Pick<HappenedFact, 'kind' | 'seq'> & Partial<HappenedFact>,
): void {
  const place = mine.count++;
  mine.pending.push({ person: undefined, about: '', isCertain: true, ...one, place });
}
