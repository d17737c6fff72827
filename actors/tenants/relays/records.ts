// Relays of an app or an org in memory: few, and read whenever sends start.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { RelayKindName, Stream } from '../../channels/relays/relay.ts';

export interface RelayRecord {
  /** `rel_…`, with the ordinal of its owner. */
  readonly id: string;
  /** The app or org that made it. */
  readonly owner: Ordinal;
  readonly name: string;
  readonly channel: ChannelId;
  readonly kind: RelayKindName;
  readonly streams: readonly Stream[];
  /** 1 comes first; of two alike the older one. */
  readonly order: number;
  readonly perSecond?: number;
  /** A UTC day. */
  readonly perDay?: number;
  readonly enabled: boolean;
  /** The whole configuration as JSON, sealed (`relayPlace`). */
  readonly sealed: Uint8Array;
  /** What of the configuration may be shown. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Equal configurations have equal fingerprints. */
  readonly fingerprint: string;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
  /** When its first proven event came, and the newest, to the hour. Absent: it reports nothing. */
  readonly reportsSinceMs?: Millis;
  readonly reportedMs?: Millis;
}

/** Whether a relay tells what becomes of mails: not if it fell silent. */
export function reportsNow(
  { reportsSinceMs, reportedMs }: Pick<RelayRecord, 'reportsSinceMs' | 'reportedMs'>,
  nowMs: Millis,
): boolean {
  return reportsSinceMs !== undefined && nowMs - (reportedMs ?? reportsSinceMs) < silentMsMax;
}

/** A service retries its calls for up to three days. */
const silentMsMax: Millis = 3 * 24 * 3_600_000;
