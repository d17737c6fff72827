// What a member shares with the others, on NATS. Loaded where a cluster is configured and nowhere
// else.

import { type Bytes, type Millis, secondMs } from '../../../engine/base/brand.ts';
import type { PartitionLog } from '../../../engine/log/partition-log.ts';
import { peerPurpose } from '../../../engine/peers/peer-tls.ts';
import { CannotStart } from '../../../engine/thread/host.ts';
import { openBeats } from '../../../storage/jetstream/beats.ts';
import { connectJetStream, type JetStream } from '../../../storage/jetstream/connection.ts';
import { openJetStreamDirectory } from '../../../storage/jetstream/directory.ts';
import {
  createStream,
  openJetStreamLog,
  streamName,
  streamNames,
} from '../../../storage/jetstream/log.ts';
import { fetchPartitionCopy } from '../../../storage/peers/fetch-copy.ts';
import { createPeerClient } from '../../../storage/peers/peer-client.ts';
import type { ClusterPorts, PortsNeeds } from './ports.ts';
import { logBytesMaxDefault } from './protocol.ts';
import { systemTime } from './time.ts';

/** A turn's frame is at most this large. */
const frameBytesMax: Bytes = 8_000_000;
/** Servers that are refused for so long will not be better later. */
const refusedMaxMs: Millis = 20 * secondMs;
const againMs: Millis = 2 * secondMs;

export async function openNatsPorts(needs: PortsNeeds): Promise<ClusterPorts> {
  const { cluster: name, generation, natsServers } = needs.cluster;
  const jetStream = await connected(needs);
  const copies = natsServers.length < 3 ? 1 : 3;
  const directory = await retried(needs, () => openJetStreamDirectory(jetStream, name, copies));
  const beats = await openBeats({ jetStream, cluster: name });
  await retried(needs, () => createStreams(jetStream, needs, copies));
  const logs = new Map<number, PartitionLog>();
  const peers = createPeerClient(needs.sealer.keysFor(peerPurpose));
  return {
    ...{ directory, beats, time: systemTime },
    log(partition) {
      const found =
        logs.get(partition) ?? openJetStreamLog(jetStream, streamName(name, partition, generation));
      logs.set(partition, found);
      return found;
    },
    fetchCopy: (address, partition, into) => fetchPartitionCopy(peers, address, partition, into),
    async close() {
      await Promise.all([beats.close(), directory.close(), peers.close()]);
      await jetStream.connection.close();
    },
  };
}

/** A log that has files here and is gone was lost: it must not begin anew. */
async function createStreams(
  jetStream: JetStream,
  { cluster, partitions, hasFiles }: PortsNeeds,
  copies: number,
): Promise<void> {
  const { cluster: name, generation, logBytesMax: bytesMax = logBytesMaxDefault } = cluster;
  const there = await streamNames(jetStream);
  for (let partition = 0; partition < partitions; partition++) {
    const stream = streamName(name, partition, generation);
    if (!hasFiles(partition) && !there.has(stream))
      await createStream(jetStream, { name: stream, copies, bytesMax });
  }
}

/** Waits for servers that are not there; those that may lose what they acknowledge are refused. */
async function connected({ cluster, log }: PortsNeeds): Promise<JetStream> {
  const startedMs = systemTime.monotonic();
  for (;;) {
    try {
      const jetStream = await connectJetStream({
        servers: cluster.natsServers,
        monitors: cluster.natsMonitors,
        name: `engage ${cluster.member}`,
        allowsUnsafe: cluster.allowsUnsafe,
        ...(cluster.natsPassword && { client: { user: 'engage', pass: cluster.natsPassword } }),
        onWarning: (sentence) => log.warn({ evt: 'cluster.nats_unsafe' }, sentence),
      });
      const { max_payload: bytesMax = 0 } = jetStream.connection.info ?? {};
      if (bytesMax >= frameBytesMax) return jetStream;
      await jetStream.connection.close();
      throw new CannotStart(
        `the nats-servers take messages of ${bytesMax} bytes: set max_payload: 8MB`,
      );
    } catch (error) {
      if (error instanceof CannotStart) throw error;
      const sentence = error instanceof Error ? error.message : String(error);
      const isRefused = sentence.startsWith('the nats-servers may lose');
      if (isRefused && systemTime.monotonic() - startedMs > refusedMaxMs)
        throw new CannotStart(`${sentence}; ENGAGE_CLUSTER_UNSAFE=1 takes them anyway`);
      log.warn({ evt: 'cluster.nats_away', reason: sentence }, 'no nats-server to use yet');
      await systemTime.wait(againMs);
    }
  }
}

/** While the servers elect a leader, nobody answers. */
async function retried<Value>({ log }: PortsNeeds, attempt: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ evt: 'cluster.nats_away', reason }, 'the nats-servers do not answer yet');
      await systemTime.wait(againMs);
    }
  }
}
