// Messages and entries of client workspaces. Parent and client are mostly in different partitions,
// so each tells the other absolute facts with a counter, until the other confirms the counter: a
// lost, repeated, late or overtaken message changes nothing.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Bytes, Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { PageAsked, PageById } from '../accounts/page-by-id.ts';
import type { AccountsEntry, Caller, KeyMaterial } from '../accounts/protocol.ts';
import type { Branding, BrandingPatch, OrgRecord, OwnBranding } from '../accounts/records.ts';
import type { RelaysEntry } from '../relays/protocol.ts';
import type { RelayRecord } from '../relays/records.ts';
import type { ClientMonth, ClientRecord, ClientReport } from './records.ts';

/** All that a parent says of one client. The first one that arrives creates the client. */
export interface Workspace {
  readonly counter: number;
  readonly orgId: string;
  readonly name: string;
  readonly parentOrgId: string;
  readonly parentOrdinal: Ordinal;
  readonly key?: KeyMaterial;
  readonly branding: OwnBranding;
  /** Its emails beyond the allowance are paid for; absent from an older version: no news. */
  readonly pays?: boolean;
  readonly isClosed: boolean;
  /** Its relays, sealed; absent from an older version: none. */
  readonly relays?: readonly RelayRecord[];
}

/** A client as its parent sees it, with its usage this month. */
export interface ClientView extends ClientMonth {
  readonly id: string;
  readonly name: string;
  readonly createdMs: Millis;
}

/** What the edge passes on to the client, so that its caller need not wait for the clock. */
export interface ToClient {
  /** The client's ordinal, or the slot it will be in. */
  readonly to: Ordinal;
  readonly workspace: Workspace;
}

/** Of all clients of an org. */
export interface SharedStorage {
  readonly usedBytes: Bytes;
  /** `null` is unlimited. */
  readonly quotaBytes: Bytes | null;
  /** Of a client: whether its agency's clients have used up what they share. */
  readonly isFull: boolean;
}

export interface BrandingView {
  readonly branding: Branding;
  /** Members that the org does not set itself. */
  readonly inherited: readonly (keyof Branding)[];
}

export interface ClientsProtocol {
  'client.open': {
    body: Caller & {
      clientId: string;
      name: string;
      key: KeyMaterial;
      idempotencyKey?: string;
    };
    /** `secretHash`: of the first key, also if an earlier call with this key created the client. */
    reply: ToClient & { client: ClientView; isReplay: boolean; secretHash: Uint8Array };
  };
  /** Without deleted ones. */
  'client.list': {
    body: Caller & PageAsked;
    reply: PageById<ClientView>;
  };
  'client.close': { body: Caller & { clientId: string }; reply: ToClient };
  /** From billing: every client must be told what changed, the first ones at once. */
  'clients.retell': { body: Caller; reply: null };
  /** From the clock: tells clients after `after` what they have not confirmed. */
  'client.remind': { body: Caller & { after: string }; reply: null };
  /** From the client, through the front. */
  'client.confirm': {
    body: Caller & { clientId: string; counter: number; ordinal: Ordinal };
    reply: null;
  };
  /** From the parent, to the client or to the slot where it will be. */
  'workspace.receive': {
    body: Caller & { workspace: Workspace };
    reply: { counter: number; ordinal: Ordinal; org: OrgRecord };
  };
  /** From the clock, to the client. `again`: even if the parent has confirmed it. */
  'report.make': { body: Caller & { again?: true }; reply: null };
  /** From the client, to its parent. */
  'report.receive': {
    body: Caller & {
      clientId: string;
      ordinal: Ordinal;
      createdMs: Millis;
      counter: number;
      report: ClientReport;
      /** The newest counter that it has of its parent. */
      workspace: number;
    };
    reply: { counter: number; isStorageFull: boolean };
  };
  /** From the parent, through the front. */
  'report.confirm': { body: Caller & { counter: number; isStorageFull: boolean }; reply: null };
  'client.stored': { body: Caller; reply: SharedStorage };
  'branding.read': { body: Caller; reply: BrandingView };
  'branding.patch': { body: Caller & { patch: BrandingPatch }; reply: BrandingView };
}

export type ClientsEntry =
  | (Entry & { readonly kind: 'client.opened'; readonly client: ClientRecord })
  | (Entry & {
      readonly kind: 'client.closed';
      readonly clientId: string;
      readonly atMs: Millis;
    })
  /** Every client must be told again. */
  | (Entry & { readonly kind: 'clients.changed' })
  | (Entry & {
      readonly kind: 'client.confirmed';
      readonly clientId: string;
      readonly counter: number;
      readonly ordinal: Ordinal;
    })
  /** The client has forgotten newer ones: a restore took it further back than its parent. */
  | (Entry & {
      readonly kind: 'client.behind';
      readonly clientId: string;
      readonly counter: number;
    })
  | (Entry & {
      readonly kind: 'client.reported';
      readonly clientId: string;
      readonly atMs: Millis;
      readonly counter: number;
      readonly report: ClientReport;
    })
  | (Entry & { readonly kind: 'workspace.received'; readonly counter: number })
  | (Entry & {
      readonly kind: 'report.made';
      readonly counter: number;
      readonly report: ClientReport;
    })
  | (Entry & {
      readonly kind: 'report.confirmed';
      readonly counter: number;
      readonly isStorageFull?: true;
    });

/** What these decisions emit. */
export type AnyClientsEntry = ClientsEntry | AccountsEntry | RelaysEntry;
