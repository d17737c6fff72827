// Aggregate reports about sender domains: one that arrived, and what they say together.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Caller } from '../accounts/protocol.ts';
import type { DmarcReport, DmarcSource } from './aggregate.ts';

/** Days of reports that are kept. */
export const dmarcDaysMax = 90;

/** Mails by what became of them. `passed`: by either way, so that DMARC is satisfied. */
export interface DmarcTotals {
  readonly messages: number;
  readonly passed: number;
  readonly quarantined: number;
  readonly rejected: number;
}

export interface DmarcSummary {
  /** UTC days since the epoch, one after the other; the last is today. */
  readonly days: readonly (DmarcTotals & { readonly day: number })[];
  /** Who reported, as they say; the most mails first. `null`: others. */
  readonly reporters: readonly {
    readonly org: string | null;
    readonly reports: number;
    readonly messages: number;
  }[];
  /** The largest first. */
  readonly sources: readonly DmarcSource[];
}

export type DmarcResult =
  | 'taken'
  | 'repeated'
  /** About another domain or time, or beyond what a day may have. */
  | 'ignored';

export interface DmarcProtocol {
  /** `mark`: from the signed address that it was sent to. */
  'dmarc.report': { body: Caller & { mark: string; report: DmarcReport }; reply: DmarcResult };
  /** `days`: at most `dmarcDaysMax`, including today. */
  'dmarc.read': { body: Caller & { domain: string; days: number }; reply: DmarcSummary };
}

export type DmarcEntry = Entry & {
  readonly kind: 'dmarc.reported';
  /** The sender domain. */
  readonly domain: string;
  /** The UTC day that it begins on. */
  readonly day: number;
  /** Names the report among all. */
  readonly id: string;
  readonly org: string;
  readonly sources: readonly DmarcSource[];
};
