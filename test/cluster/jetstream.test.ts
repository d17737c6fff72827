// The log on three real nats-servers.

import t from 'tap';
import { NatsServers, withoutServers } from '../../bench/support/nats-servers.ts';
import { connectJetStream } from '../../storage/jetstream/connection.ts';
import { createStream, openJetStreamLog, streamName } from '../../storage/jetstream/log.ts';
import { logConformance } from '../conformance/partition-log.ts';

const missing = withoutServers();
if (missing !== false) {
  t.pass(`skipped: ${missing}`);
  t.comment(missing);
} else {
  const servers = await NatsServers.start();
  t.teardown(() => servers.stop());
  const connections: Awaited<ReturnType<typeof connectJetStream>>[] = [];
  t.teardown(() => Promise.all(connections.map(({ connection }) => connection.close())));
  const connect = async () => {
    const opened = await connectJetStream({
      servers: servers.addresses,
      monitors: servers.monitors,
      name: 'test',
      onWarning: (sentence) => t.fail(sentence),
    });
    connections.push(opened);
    return opened;
  };
  let logs = 0;
  logConformance('JetStream', {
    create: async () => {
      const name = streamName('test', ++logs, 1);
      const shape = { name, copies: 3, bytesMax: 256 * 1024 * 1024 };
      const first = await connect();
      for (let tries = 0; ; tries++) {
        try {
          await createStream(first, shape);
          break;
        } catch (error) {
          // JetStream's own leader may still be missing just after a start.
          if (tries > 100) throw error;
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }
      return { reach: async () => openJetStreamLog(await connect(), name) };
    },
  });
}
