// A person's session in the dashboard, and the links that open one.

import { hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';

/** Of a member, with the scopes of the role, or of an API key, with the key's. */
export type SessionHolder =
  | { readonly kind: 'member'; readonly memberId: string }
  | { readonly kind: 'key'; readonly keyId: string };

export interface SessionRecord {
  readonly id: string;
  /** The part of its token that finds it. */
  readonly keyId: string;
  readonly secretHash: Uint8Array;
  readonly holder: SessionHolder;
  readonly openedMs: Millis;
  /** When somebody proved who they are; a session in another org keeps it. */
  readonly signedInMs: Millis;
  /** At most `seenEveryMs` ago while it is in use. */
  readonly seenMs: Millis;
}

/** Mailed or printed by the operator (`link`), or printed by a sandbox that starts (`once`). */
export type LinkWay = 'link' | 'once';

export interface LinkRecord {
  /** Of the token's text, in hex. */
  readonly hash: string;
  readonly way: LinkWay;
  readonly memberId: string;
  readonly madeMs: Millis;
  readonly isSpent?: true;
  /** How long it lives, if longer than others: the last one of an hour lives until its end. */
  readonly livesMs?: Millis;
  /** Asked for from where its person signed in before: these have an hourly bound of their own. */
  readonly isFromKnown?: true;
}

export const seenEveryMs = 5 * minuteMs;
/** How far back links count against `linksPerHour`. */
export const linksCountedMs = hourMs;
