// One call as a route's handler sees it: parsed input, the caller, and the actors. Refusals are
// thrown as `FaultError`, so a handler reads straight down.

import { fault, notFound, type UnknownMember } from '../../actors/faults.ts';
import type { Caller, KeyGrant, Tenant } from '../../actors/tenants/accounts/protocol.ts';
import type { Lane, Message } from '../../engine/actor/message.ts';
import type { ProtocolShape, ReplyOf } from '../../engine/actor/protocol.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { type Fault, FaultError } from '../../engine/base/fault.ts';
import { parseId } from '../../engine/base/id.ts';
import type { CallEdge } from './call-edge.ts';

/** The creation that an idempotency key stands for; the message that creates claims it. */
export interface Creates {
  readonly kind: string;
  readonly prefix: string;
  /** An `IdempotencyClaim`. */
  claimAt(owner: Ordinal): unknown;
}

/** The change that a call makes, if nobody changed its object since. */
export interface Editing {
  /** The message that makes it. */
  readonly kind: string;
  /** Tags of versions that the caller has seen, or `*` for whatever there is. */
  readonly ifMatch?: '*' | readonly string[];
}

/** Thrown instead of a reply: the key was used before, and created this object. */
export class ReplayOf extends Error {
  override readonly name = 'ReplayOf';
  readonly id: string;
  constructor(id: string) {
    super(`created ${id} before`);
    this.id = id;
  }
}

/** A message's body, without what the edge adds. */
export type Asked<P extends ProtocolShape<P>, K extends keyof P> = Omit<P[K]['body'], 'by'>;

interface CallOptions {
  readonly bytes?: Uint8Array;
  readonly by?: Ordinal;
  readonly lane?: Lane;
  /** Approximate bytes, if the message holds only a part of the call's body. */
  readonly weight?: number;
}

/** An actor as a call sees it; its protocol types the replies. */
export interface Actor<P extends ProtocolShape<P>> {
  /** Asks as the caller; throws a refusal as a `FaultError`. */
  ask<K extends keyof P & string>(
    kind: K,
    body: Asked<P, K>,
    options?: CallOptions,
  ): Promise<ReplyOf<P, K>>;
}

type CallParts<Query, Body> = Pick<
  Call<Query, Body>,
  | 'edge'
  | 'params'
  | 'query'
  | 'body'
  | 'sent'
  | 'grant'
  | 'bytes'
  | 'requestId'
  | 'target'
  | 'header'
> & {
  readonly unknown?: readonly UnknownMember[];
  readonly inexact?: ReadonlyMap<number, Fault>;
  readonly creates?: Creates | undefined;
  readonly editing?: Editing | undefined;
  readonly method?: string;
  readonly actor?: string | undefined;
  readonly who?: string | undefined;
  readonly unlessRight?: Fault | undefined;
  readonly lane: Lane;
};

const none: ReadonlyMap<number, Fault> = new Map();

export class Call<Query = unknown, Body = unknown> {
  readonly edge: CallEdge;
  /** As received: a GET route accepts HEAD, too. */
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The body before its schema parsed it. */
  readonly sent: unknown;
  /** Members of the body that its schema does not know. */
  readonly unknown: readonly UnknownMember[];
  /** Items with a number that may not be what was sent, of the member `judgesNumbersOf`. */
  readonly inexact: ReadonlyMap<number, Fault>;
  /** Undefined for operator and public calls. */
  readonly grant: KeyGrant | undefined;
  /** Who makes changes, for the audit log and for the refusal of an older version. */
  readonly actor: string | undefined;
  readonly bytes: Uint8Array;
  readonly requestId: string;
  /** Path and query as received. */
  readonly target: string;
  /** A keyless call's rate-limit key; undefined if no limit asked for it. */
  readonly who: string | undefined;
  /** The address has no room: thrown unless the body has a right link or key. */
  readonly unlessRight: Fault | undefined;
  readonly #header: (name: string) => string | undefined;
  readonly #lane: Lane;
  readonly #creates: Creates | undefined;
  readonly #editing: Editing | undefined;
  /** The named app; its actor checks the whole id. */
  #namedApp: { readonly ordinal: Ordinal; readonly id: string } | undefined;

