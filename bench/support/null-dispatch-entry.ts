// A dispatch thread whose providers accept everything at once: the product's dispatcher, rendering
// and encoding, with nothing behind it. For benches of the hand-over rate.

import { parentPort } from 'node:worker_threads';
import type { Adapter } from '../../actors/channels/adapter.ts';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { Dispatcher } from '../../actors/sending/dispatch/dispatcher.ts';
import type { DispatchWave } from '../../actors/sending/dispatch/protocol.ts';
import type { DispatchGrant } from '../../actors/sending/transactional/protocol.ts';
import { type HostedStart, serveThread } from '../../engine/thread/host.ts';
import { Link } from '../../engine/thread/link.ts';
import type { GrantItem, OutcomeItem } from '../../engine/thread/wire.ts';
import { systemClock } from '../../engine/time/clock.ts';

/** Called by the thread's boot with its `workerData`. */
export const start = (data: HostedStart<object>): Promise<void> =>
  serveThread(nullDispatch, data, parentPort);

async function nullDispatch({ port }: HostedStart<object>): Promise<() => Promise<void>> {
  const accepted = Promise.resolve({ outcome: 'accepted' } as const);
  const adapter: Adapter = { send: () => accepted, close: async () => undefined };
  const dispatcher = new Dispatcher({
    adapters: new Map(channelIds.map((channel) => [channel, adapter])),
    clock: systemClock,
    defer: setImmediate,
    after: (ms, task) => void setTimeout(task, ms).unref(),
    onBug: (error) => {
      throw error;
    },
    unsubscribeUrl: () => 'http://localhost/u/x',
    report: (_shard, partition, app, report) => link.send([partition, app, report]),
  });
  const link: Link<OutcomeItem, GrantItem> = new Link(port, (item) =>
    dispatcher.grant(0, item as DispatchGrant | DispatchWave),
  );
  return async () => link.flush();
}
