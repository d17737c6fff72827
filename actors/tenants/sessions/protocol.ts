// Messages and entries of sessions and of sign-in links. The edge makes tokens; only hashes come
// here.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { PageAsked, PageById } from '../accounts/page-by-id.ts';
import type { Caller, KeyGrant, KeyMaterial } from '../accounts/protocol.ts';
import type { MemberRecord } from '../members/records.ts';
import type { LinkRecord, LinkWay, SessionRecord } from './records.ts';

/** As owners of an org see it. */
export interface SessionView {
  readonly id: string;
  readonly member: MemberRecord | null;
  readonly key: { readonly id: string; readonly name: string } | null;
  readonly signedInMs: Millis;
  readonly seenMs: Millis;
  /** At the latest, if it is not used. */
  readonly expiresMs: Millis;
}

/** An org in which an address is a member. */
export interface Membership {
  readonly org: Ordinal;
  readonly orgId: string;
  readonly orgName: string;
  /** Of a client workspace. */
  readonly parentOrgId: string | null;
  readonly member: MemberRecord;
  /** Of the newest session there. */
  readonly seenMs: Millis | null;
}

/** Whom a link signs in. */
export interface LinkView {
  readonly orgId: string;
  readonly orgName: string;
  readonly email: string;
  readonly expiresMs: Millis;
  /** Its person has not signed in to this org yet. */
  readonly isOpen: boolean;
}

export interface SessionsProtocol {
  'session.find': { body: Caller & { keyId: string }; reply: KeyGrant | null };
  /** From a front whose caller showed the whole token. */
  'session.touch': { body: Caller & { keyId: string }; reply: null };
  /** `null`: there is no such link any more. */
  'session.open_by_link': {
    body: Caller & { hash: string; way: LinkWay; key: KeyMaterial; place?: string };
    reply: KeyGrant | null;
  };
  /** Uses a link up for a session in another org of its address, which it returns. */
  'session.spend_link': { body: Caller & { hash: string; way: LinkWay }; reply: string | null };
  /** `apiKeyId`: the `key_…` id. */
  'session.open_by_key': {
    body: Caller & { apiKeyId: string; key: KeyMaterial };
    reply: KeyGrant | null;
  };
  /** For somebody who is signed in to another org under this address. */
  'session.open_by_address': {
    body: Caller & {
      email: string;
      signedInMs: Millis;
      key: KeyMaterial;
      place?: string;
    };
    reply: KeyGrant | null;
  };
  'session.end': { body: Caller & { id: string }; reply: null };
  'session.list': { body: Caller & PageAsked; reply: PageById<SessionView> };
  /** In this partition. */
  'session.memberships': { body: Caller & { email: string }; reply: readonly Membership[] };
  /** `null`: no member has the address, or it has had as many links as an hour allows. */
  'session.make_link': {
    body: Caller & { email: string; hash: string; way: LinkWay; place?: string };
    reply: LinkView | null;
  };
  'session.read_link': { body: Caller & { hash: string }; reply: LinkView | null };
}

export type SessionsEntry =
  | (Entry & {
      readonly kind: 'session.opened';
      readonly session: SessionRecord;
      /** Sessions that had ended, or gave room, by their `keyId`. */
      readonly ended: readonly string[];
      /** The hash of the link that opened it. */
      readonly link?: string;
    })
  | (Entry & { readonly kind: 'session.seen'; readonly keyId: string; readonly atMs: Millis })
  | (Entry & { readonly kind: 'session.ended'; readonly keyId: string })
  | (Entry & { readonly kind: 'sign_in_link.spent'; readonly hash: string })
  | (Entry & {
      readonly kind: 'sign_in_link.made';
      readonly link: LinkRecord;
      /** Hashes of links that have expired. */
      readonly forgotten: readonly string[];
    });
