// Relays of an app or an org in memory: few, and read whenever sends start.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { RelayKindName, Stream } from '../../channels/port/open-relay.ts';
import { etagOf } from '../../etag.ts';

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

/** Of what people set. */
export function relayEtag({ id, name, streams, order, enabled, ...more }: AuthoredRelay): string {
  const { perSecond = null, perDay = null, fingerprint } = more;
  return etagOf({ id, name, streams, order, enabled, perSecond, perDay, fingerprint });
}

type AuthoredRelay = Pick<
  RelayRecord,
  'id' | 'name' | 'streams' | 'order' | 'enabled' | 'perSecond' | 'perDay' | 'fingerprint'
>;

/** Whether two lists have the same versions of the same relays. */
export function isSameRelays(one: readonly RelayRecord[], other: readonly RelayRecord[]): boolean {
  return versionsOf(one) === versionsOf(other);
}

function versionsOf(relays: readonly RelayRecord[]): string {
  const versions = relays.map((one) => [relayEtag(one), one.reportsSinceMs, one.reportedMs]);
  return JSON.stringify(versions);
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
