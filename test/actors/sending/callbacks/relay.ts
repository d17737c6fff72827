// A relay of a scene that reports what became of its mails, and what it tells.

import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { CallbackCounts, Outcome } from '../../../../actors/channels/port/outcome.ts';
import type { RelayEvent } from '../../../../actors/channels/relays/relay.ts';
import type { RelayRecord } from '../../../../actors/tenants/relays/records.ts';
import type { Scene } from '../../programs/campaigns/scene.ts';

export const relayId = 'rel_0000000000000000000000000a';

/** What it answers to a mail. */
export const acceptAndReport = (): Outcome => ({ outcome: 'accepted', reports: true });

/** Makes the relay one of the app's. */
export function addRelay(scene: Scene): void {
  const record = { id: relayId, channel: 'email', kind: 'ses', enabled: true } as RelayRecord;
  Object.assign(scene.state, { relays: new Map([[relayId, record]]), sharedRelays: [] });
}

/** An event about a mail, as the service tells it now. */
export function eventOf(
  scene: Scene,
  { sendId, deviceId, endpoint }: Attempt,
  event: Pick<RelayEvent, 'kind'> & Partial<RelayEvent>,
): RelayEvent {
  return { sendId, deviceId, to: String(endpoint), atMs: scene.one.clock.nowMs, ...event };
}

export function tellRelay(
  scene: Scene,
  events: readonly RelayEvent[],
  from = relayId,
): Promise<CallbackCounts> {
  return scene.one.value(scene.app, 'callback.relay', { relayId: from, events });
}
