// One call as a route's handler sees it: parsed input, the caller, and the way to the actors.
// Errors travel as `FaultError`, so a handler reads straight down.

import type { ExportProtocol } from '../actors/audiences/export/export.ts';
import type { FlagsProtocol } from '../actors/audiences/flags/protocol.ts';
import type { InAppProtocol } from '../actors/audiences/inapp/protocol.ts';
import type { SegmentsProtocol } from '../actors/audiences/segments/protocol.ts';
import type { MessagesProtocol } from '../actors/content/messages/protocol.ts';
import type { TemplatesProtocol } from '../actors/content/templates/protocol.ts';
import type { CdpProtocol } from '../actors/events/cdp/protocol.ts';
import type { EventsProtocol } from '../actors/events/protocol.ts';
import { fault, notFound } from '../actors/faults.ts';
import { notedMessages } from '../actors/insight/audit/noted-messages.ts';
import type { AuditProtocol } from '../actors/insight/audit/protocol.ts';
import type { InsightsProtocol } from '../actors/insight/insights/protocol.ts';
import type { TimelineProtocol } from '../actors/insight/timeline/protocol.ts';
import type { AudienceProtocol } from '../actors/people/audience/protocol.ts';
import type { IdentityProtocol } from '../actors/people/identity/protocol.ts';
import type { CampaignsProtocol } from '../actors/programs/campaigns/protocol.ts';
import type { JourneysProtocol } from '../actors/programs/journeys/protocol.ts';
import type { ErasureProtocol } from '../actors/runtime/erasure.ts';
import type { CallbacksProtocol } from '../actors/sending/callbacks/protocol.ts';
import type { LiveActivitiesProtocol } from '../actors/sending/live-activities/protocol.ts';
import type { TransactionalProtocol } from '../actors/sending/transactional/protocol.ts';
import type { AccountsProtocol, KeyGrant } from '../actors/tenants/accounts/protocol.ts';
import type { UsageProtocol } from '../actors/tenants/usage/protocol.ts';
import type { Lane, Message } from '../engine/actor/message.ts';
import type { MessageOf, ReplyOf } from '../engine/actor/protocol.ts';
import type { Ordinal } from '../engine/base/brand.ts';
import { FaultError } from '../engine/base/fault.ts';
import { parseId } from '../engine/base/id.ts';
import type { Edge } from './edge.ts';

/** Every message that the edges may send. */
export interface Protocol
  extends AccountsProtocol,
    AudienceProtocol,
    ExportProtocol,
    ErasureProtocol,
    AuditProtocol,
    SegmentsProtocol,
    MessagesProtocol,
    TemplatesProtocol,
    FlagsProtocol,
    InAppProtocol,
    CampaignsProtocol,
    JourneysProtocol,
    IdentityProtocol,
    LiveActivitiesProtocol,
    TransactionalProtocol,
    TimelineProtocol,
    EventsProtocol,
    InsightsProtocol,
    CdpProtocol,
    CallbacksProtocol,
    UsageProtocol {}

type WithoutCaller<M> = Omit<M, 'by'>;

export class Call<Query = unknown, Body = unknown> {
  readonly edge: Edge;
  /** As it was called: a route of GET takes HEAD, too. */
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The body as it was sent, before its schema read it. */
  readonly sent: unknown;
  /** The key that was used; undefined for operator and public calls. */
  readonly grant: KeyGrant | undefined;
  readonly bytes: Uint8Array;
  readonly requestId: string;
  /** Path and query as they were received. */
  readonly target: string;
  /** Whom ceilings count a keyless call by; undefined where nothing asked for it. */
  readonly who: string | undefined;
  readonly #header: (name: string) => string | undefined;
  readonly #lane: Lane;
  /** The app that the call named, so that its actor can check the whole id. */
  #namedApp: { readonly ordinal: Ordinal; readonly id: string } | undefined;

  constructor(parts: {
    readonly edge: Edge;
    readonly method?: string;
    readonly params: Readonly<Record<string, string>>;
    readonly query: Query;
    readonly body: Body;
    readonly sent: unknown;
    readonly grant: KeyGrant | undefined;
    readonly bytes: Uint8Array;
    readonly requestId: string;
    readonly target: string;
    readonly who?: string | undefined;
    readonly lane: Lane;
    header(name: string): string | undefined;
  }) {
    this.edge = parts.edge;
    this.method = parts.method ?? 'GET';
    this.params = parts.params;
    this.query = parts.query;
    this.body = parts.body;
    this.sent = parts.sent;
    this.grant = parts.grant;
    this.bytes = parts.bytes;
    this.requestId = parts.requestId;
    this.target = parts.target;
    this.who = parts.who;
    this.#header = parts.header;
    this.#lane = parts.lane;
  }

  /**
   * A request header by its lower-case name; `undefined` when it was not sent, empty when it was
   * sent so.
   */
  header(name: string): string | undefined {
    return this.#header(name);
  }

  /** A path parameter; the matcher made sure that it is there. */
  param(name: string): string {
    return this.params[name] ?? '';
  }

  /** The calling key's org. */
  get org(): Ordinal {
    if (this.grant === undefined)
      throw new FaultError(fault('unauthorized', 'this route needs an API key'));
    return this.grant.org;
  }

  /**
   * The app that an id names, if this key may see it. Whether the app exists, and belongs to the
   * caller's org, is checked by its actor; here only what the id itself says.
   */
  app(id: string = this.param('appId') || this.param('id')): Ordinal {
    const parts = parseId('app', id);
    const only = this.grant?.app ?? null;
    if (parts === undefined || parts.ordinal === 0 || (only !== null && only !== parts.ordinal)) {
      throw new FaultError(notFound('app'));
    }
    this.#namedApp = { ordinal: parts.ordinal, id };
    return parts.ordinal;
  }

  /** Asks the actor of `owner` on behalf of the caller; a refusal is thrown as a `FaultError`. */
  async ask<K extends keyof Protocol & string>(
    owner: Ordinal,
    kind: K,
    body: WithoutCaller<Protocol[K]['body']>,
    options: {
      readonly bytes?: Uint8Array;
      readonly by?: Ordinal;
      readonly lane?: Lane;
      /** About how many bytes the message holds, where it is only a part of the call's body. */
      readonly weight?: number;
    } = {},
  ): Promise<ReplyOf<Protocol, K>> {
    const by = options.by ?? this.grant?.org ?? -1;
    const named = this.#namedApp;
    const checked = named?.ordinal === owner && kind !== 'send.explain';
    const message = {
      ...body,
      kind,
      by,
      ...(checked ? { namedApp: named.id } : {}),
      ...(notedMessages.has(kind) ? { actor: this.grant?.keyObjectId ?? 'operator' } : {}),
    } as unknown as MessageOf<Protocol, K> & Message;
    const answer = await this.edge.router.ask(owner, message, {
      lane: options.lane ?? this.#lane,
      weight: options.weight ?? this.bytes.byteLength,
      ...(options.bytes === undefined ? {} : { bytes: options.bytes }),
    });
    if (!answer.ok) throw new FaultError(answer.fault);
    return answer.value as ReplyOf<Protocol, K>;
  }
}

/** An instant in JSON: RFC 3339, UTC, milliseconds. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
