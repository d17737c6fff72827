// What a server of a cluster has beside its own threads: who owns what, the way to other servers,
// and the internal port. Loaded where a cluster is configured and nowhere else.

import type { Sealer } from '../../actors/sealer.ts';
import type { Places, Router } from '../../engine/actor/router.ts';
import type { Log } from '../../engine/observe/log.ts';
import { peerPurpose } from '../../engine/peers/peer-tls.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { MovingPlaces } from '../peers/moving-places.ts';
import { Owners } from '../peers/owners.ts';
import { createPeerPort } from '../peers/peer-port.ts';
import type { ClusterConfig } from './cluster-settings.ts';

interface PeersOptions {
  readonly cluster: ClusterConfig;
  /** Names of this server's members, by shard thread. */
  readonly members: readonly string[];
  readonly sealer: Pick<Sealer, 'keysFor'>;
  readonly log: Log;
  readonly router: () => Pick<Router, 'askHere'>;
  /** What opens data at rest. */
  readonly storage: {
    createPeerClient(
      keys: readonly Uint8Array[],
    ): ConstructorParameters<typeof MovingPlaces>[0]['client'] & { close(): Promise<void> };
    readonly copy: Parameters<typeof createPeerPort>[0]['copy'];
  };
}

export interface Peers {
  readonly owners: Owners;
  readonly places: Places;
  listen(): Promise<number>;
  close(): Promise<void>;
}

export function openPeers({ cluster, members, sealer, log, router, storage }: PeersOptions): Peers {
  const keys = sealer.keysFor(peerPurpose);
  const client = storage.createPeerClient(keys);
  const owners = new Owners(members);
  const askHere: ConstructorParameters<typeof MovingPlaces>[0]['askHere'] = (shard, asked) => {
    const { partition, to, message, options, answer } = asked;
    router().askHere(shard, partition, to, message, options, answer);
  };
  const port = createPeerPort({ keys, owners, askHere, copy: storage.copy, log });
  return {
    owners,
    places: new MovingPlaces({ owners, client, clock: systemClock, askHere }),
    listen: () => port.listen(cluster.listen),
    close: async () => {
      await Promise.all([port.close(), client.close()]);
    },
  };
}
