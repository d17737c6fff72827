// Messages and entries of warm-ups.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { WarmUpDay, WarmUpRecord, WarmUpState } from './warm-up.ts';

/** Absent members stay as they are, or take their defaults. */
export interface WarmUpInput {
  readonly startMs?: Millis;
  readonly days?: readonly WarmUpDay[];
  readonly isHeld?: boolean;
}

export interface WarmUpShown {
  readonly domain: string;
  /** `undefined`: it does not warm up. */
  readonly record: WarmUpRecord | undefined;
  readonly state: WarmUpState | 'off';
  /** Of today; `null` while nothing limits. */
  readonly today: {
    /** Counts from 1. */
    readonly day: number;
    readonly number: WarmUpDay;
    readonly mails: number;
    readonly byProvider: readonly (readonly [MailboxGroup, number])[];
    readonly isUnknown: boolean;
  } | null;
  /** The start of the first day without a limit; `null` while it is held, and without one. */
  readonly endsMs: Millis | null;
  /** Whether the app sends from this domain. */
  readonly isUsed: boolean;
}

export interface WarmUpProtocol {
  'warm_up.read': { body: Caller & { domain: string }; reply: WarmUpShown };
  'warm_up.put': { body: Caller & { domain: string; input: WarmUpInput }; reply: WarmUpShown };
  'warm_up.delete': { body: Caller & { domain: string }; reply: null };
}

export type WarmUpEntry =
  | (Entry & { readonly kind: 'warm_up.saved'; readonly warmUp: WarmUpRecord })
  | (Entry & { readonly kind: 'warm_up.deleted'; readonly domain: string });
