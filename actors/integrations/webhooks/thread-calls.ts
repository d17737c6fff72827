// Deliveries in a dispatch thread, by the real HTTP client, which loads with the first grant.

import { systemClock } from '../../../engine/time/clock.ts';
import type { MakeMoreCalls } from '../../sending/dispatch/host.ts';
import { type WebhookCallFigures, WebhookCalls, type WebhookCallsOptions } from './calls.ts';
import { chatMessageOf } from './chat-message.ts';
import { eventOf, type StoredEvent } from './event-chunk.ts';
import { storedPayload } from './payload.ts';
import type { WebhookGrant, WebhookRecall } from './protocol.ts';

type Deliver = WebhookCallsOptions['deliver'];

export const webhookCallsOf: MakeMoreCalls<WebhookCallFigures> = ({
  allowPrivateNetworks,
  mayCall,
  onBug,
  report,
  defer,
}) => {
  const client = clientOnDemand(allowPrivateNetworks);
  const calls = new WebhookCalls({
    deliver: client.deliver,
    bodyOf,
    mayCall,
    onBug,
    now: () => systemClock.now(),
    defer,
    report,
  });
  return {
    take(shard, message) {
      if (message.kind === 'webhook.grant') calls.grant(shard, message as WebhookGrant);
      else if (message.kind === 'webhook.recall') calls.recall(message as WebhookRecall);
      else return false;
      return true;
    },
    recall: ({ app, people, campaignId }) => {
      if (campaignId === undefined) calls.recallPeople(app, people);
    },
    disown: (partition) => calls.disown(partition),
    get figures() {
      return calls.figures;
    },
    async stop() {
      await calls.stop();
      await client.close();
    },
  };
};

/** A chat workspace shows the end of a campaign in its own form, and a test as text. */
function bodyOf(type: WebhookGrant['type'], stored: StoredEvent, id: string): Buffer {
  if (type !== 'slack') return storedPayload(stored, id);
  const event = eventOf(stored);
  if (event.kind === 'campaign.completed') return chatMessageOf(event);
  return Buffer.from(JSON.stringify({ text: 'This is a test message from Engage.' }));
}

function clientOnDemand(allowPrivateNetworks: boolean): {
  readonly deliver: Deliver;
  close(): Promise<void>;
} {
  let loading: Promise<{ readonly deliver: Deliver; close(): Promise<void> }> | undefined;
  const load = async () => {
    const { createOutbound } = await import('../../channels/outbound/outbound.ts');
    const { webhookCaller, webhookClient } = await import('./call/deliver.ts');
    const outbound = createOutbound({ allowPrivateNetworks, ...webhookClient });
    return { deliver: webhookCaller(outbound, systemClock), close: () => outbound.close() };
  };
  return {
    async deliver(call) {
      loading ??= load();
      return (await loading).deliver(call);
    },
    close: async () => (await loading)?.close(),
  };
}
