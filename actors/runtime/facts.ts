// The one exhaustive switch from entries to what happened. Events are numbered only here: without
// gaps within an app, in the order in which decisions and the pump return entries.

import type { TimerSet } from '../../engine/actor/machine.ts';
import type { Entry } from '../../engine/actor/message.ts';
import type {
  Carried,
  ClockAccepted,
  ClockConfirmed,
  ClockDoubted,
  DeadLetter,
  TimerFired,
} from '../../engine/actor/runtime-memory.ts';
import { unpackOrdinals } from '../../engine/base/ordinal-list.ts';
import { numberedBatch } from '../events/batch.ts';
import {
  audienceFacts,
  ChangedFacts,
  type EntryFacts,
  type EventsOf,
  eventsFacts,
  noFacts,
} from '../events/facts.ts';
import { campaignsFacts } from '../programs/campaigns/facts.ts';
import { journeysFacts } from '../programs/journeys/facts.ts';
import { callbacksFacts } from '../sending/callbacks/facts.ts';
import { transactionalFacts } from '../sending/transactional/facts.ts';
import type { AnyEntry } from './protocols.ts';

type LogEntry =
  | AnyEntry
  | Carried
  | ClockAccepted
  | ClockConfirmed
  | ClockDoubted
  | DeadLetter
  | TimerFired
  | TimerSet;

type Kind = LogEntry['kind'];

type FactsByKind = {
  readonly [K in Kind]: (entry: Extract<LogEntry, { readonly kind: K }>) => EntryFacts;
};

const none = () => noFacts;

export const factsByKind: FactsByKind = {
  ...eventsFacts,
  ...audienceFacts,
  ...transactionalFacts,
  ...callbacksFacts,
  ...campaignsFacts,
  ...journeysFacts,
  'traits.changed': ({ people, unproven }) =>
    new ChangedFacts(
      people.map(({ person }) => person),
      unproven !== true,
    ),
  'subscriber.erased': ({ person }) => new ChangedFacts([person]),
  'people.expired': ({ people }) => new ChangedFacts([...unpackOrdinals(people)]),
  'app.changed': none,
  'app.created': none,
  'app.deleted': none,
  'app.swept': none,
  'asset.added': none,
  'asset.deleted': none,
  'attempts.started': none,
  'audit.noted': none,
  'batch.queued': none,
  'bulk.progressed': none,
  'bulk.started': none,
  'campaign.answered_for_good': none,
  'campaign.deleted': none,
  'campaign.fallback_awaited': none,
  'campaign.fallback_began': none,
  'campaign.released': none,
  'campaign.started': none,
  'campaign.won': none,
  'cdp.key_changed': none,
  'cdp.removed': none,
  'cdp.seen': none,
  'channel.resumed': none,
  'client.behind': none,
  'client.closed': none,
  'client.confirmed': none,
  'client.opened': none,
  'client.reported': none,
  'clients.changed': none,
  'creation.claimed': none,
  'credential.deleted': none,
  'credential.rotated': none,
  'credential.stored': none,
  'email_domain.checked': none,
  'email_domain.deleted': none,
  'email_domain.stored': none,
  'dry_run.swept': none,
  'dry_run.written': none,
  'erasure.scrubbed': none,
  'flag.deleted': none,
  'flag.saved': none,
  'identity.secret_changed': none,
  'identity.token_key_changed': none,
  'session.ended': none,
  'session.opened': none,
  'session.seen': none,
  'sessions.ended': none,
  'sign_in_link.made': none,
  'inapp.deleted': none,
  'inapp.saved': none,
  'journey.awaited': none,
  'journey.deleted': none,
  'journey.saved': none,
  'journey.triggered': none,
  'journeys.released': none,
  'key.created': none,
  'key.deleted': none,
  'keyword.heard': none,
  'live_activity.changed': none,
  'member.added': none,
  'mail_stop.removed': none,
  'mail_stop.set': none,
  'member.removed': none,
  'member.signed_in': none,
  'sign_in_link.spent': none,
  'member.role_changed': none,
  'message.changed': none,
  'message.created': none,
  'message.deleted': none,
  'names.changed': none,
  'org.branded': none,
  'org.changed': none,
  'billing.began': none,
  'billing.customer_kept': none,
  'billing.checkout_started': none,
  'billing.method_connected': none,
  'billing.method_detached': none,
  'billing.event_taken': none,
  'billing.parent_changed': none,
  'invoice.closed': none,
  'invoice.paid': none,
  'charge.started': none,
  'charge.unresolved': none,
  'charge.failed': none,
  'org.created': none,
  'opt_out.doubted': none,
  'opt_out.settled': none,
  'partition.founded': none,
  'partition.restored': none,
  'receipt.early': none,
  'receipts.rechecked': none,
  'receipts.retold': none,
  'report.confirmed': none,
  'report.made': none,
  'results.polled': none,
  'runtime.carried': none,
  'runtime.clock_accepted': none,
  'runtime.clock_confirmed': none,
  'runtime.clock_doubted': none,
  'runtime.dead_letter': none,
  'segment.changed': none,
  'segment.deleted': none,
  'segment.saved': none,
  'segment.unwatched': none,
  'segment.watched': none,
  'send.woken': none,
  'sends.swept': none,
  'settings.changed': none,
  'events.gone': none,
  'subscriber.changed': none,
  'subscriber.identified': none,
  'storage.changed': none,
  'storage.counted': none,
  'suppression.removed': none,
  'template.changed': none,
  'template.created': none,
  'template.deleted': none,
  'timer.fired': none,
  'timer.set': none,
  'webhook.removed': none,
  'webhook.saved': none,
  'webhook.settled': none,
  'webhook.swept': none,
  'webhook.written': none,
  'workspace.received': none,
};

export function factsOf(entry: Entry): EntryFacts {
  const facts = factsByKind[entry.kind as Kind] as ((entry: Entry) => EntryFacts) | undefined;
  if (facts === undefined) throw new Error(`nothing says what ${entry.kind} means`);
  return facts(entry);
}

/** The events that history stores of an entry, in the order of their numbers. */
export const eventsOf: EventsOf = (entry) => factsOf(entry).batches();

/** Sets the number of the entry's first event. Nothing may read the number before. */
export function numberEntry(entry: Entry, firstEvent: number): void {
  const one = entry as LogEntry;
  if ('firstEvent' in one) one.firstEvent = firstEvent;
  else if (one.kind === 'events.tracked') one.batch = numberedBatch(one.batch, firstEvent);
  else if (one.kind === 'suppression.added' && one.unsubscribed !== undefined)
    one.unsubscribed.firstEvent = firstEvent;
}
