// A process's connection to NATS, loaded where a cluster is configured and nowhere else.

import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';

export interface JetStream {
  readonly connection: NatsConnection;
  readonly streams: JetStreamManager;
  readonly client: JetStreamClient;
}

/** A call that nobody answered by then may have been done. */
export const answerMs = 2_000;

/** Rejects if no server answers within ten seconds or so; afterwards it reconnects for good. */
export async function connectJetStream(
  servers: readonly string[],
  name: string,
  options: Partial<NodeConnectionOptions> = {},
): Promise<JetStream> {
  const [{ connect }, { jetstream, jetstreamManager }] = await Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
  ]);
  const connection = await connect({
    servers: [...servers],
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    reconnectJitter: 50,
    pingInterval: 2_000,
    maxPingOut: 2,
    ...options,
  });
  const streams = await jetstreamManager(connection, { timeout: answerMs, checkAPI: false });
  return { connection, streams, client: jetstream(connection, { timeout: answerMs }) };
}