  constructor(parts: CallParts<Query, Body>) {
    this.edge = parts.edge;
    this.method = parts.method ?? 'GET';
    this.params = parts.params;
    this.query = parts.query;
    this.body = parts.body;
    this.sent = parts.sent;
    this.unknown = parts.unknown ?? [];
    this.inexact = parts.inexact ?? none;
    this.grant = parts.grant;
    this.actor = parts.actor;
    this.bytes = parts.bytes;
    this.requestId = parts.requestId;
    this.target = parts.target;
    this.who = parts.who;
    this.unlessRight = parts.unlessRight;
    this.#header = parts.header;
    this.#lane = parts.lane;
    this.#creates = parts.creates;
    this.#editing = parts.editing;
  }

  /** By lower-case name: `undefined` if not sent, empty if sent empty. */
  header(name: string): string | undefined {
    return this.#header(name);
  }

  /** A path parameter; the matcher made sure that it exists. */
  param(name: string): string {
    return this.params[name] ?? '';
  }

  get org(): Ordinal {
    return this.tenant.org;
  }

  /** The org, and the agency whose client it is. */
  get tenant(): Tenant {
    if (this.grant === undefined)
      throw new FaultError(fault('unauthorized', 'this route needs an API key'));
    return this.grant;
  }

  /** The app of an id, if this key may see it. The actor checks existence and org. */
  app(id: string = this.param('appId')): Ordinal {
    const parts = parseId('app', id);
    const only = this.grant?.app ?? null;
    if (parts === undefined || parts.ordinal === 0 || (only !== null && only !== parts.ordinal)) {
      throw new FaultError(notFound('app'));
    }
    this.#namedApp = { ordinal: parts.ordinal, id };
    return parts.ordinal;
  }

  to<P extends ProtocolShape<P> = never>(owner: Ordinal): Actor<P> {
    return { ask: (kind, body, options) => this.#ask(owner, kind, body, options) };
  }

  /** On whose behalf a message is sent. */
  #caller(by: Ordinal | undefined): Pick<Caller, 'by' | 'agency'> {
    if (by !== undefined) return { by };
    const { org, agency } = this.grant ?? { org: -1 as Ordinal };
    return agency === undefined ? { by: org } : { by: org, agency };
  }

  async #ask<Reply>(
    owner: Ordinal,
    kind: string,
    body: object,
    options: CallOptions = {},
  ): Promise<Reply> {
    const named = this.#namedApp;
    const checked = named?.ordinal === owner && kind !== 'send.explain';
    const creates = this.#creates?.kind === kind ? this.#creates : undefined;
    const editing = this.#editing?.kind === kind ? this.#editing : undefined;
    const message: Record<string, unknown> = { ...body, kind };
    const { by, agency } = this.#caller(options.by);
    message['by'] = by;
    if (agency !== undefined) message['agency'] = agency;
    if (checked) message['namedApp'] = named.id;
    if (creates !== undefined)
      message['creation'] = { claim: creates.claimAt(owner), prefix: creates.prefix, kind };
    if (editing?.ifMatch !== undefined) message['ifMatch'] = editing.ifMatch;
    if (this.actor !== undefined) message['actor'] = this.actor;
    const answer = await this.edge.router.ask(owner, message as unknown as Message, {
      lane: options.lane ?? this.#lane,
      weight: options.weight ?? this.bytes.byteLength,
      ...(options.bytes === undefined ? {} : { bytes: options.bytes }),
    });
    if (!answer.ok) throw new FaultError(answer.fault);
    if (creates !== undefined) {
      const { replayOf } = (answer.value ?? {}) as { readonly replayOf?: string };
      if (replayOf !== undefined) throw new ReplayOf(replayOf);
    }
    return answer.value as Reply;
  }
}
