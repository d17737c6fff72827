// Servers of a cluster in one process, without actors: each has its public port, its internal port
// and its view of who owns what, and serves by the handler of the test.

import type { Test } from 'tap';
import { newId } from '../../../../engine/base/id.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import type { Log } from '../../../../engine/observe/log.ts';
import { systemClock } from '../../../../engine/time/clock.ts';
import type { Edge } from '../../../../http/call/edge.ts';
import { Forwarding } from '../../../../http/peers/forward.ts';
import { Owners } from '../../../../http/peers/owners.ts';
import { createPeerPort } from '../../../../http/peers/peer-port.ts';
import { refuseUnowned } from '../../../../http/peers/refuse-unowned.ts';
import { partitionOfRequest } from '../../../../http/peers/whose.ts';
import type { HttpHandler } from '../../../../http/server/exchange.ts';
import { createHttpServer } from '../../../../http/server/server.ts';
import { createPeerClient } from '../../../../storage/peers/peer-client.ts';

const partitions = 4;
const key = Buffer.alloc(32, 7);
const edge = { config: { mode: 'live' }, rng: seededRng(1) } as unknown as Edge;

export interface Node {
  readonly name: string;
  /** Of its public port. */
  readonly url: string;
  /** Of its internal port. */
  readonly address: string;
  readonly forwarding: Forwarding;
  readonly owners: Owners;
  /** What its own thread, or another, says of the partitions that have an owner. */
  hears(owners: readonly Owning[]): void;
  /** Its internal port is gone, with every connection. */
  dies(): Promise<void>;
}

interface Owning {
  readonly partition: number;
  readonly owner: Pick<Node, 'name' | 'address'>;
  readonly term?: number;
  readonly isHeld?: true;
}

interface NodeOptions {
  readonly name: string;
  readonly handler: HttpHandler;
  readonly prefer?: 'uws' | 'node';
  /** Of the internal port; none: one with the key of all. */
  readonly keys?: readonly Uint8Array[];
  readonly bodyBytesMax?: number;
}

/** It ends with the test. */
export async function startNode(t: Test, options: NodeOptions): Promise<Node> {
  const { name, handler, prefer = 'node', keys = [key], bodyBytesMax } = options;
  const owners = new Owners([name]);
  const client = createPeerClient(keys);
  const failed = (error: unknown) => t.fail(String(error));
  const served = { handler, onError: failed };
  const port = createPeerPort({
    ...{ keys, owners, log: { error: failed, warn: failed } as unknown as Log },
    askHere: (_shard, { answer }) => answer({ ok: true, value: name }),
    copy: () => Promise.reject(new Error('no copy here')),
    served: () => served,
  });
  const forwarding = new Forwarding({
    ...{ owners, client, clock: systemClock },
    after: (ms, then) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    partitionOf: (request) =>
      partitionOfRequest(request, { partitions, publicUrl: 'https://engage.example.com' }),
    refuse: (...asked) => refuseUnowned(edge, ...asked),
  });
  const { server } = await createHttpServer(
    { handler: forwarding.over(handler, () => bodyBytesMax), onError: failed },
    prefer,
  );
  const address = `127.0.0.1:${await port.listen({ host: '127.0.0.1', port: 0 })}`;
  const url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  t.teardown(async () => {
    await server.drain(100);
    await Promise.all([port.close(), client.close()]);
  });
  return {
    ...{ name, url, address, forwarding, owners },
    hears: (all) =>
      owners.hear({
        kind: 'cluster.owners',
        member: name,
        owners: all.map(({ partition, owner, term = 1, isHeld }) => ({
          ...{ partition, member: owner.name, address: owner.address, term },
          ...(isHeld && { isHeld }),
        })),
      }),
    dies: () => port.close(),
  };
}

/** Each hears the same. */
export function hearAll(nodes: readonly Node[], all: readonly Owning[]): void {
  for (const node of nodes) node.hears(all);
}

/** An app whose partition this is. */
export function appOf(partition: number): string {
  return newId('app', 4_096 + partition, 1, seededRng(partition));
}
