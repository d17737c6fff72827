// What a server of a cluster has beside its own threads: who owns what, the way to other servers,
// and the internal port. Loaded where a cluster is configured and nowhere else.

import type { Sealer } from '../../actors/sealer.ts';
import type { Places, Router } from '../../engine/actor/router.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { Log } from '../../engine/observe/log.ts';
import type { PeerClient } from '../../engine/peers/peer-call.ts';
import { peerPurpose } from '../../engine/peers/peer-tls.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { Edge } from '../call/edge.ts';
import { Forwarding } from '../peers/forward.ts';
import { MovingPlaces } from '../peers/moving-places.ts';
import { Owners } from '../peers/owners.ts';
import { createPeerPort } from '../peers/peer-port.ts';
import { refuseUnowned } from '../peers/refuse-unowned.ts';
import { partitionOfRequest } from '../peers/whose.ts';
import type { HttpServerOptions } from '../server/exchange.ts';
import type { ClusterConfig } from './cluster-settings.ts';

interface PeersOptions {
  readonly cluster: ClusterConfig;
  /** Names of this server's members, by shard thread. */
  readonly members: readonly string[];
  readonly sealer: Pick<Sealer, 'keysFor'>;
  readonly log: Log;
  readonly router: () => Pick<Router, 'askHere'>;
  readonly edge: () => Edge;
  readonly partitions: number;
  readonly publicUrl: string;
  /** What opens data at rest. */
  readonly storage: {
    createPeerClient(keys: readonly Uint8Array[]): PeerClient;
    readonly copy: Parameters<typeof createPeerPort>[0]['copy'];
  };
}

export interface Peers {
  readonly owners: Owners;
  readonly places: Places;
  /** For requests of clients. */
  readonly forwarding: Forwarding;
  /** How requests are served that other servers forward. */
  serve(served: HttpServerOptions): void;
  /** Resolves once every partition has an owner, or some time later. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** A new cluster needs two seconds; one whose other servers are down may wait for ever. */
const ownersMs: Millis = 15_000;

export function openPeers(options: PeersOptions): Peers {
  const { cluster, members, sealer, log, router, storage, edge } = options;
  const keys = sealer.keysFor(peerPurpose);
  const client = storage.createPeerClient(keys);
  const owners = new Owners(members);
  const askHere: ConstructorParameters<typeof MovingPlaces>[0]['askHere'] = (shard, asked) => {
    const { partition, to, message, options, answer } = asked;
    router().askHere(shard, partition, to, message, options, answer);
  };
  let served: HttpServerOptions | undefined;
  const port = createPeerPort({
    ...{ keys, owners, askHere, copy: storage.copy, log },
    served: () => served,
  });
  const forwarding = new Forwarding({
    ...{ owners, client, clock: systemClock, after },
    partitionOf: (request) => partitionOfRequest(request, options),
    refuse: (...asked) => refuseUnowned(edge(), ...asked),
  });
  return {
    owners,
    places: new MovingPlaces({ held: forwarding.held, client, clock: systemClock, askHere }),
    forwarding,
    serve: (by) => void (served = by),
    listen: async () => {
      await port.listen(cluster.listen);
      await ownedByAll(owners, options.partitions);
    },
    close: async () => {
      await Promise.all([port.close(), client.close()]);
    },
  };
}

function ownedByAll(owners: Owners, partitions: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = after(ownersMs, resolve);
    const look = () => {
      for (let partition = 0; partition < partitions; partition++)
        if (owners.of(partition) === undefined) return;
      cancel();
      resolve();
    };
    owners.onChange(look);
    look();
  });
}

function after(ms: Millis, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
