// What a cluster has once everything is healed: events by their list, sends by their keys, and the
// frames of the streams.

import { decodeFrame } from '../../../engine/log/frame.ts';
import { connectJetStream, type JetStream } from '../../../storage/jetstream/connection.ts';
import { openJetStreamLog } from '../../../storage/jetstream/log.ts';
import { inTurns } from '../../e2e/kill-verdict.ts';
import { until } from '../../support/server.ts';
import { sendCall, type Tenant } from './clients.ts';
import type { Fronts } from './fronts.ts';
import type { Call, ReadBack, StreamFrame } from './history.ts';
import { clusterName, type Rig } from './rig.ts';
import type { Sink } from './sink.ts';

/** A try that an owner's death hid is made again after up to two minutes. */
const settleMs = 150_000;

/** Waits until the provider has all that was acknowledged. Resolves to how many are missing. */
export async function allDelivered(calls: readonly Call[], sink: Sink): Promise<number> {
  const wanted = new Set(
    calls.flatMap((call) =>
      call.kind === 'send' && call.end === 'acknowledged' ? [call.key] : [],
    ),
  );
  const isDone = () => {
    for (const { key } of sink.deliveries) wanted.delete(key);
    return wanted.size === 0;
  };
  await until(isDone, 'not delivered', settleMs).catch(() => undefined);
  return wanted.size;
}

export async function readBackOf(
  fronts: Fronts,
  tenants: readonly Tenant[],
  calls: readonly Call[],
): Promise<ReadBack> {
  const events = new Map<string, number>();
  const sends = new Map<string, string>();
  const failedSends = new Map<string, string>();
  for (const tenant of tenants) {
    const { key, base } = tenant;
    for (let cursor = ''; ; ) {
      const path = `${base}/events?name=rig&limit=200${cursor}`;
      const page = await fronts.must({ method: 'GET', path, key });
      for (const { id } of page.items) events.set(id, (events.get(id) ?? 0) + 1);
      if (page.nextCursor === null || page.nextCursor === undefined) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    const keys = new Set(
      calls.flatMap((call) =>
        call.kind === 'send' && call.org === tenant.name && call.sendId !== undefined
          ? [call.key]
          : [],
      ),
    );
    await inTurns([...keys], async (name) => {
      const { id } = await fronts.must(sendCall(tenant, name));
      sends.set(name, id);
    });
    const letters = await fronts.must({
      method: 'GET',
      path: `${base}/dead-letters?limit=200`,
      key,
    });
    for (const { sendId, reason } of letters.items)
      for (const [name, id] of sends) if (id === sendId) failedSends.set(name, reason);
  }
  return { events, sends, failedSends };
}

/** Every frame that the streams still have; none without nats-servers. */
export async function framesOf(rig: Rig): Promise<StreamFrame[]> {
  if (rig.servers.length === 0) return [];
  const jetStream = await connectJetStream({
    servers: rig.servers.map(({ clientPort }) => `127.0.0.1:${clientPort}`),
    monitors: rig.servers.map(({ monitor }) => monitor),
    name: 'rig',
    onWarning: () => undefined,
  });
  try {
    const frames: StreamFrame[] = [];
    for await (const { config } of jetStream.streams.streams.list()) {
      const found = new RegExp(`^ENGAGE_${clusterName}_P(\\d+)_G`).exec(config.name);
      if (found !== null)
        frames.push(...(await framesOfStream(jetStream, config.name, Number(found[1]))));
    }
    return frames;
  } finally {
    await jetStream.connection.close();
  }
}

async function framesOfStream(
  jetStream: JetStream,
  stream: string,
  partition: number,
): Promise<StreamFrame[]> {
  const log = openJetStreamLog(jetStream, stream);
  const range = await log.range();
  if (range === undefined) throw new Error(`${stream} does not answer`);
  const frames: StreamFrame[] = [];
  let last = range.oldest - 1;
  let isMore = () => {};
  const tail = log.tail(last, () => isMore());
  try {
    while (last < range.newest) {
      const arrived = new Promise<void>((resolve) => (isMore = resolve));
      for (const { position, bytes } of (await tail.next()) ?? []) {
        const { content: _, ...frame } = decodeFrame(bytes);
        frames.push({ partition, ...frame });
        last = position;
      }
      const late = new Promise<void>((resolve) => setTimeout(resolve, 1_000));
      if (last < range.newest) await Promise.race([arrived, late]);
    }
  } finally {
    tail.close();
  }
  return frames;
}
