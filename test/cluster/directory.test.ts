// The directory on three real nats-servers.

import t from 'tap';
import { NatsServers, withoutServers } from '../../bench/support/nats-servers.ts';
import { connectJetStream } from '../../storage/jetstream/connection.ts';
import { openJetStreamDirectory } from '../../storage/jetstream/directory.ts';
import { directoryConformance } from '../conformance/directory.ts';

const missing = withoutServers();
if (missing !== false) {
  t.pass(`skipped: ${missing}`);
  t.comment(missing);
} else {
  const servers = await NatsServers.start();
  t.teardown(() => servers.stop());
  const connections: Awaited<ReturnType<typeof connectJetStream>>[] = [];
  t.teardown(() => Promise.all(connections.map(({ connection }) => connection.close())));
  const open = async (cluster: string) => {
    const opened = await connectJetStream({
      servers: servers.addresses,
      monitors: servers.monitors,
      name: 'test',
      onWarning: (sentence) => t.fail(sentence),
    });
    connections.push(opened);
    for (let tries = 0; ; tries++) {
      try {
        return await openJetStreamDirectory(opened, cluster, 3);
      } catch (error) {
        // JetStream's own leader may still be missing just after a start.
        if (tries > 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  };
  let directories = 0;
  directoryConformance('JetStream', {
    create: async () => {
      const cluster = `test${++directories}`;
      return { reach: () => open(cluster) };
    },
  });

  t.test('JetStream: what nobody answers is not known, and comes back', async (t) => {
    const directory = await open('away');
    let heard = 0;
    directory.watch(() => heard++);
    let end = await directory.update('plan', Buffer.from('a'), 0);
    t.equal(end.state, 'updated');
    for (const server of [0, 1, 2]) servers.signal(server, 'SIGSTOP');
    end = await directory.update('plan', Buffer.from('b'), 1);
    t.equal(end.state, 'unknown');
    t.equal(await directory.readAll(), undefined);
    for (const server of [0, 1, 2]) servers.signal(server, 'SIGCONT');
    await servers.healthy();
    for (let tries = 0; tries < 100; tries++) {
      if (((await directory.readAll())?.size ?? 0) > 0) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    t.equal((await directory.readAll())?.size, 1);
    t.ok(heard > 0);
    await directory.close();
  });
}
