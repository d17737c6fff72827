// Three nats-servers of a rig: their only ways to each other are the links.

import t from 'tap';
import { withoutServers } from '../../../bench/support/nats-servers.ts';
import { until } from '../../support/server.ts';
import { Rig } from './rig.ts';

const missing = withoutServers();
if (missing !== false) {
  t.pass(`skipped: ${missing}`);
  t.comment(missing);
} else {
  const rig = await Rig.start({ engines: 0, servers: 3, environment: {} });
  t.teardown(() => rig.stop());
  const [first, second, third] = rig.servers.map(({ name }) => name);
  const routes = async (index: number): Promise<string[]> => {
    const answer = await fetch(`${rig.servers[index]?.monitor}/routez`);
    const { routes = [] } = (await answer.json()) as { routes?: { remote_name?: string }[] };
    return [...new Set(routes.map(({ remote_name: name = '' }) => name))].sort();
  };

  t.test('all are connected, through links alone', async (t) => {
    for (const [index, name] of [first, second, third].entries())
      await until(async () => (await routes(index)).length === 2, `${name} has two routes`);
    for (const [one, other] of [
      [first, second],
      [first, third],
      [second, third],
    ] as const)
      t.ok(rig.network.connections(one ?? '', other ?? '') > 0, `${one} and ${other}`);
  });

  t.test('one that is cut off has no route left, until it is healed', async (t) => {
    for (const other of [second, third]) rig.network.cut(first ?? '', other ?? '');
    await until(async () => (await routes(0)).length === 0, 'the first has routes');
    await until(async () => (await routes(1)).join() === third, 'the others go on');
    await rig.healed();
    await until(async () => (await routes(0)).length === 2, 'the first has no routes');
    t.pass('back');
  });

  t.test('one that is killed, and one that is stopped, come back with what they had', async (t) => {
    await rig.servers[1]?.program.kill();
    t.notOk(await rig.servers[1]?.isHealthy());
    rig.servers[2]?.program.pause();
    await rig.healed();
    t.ok(await rig.servers[1]?.isHealthy());
  });
}
