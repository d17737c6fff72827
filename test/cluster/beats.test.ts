// Beats between members on real nats-servers.

import t from 'tap';
import { NatsServers, withoutServers } from '../../bench/support/nats-servers.ts';
import type { Beat } from '../../engine/cluster/beat.ts';
import { openBeats } from '../../storage/jetstream/beats.ts';
import { connectJetStream } from '../../storage/jetstream/connection.ts';

const missing = withoutServers();
if (missing !== false) {
  t.pass(`skipped: ${missing}`);
  t.comment(missing);
} else {
  const servers = await NatsServers.start();
  t.teardown(() => servers.stop());
  const join = async (cluster: string) => {
    const jetStream = await connectJetStream({
      servers: servers.addresses,
      monitors: servers.monitors,
      name: 'test',
      onWarning: (sentence) => t.fail(sentence),
    });
    t.teardown(() => jetStream.connection.close());
    return { jetStream, beats: await openBeats({ jetStream, cluster }) };
  };

  t.test('members of a cluster hear each other, and nobody else', async (t) => {
    const [one, two, other] = [await join('main'), await join('main'), await join('other')];
    const heard: Beat[] = [];
    two.beats.onHear((beat) => heard.push(beat));
    other.beats.onHear(() => t.fail('another cluster hears it'));
    const first = beatOf(1);
    one.beats.say(first);
    one.jetStream.connection.publish('engage.main.members', 'garbage');
    one.beats.say(beatOf(2));
    while (heard.length < 2) await two.jetStream.connection.flush();
    t.same(heard, [first, beatOf(2)]);
    await two.beats.close();
    one.beats.say(beatOf(3));
    await one.jetStream.connection.flush();
    await two.jetStream.connection.flush();
    await other.jetStream.connection.flush();
    t.equal(heard.length, 2, 'who has closed hears nothing');
    await one.jetStream.connection.close();
    one.beats.say(beatOf(4));
  });
}

function beatOf(count: number): Beat {
  return {
    member: { name: 'one', instance: 7, address: 'a:1', zone: 'z', version: '1', level: 1 },
    ...{ count, isJoining: false, isDraining: false, isClockWrong: false },
    ...{ wallMs: 1, planVersion: 0, copies: [] },
  };
}
