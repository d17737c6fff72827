// A dispatch thread whose providers accept everything at once: the product's dispatcher, rendering
// and encoding, with nothing behind it. Calls to webhooks are real, with the product's own client.
// For benches of the hand-over rate.

import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import type { Adapter } from '../../actors/channels/port/adapter.ts';
import { webhookCallsOf } from '../../actors/integrations/webhooks/thread-calls.ts';
import { Dispatcher } from '../../actors/sending/dispatch/dispatcher.ts';
import type { DispatchWave } from '../../actors/sending/dispatch/protocol.ts';
import { receivedGrant } from '../../actors/sending/dispatch/wave-crossing.ts';
import type { DispatchGrant } from '../../actors/sending/outbox/protocol.ts';
import { type HostedStart, serveThread } from '../../engine/thread/host.ts';
import { Link } from '../../engine/thread/link.ts';
import type { GrantItem, OutcomeItem } from '../../engine/thread/wire.ts';
import { systemClock } from '../../engine/time/clock.ts';

export interface NullDispatchData {
  /** One place for the kernel's number of this thread, whose time the bench reads. */
  readonly thread: Int32Array;
}

type NullDispatchStart = HostedStart<NullDispatchData>;

/** Called by the thread's boot with its `workerData`. */
export const start = (data: NullDispatchStart): Promise<void> =>
  serveThread(nullDispatch, data, parentPort);

async function nullDispatch({ port, data }: NullDispatchStart): Promise<() => Promise<void>> {
  data.thread[0] = Number(basename(readlinkSync('/proc/thread-self')));
  const accepted = Promise.resolve({ outcome: 'accepted' } as const);
  const adapter: Adapter = { send: () => accepted, close: async () => undefined };
  const onBug = (error: unknown) => {
    throw error;
  };
  const dispatcher = new Dispatcher({
    adapters: new Map(channelIds.map((channel) => [channel, adapter])),
    clock: systemClock,
    onBug,
    defer: setImmediate,
    after: (ms, task) => void setTimeout(task, ms).unref(),
    unsubscribeUrl: () => 'http://localhost/u/x',
    preferencesUrl: () => 'http://engage.test/p/x',
    onRead: (_shard, records) => link.giveBack(records),
    report: (_shard, partition, app, report) => link.send([partition, app, report]),
  });
  const webhooks = webhookCallsOf({
    allowPrivateNetworks: true,
    onBug,
    defer: setImmediate,
    report: (_shard, partition, app, report) => link.send([partition, app, report]),
  });
  const link: Link<OutcomeItem, GrantItem> = new Link(port, (item, bytes) => {
    if (webhooks.take(0, item)) return;
    dispatcher.grant(0, receivedGrant(item, bytes) as DispatchGrant | DispatchWave);
  });
  return async () => {
    await webhooks.stop();
    link.flush();
  };
}
