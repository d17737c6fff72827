// The relays of an app's channel as they are now, for who lets messages begin and who settles them.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { type Stream, serverRelay, streams } from '../../channels/port/open-relay.ts';
import { type RelaysReads, relayOf } from '../../tenants/relays/reads.ts';
import { hasWay } from '../../tenants/relays/ways.ts';
import { dayEndsMs } from '../gate/org-room.ts';
import type { ProviderHealth } from './circuit.ts';
import type { Job } from './job.ts';
import { type CredentialRules, hasServerWay } from './open-credentials.ts';
import type { SendsView } from './reads.ts';
import type { RelayDay } from './relay-days.ts';
import { type RelayCallsToday, RelayTurns, type RelayTurnsOf } from './relay-turns.ts';
import { channelResumeTimer } from './timers.ts';

export interface RelayRules extends Pick<CredentialRules, 'available' | 'credentialsRequired'> {
  /** Absent in tests without bounds of a day. */
  readonly relayCallsToday?: RelayCallsToday;
  /** What an earlier process counted; the first call counts. */
  readonly addRelayDays?: (days: Iterable<readonly [relayId: string, RelayDay]>) => void;
}

type AppWithRelays = RelaysReads & Pick<SendsView, 'credentials'>;

/** `undefined` if the channel has no relays: its messages leave as they always did. */
export function relaysNow(
  app: AppWithRelays,
  rules: RelayRules,
  channel: ChannelId,
  health: Pick<ProviderHealth, 'accounts'>,
  nowMs: Millis,
): RelayTurnsOf | undefined {
  if (!hasWay(app, channel)) return undefined;
  const hasServer = hasServerWay(app, rules, channel);
  return { app, channel, health, hasServer, callsToday: rules.relayCallsToday, nowMs };
}

/** The lane decides, but a journey's step may say so of its emails. */
export function streamOf({ origin }: Pick<Job, 'origin'>, channel: ChannelId): Stream {
  if (origin === undefined) return 'transactional';
  return (channel === 'email' ? origin.stream : undefined) ?? 'marketing';
}

/** Asks again when the day ends, if a relay has no more calls today. */
export function whenDayEnds(owner: Ordinal, relays: RelayTurnsOf | undefined): readonly Entry[] {
  if (relays === undefined) return [];
  const turns = new RelayTurns(relays);
  if (!streams.some((stream) => turns.isAnyDayUsed(stream))) return [];
  return [channelResumeTimer(owner, relays.channel, dayEndsMs(relays.nowMs))];
}

/** How an entry names the relay of a message: what it is called may change, or it may go. */
interface NamedRelay {
  readonly relay?: string;
  /** Absent for the server's own way. */
  readonly relayName?: string;
}

/** Empty where the channel had no relays. */
export function relayNamed(app: RelaysReads, relay: string | undefined): NamedRelay {
  if (relay === undefined) return {};
  const relayName = relay === serverRelay ? undefined : relayOf(app, relay)?.name;
  return relayName === undefined ? { relay } : { relay, relayName };
}
