// A process's connection to NATS, loaded where a cluster is configured and nowhere else.

import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { MsgHdrs, NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { doubtsOfServers } from './gate.ts';

export interface JetStream {
  readonly connection: NatsConnection;
  readonly streams: JetStreamManager;
  readonly client: JetStreamClient;
  /** For what is done once and may take long: making streams, while servers elect leaders. */
  readonly patient: { readonly streams: JetStreamManager; readonly client: JetStreamClient };
  /** For one message. */
  readonly newHeaders: () => MsgHdrs;
}

interface JetStreamOptions {
  /** Addresses for clients, `host:port`. */
  readonly servers: readonly string[];
  /** Monitoring addresses of all servers of the cluster, `http://host:8222`. */
  readonly monitors: readonly string[];
  /** Names this process in the servers' views. */
  readonly name: string;
  /** Takes servers that may lose what they acknowledged, with warnings. */
  readonly allowsUnsafe?: boolean;
  /** Sentences for the operator. */
  readonly onWarning: (sentence: string) => void;
  /** Account, TLS, and what else the client knows. */
  readonly client?: Partial<NodeConnectionOptions>;
}

/** A call that nobody answered by then may have been done. */
export const answerMs = 2_000;
const patientMs = 15_000;

/**
 * Rejects if no server answers within ten seconds or so, and with a sentence where it is not proved
 * that the servers keep what they acknowledge; afterwards it reconnects for good.
 */
export async function connectJetStream(options: JetStreamOptions): Promise<JetStream> {
  const { servers, monitors, name, allowsUnsafe = false, onWarning, client = {} } = options;
  const [{ connect, headers }, { jetstream, jetstreamManager }] = await Promise.all([
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
    ...client,
  });
  try {
    const doubts = await doubtsOfServers(monitors, connection.info?.server_id);
    if (doubts.length > 0 && !allowsUnsafe)
      throw new Error(`the nats-servers may lose what they acknowledge: ${doubts.join('; ')}`);
    for (const doubt of doubts) onWarning(doubt);
    const streams = await jetstreamManager(connection, { timeout: answerMs, checkAPI: false });
    return {
      connection,
      streams,
      client: jetstream(connection, { timeout: answerMs }),
      patient: {
        streams: await jetstreamManager(connection, { timeout: patientMs, checkAPI: false }),
        client: jetstream(connection, { timeout: patientMs }),
      },
      newHeaders: () => headers(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
