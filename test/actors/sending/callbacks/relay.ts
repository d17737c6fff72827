// A relay of a scene that reports what became of its mails, and what it tells.

import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { CallbackCounts } from '../../../../actors/channels/port/outcome.ts';
import type { RelayEvent } from '../../../../actors/channels/port/relay-events.ts';
import type { Scene } from '../../programs/campaigns/scene.ts';

/** Makes a relay of the app whose service has called before. */
export async function addRelay(scene: Scene): Promise<string> {
  const { id: relayId } = await scene.one.value(scene.app, 'relay.create', {
    channel: 'email',
    relayKind: 'postmark',
    input: { name: 'Postmark', config: { serverToken: 'x'.repeat(36) } },
  });
  await scene.one.value(scene.app, 'relay.reported', { relayId });
  return relayId;
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
  from?: string,
): Promise<CallbackCounts> {
  const [relayId = ''] = [from ?? [...scene.state.relays.keys()][0]];
  return scene.one.value(scene.app, 'callback.relay', { relayId, events });
}
