// Which nats-servers are taken, on real ones: the middle one of three acknowledges before it syncs.

import t from 'tap';
import { NatsServers, withoutServers } from '../../bench/support/nats-servers.ts';
import { connectJetStream } from '../../storage/jetstream/connection.ts';
import { openJetStreamLog } from '../../storage/jetstream/log.ts';

const missing = withoutServers();
if (missing !== false) {
  t.pass(`skipped: ${missing}`);
  t.comment(missing);
} else {
  const servers = await NatsServers.start(3, [1]);
  t.teardown(() => servers.stop());
  const [first = '', second = '', third = ''] = servers.monitors;

  /** Resolves to the warnings with which it was taken. */
  const connect = async (monitors: readonly string[], allowsUnsafe = false) => {
    const warnings: string[] = [];
    const opened = await connectJetStream({
      servers: servers.addresses.slice(0, 1),
      monitors,
      name: 'test',
      allowsUnsafe,
      onWarning: (sentence) => warnings.push(sentence),
    });
    await opened.connection.close();
    return warnings;
  };

  t.test(
    'a server that acknowledges before it syncs is refused, unless it is allowed',
    async (t) => {
      const monitors = [first, second, third];
      const doubt = 'n1 acknowledges before it syncs: set sync_interval: always';
      await t.rejects(connect(monitors), {
        message: `the nats-servers may lose what they acknowledge: ${doubt}`,
      });
      t.same(await connect(monitors, true), [doubt]);
    },
  );

  t.test('a server that nobody asks is told', async (t) => {
    await t.rejects(connect([first, third]), { message: /leave out n1$/ });
    await t.rejects(connect([]), { message: /no monitoring address/ });
  });

  t.test('an address that does not answer is told', async (t) => {
    await t.rejects(connect([first, third, `${second}/no/such/page/`]), {
      message: /does not answer \(status 404\)/,
    });
    await servers.kill(2);
    await t.rejects(connect([first, second, third]), {
      message: new RegExp(`${third} does not answer \\(ECONNREFUSED\\)`),
    });
  });

  t.test('with all servers in order nothing is said', async (t) => {
    const sound = await NatsServers.start(1);
    t.teardown(() => sound.stop());
    const opened = await connectJetStream({
      servers: sound.addresses,
      monitors: sound.monitors,
      name: 'test',
      onWarning: (sentence) => t.fail(sentence),
    });
    t.teardown(() => opened.connection.close());
    const end = await openJetStreamLog(opened, 'NO_SUCH_STREAM').append(Buffer.from('a'), 0);
    t.equal(end.state, 'unknown', 'a stream that is not there takes nothing');
  });
}
