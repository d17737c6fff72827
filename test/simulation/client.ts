// A client of the engine as a generator: it yields what it asks and how long it waits, and is
// resumed with the answer. So a hundred clients run in one thread, in an order that the seed alone
// decides.

import type { SegmentsProtocol } from '../../actors/audiences/segments/protocol.ts';
import type { MessagesProtocol } from '../../actors/content/messages/protocol.ts';
import type { TemplatesProtocol } from '../../actors/content/templates/protocol.ts';
import type { EventsProtocol } from '../../actors/events/protocol.ts';
import type { WebhooksProtocol } from '../../actors/integrations/webhooks/protocol.ts';
import type { AudienceProtocol } from '../../actors/people/audience/protocol.ts';
import type { IdentityProtocol } from '../../actors/people/identity/protocol.ts';
import type { TopicsProtocol } from '../../actors/people/topics/protocol.ts';
import type { CampaignsProtocol } from '../../actors/programs/campaigns/protocol.ts';
import type { JourneysProtocol } from '../../actors/programs/journeys/protocol.ts';
import type { ErasureProtocol } from '../../actors/runtime/erasure-protocol.ts';
import type { CallbacksProtocol } from '../../actors/sending/callbacks/protocol.ts';
import type { LiveActivitiesProtocol } from '../../actors/sending/live-activities/protocol.ts';
import type { OptInProtocol } from '../../actors/sending/opt-in/protocol.ts';
import type { TransactionalProtocol } from '../../actors/sending/transactional/protocol.ts';
import type { WarmUpProtocol } from '../../actors/sending/warm-up/protocol.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import type { ClientsProtocol } from '../../actors/tenants/clients/protocol.ts';
import type { RelaysProtocol } from '../../actors/tenants/relays/protocol.ts';
import type { UsageProtocol } from '../../actors/tenants/usage/protocol.ts';
import type { Lane } from '../../engine/actor/message.ts';
import type { Fault } from '../../engine/base/fault.ts';

/** Everything that a client may ask. */
export type Protocol = AccountsProtocol &
  AudienceProtocol &
  CallbacksProtocol &
  CampaignsProtocol &
  ErasureProtocol &
  EventsProtocol &
  IdentityProtocol &
  TopicsProtocol &
  JourneysProtocol &
  LiveActivitiesProtocol &
  MessagesProtocol &
  OptInProtocol &
  SegmentsProtocol &
  TemplatesProtocol &
  TransactionalProtocol &
  ClientsProtocol &
  RelaysProtocol &
  UsageProtocol &
  WarmUpProtocol &
  WebhooksProtocol;
type Kind = Exclude<keyof Protocol & string, 'events.list'>;

/** The answer to an ask; `lost` when the process died first: then it was done, or it was not. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault }
  | 'lost';

/** What a client waits for. */
type Step =
  | {
      readonly step: 'ask';
      readonly to: number;
      readonly kind: Kind;
      readonly body: object;
      readonly by: number;
      readonly bytes: Uint8Array | undefined;
      readonly lane: Lane;
    }
  | { readonly step: 'pause'; readonly ms: number };

/** A client, or a part of one that ends with a result. */
export type Client<Result = void> = Generator<Step, Result, Reply<unknown> | undefined>;

interface AskOptions {
  /** The calling org; −1, the system, by default. */
  readonly by?: number;
  readonly bytes?: Uint8Array;
  readonly lane?: Lane;
}

type Body<K extends Kind> = Omit<Protocol[K]['body'], 'by'>;

/** Waits for virtual time to pass. */
export function* pause(ms: number): Client {
  yield { step: 'pause', ms };
}

/** Asks once. */
export function* ask<K extends Kind>(
  to: number,
  kind: K,
  body: Body<K>,
  { by = -1, bytes, lane = 'express' }: AskOptions = {},
): Client<Reply<Protocol[K]['reply']>> {
  const reply = yield { step: 'ask', to, kind, body, by, bytes, lane };
  return (reply ?? 'lost') as Reply<Protocol[K]['reply']>;
}

/** What came of asking until there was an answer that asking again would not change. */
interface Persisted<T> {
  readonly reply: Exclude<Reply<T>, 'lost'>;
  /** Answers that were lost on the way: what was asked may have been done as often before. */
  readonly lost: number;
}

const safeToRepeat = new Set([
  'overloaded',
  'not_started',
  'shutting_down',
  'moved',
  'disk_full',
  'outbox_full',
  'idempotency_full',
]);

/** Whether a reply says that nothing was done and asking again is right. */
export function isRepeatable(reply: Reply<unknown>): boolean {
  return reply !== 'lost' && !reply.ok && safeToRepeat.has(reply.fault.code);
}

/** Asks until it is answered: for what may be done twice and be the same. */
export function* persist<K extends Kind>(
  to: number,
  kind: K,
  body: Body<K>,
  options: AskOptions = {},
): Client<Persisted<Protocol[K]['reply']>> {
  let waitMs = 100;
  for (let lost = 0; ; ) {
    const reply = yield* ask(to, kind, body, options);
    if (reply === 'lost') lost++;
    else if (!isRepeatable(reply)) return { reply, lost };
    yield* pause(waitMs);
    waitMs = Math.min(60_000, waitMs * 2);
  }
}
