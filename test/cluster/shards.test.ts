// Shards as members of a cluster over real nats-servers, by the system's own time: acknowledged
// writes survive the owner, and a server that dies.

import { setTimeout as after } from 'node:timers/promises';
import t from 'tap';
import type { ClusterFigures, ClusterOwners } from '../../actors/runtime/cluster/protocol.ts';
import { hostShard } from '../../actors/runtime/host.ts';
import type { ShardData } from '../../actors/runtime/protocol.ts';
import { sandboxSenders } from '../../actors/tenants/accounts/sender.ts';
import { NatsServers, withoutServers } from '../../bench/support/nats-servers.ts';
import type { Answer, Message } from '../../engine/actor/message.ts';
import { partitionOf } from '../../engine/actor/placement.ts';
import { Router } from '../../engine/actor/router.ts';
import { inlineHost } from '../../engine/thread/host.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';

const partitions = 4;

class Member {
  readonly name: string;
  owners: ClusterOwners['owners'] = [];
  readonly host: ReturnType<typeof inlineHost<ShardData>>;
  readonly router: Router;

  constructor(name: string, servers: NatsServers, dataDir: string) {
    this.name = name;
    const data: ShardData = {
      ...{ index: 0, shards: 1, partitions, dispatchers: 0, dataDir, erasuresDir: undefined },
      ...{ backupDays: 30, publicUrl: 'http://engage.test', logLevel: 'fatal', hasRelay: true },
      masterKey: Buffer.alloc(32, 7).toString('base64'),
      ...{ credentialsRequired: false, charges: false, senders: sandboxSenders },
      allowHttpEndpoints: true,
      cluster: {
        ...{ cluster: 'test', member: name, zone: name, address: `${name}:1`, version: '0' },
        ...{ copies: 2, generation: 1, allowsUnsafe: false, logBytesMax: 64 * 1024 * 1024 },
        natsServers: servers.addresses,
        natsMonitors: servers.monitors,
        leases: new SharedArrayBuffer(4 * partitions),
      },
    };
    this.host = inlineHost(hostShard, data, []);
    this.router = new Router({
      partitions,
      shards: [this.host.port],
      clock: systemClock,
      onNotice: (message) => {
        if (message.kind === 'cluster.owners') this.owners = (message as ClusterOwners).owners;
      },
    });
  }

  async figures(): Promise<ClusterFigures> {
    const answer = await this.router.askShard(0, { kind: 'thread.cluster' } as Message);
    if (!answer.ok) throw new Error(answer.fault.message);
    return answer.value as ClusterFigures;
  }
}

class Members {
  readonly all = new Map<string, Member>();

  async ask(to: number, kind: string, body: object = {}): Promise<Answer> {
    for (;;) {
      const owners = [...this.all.values()].flatMap((one) => one.owners);
      const [owner] = owners
        .filter(({ partition }) => partition === partitionOf(to, partitions))
        .sort((one, other) => other.term - one.term);
      const asked = owner && this.all.get(owner.member);
      const answer = await Promise.race([
        asked?.router.ask(to, { kind, by: -1, ...body } as Message),
        after(5_000, undefined),
      ]);
      if (answer !== undefined && (answer.ok || answer.fault.code !== 'moved')) return answer;
      await after(20);
    }
  }

  async value<Reply>(to: number, kind: string, body: object = {}): Promise<Reply> {
    const answer = await this.ask(to, kind, body);
    if (!answer.ok) throw new Error(`${kind}: ${answer.fault.message}`);
    return answer.value as Reply;
  }

  /** Each partition has its owner, where the plan says, and its standby. */
  async settled(): Promise<void> {
    for (;;) {
      const figures = await Promise.all([...this.all.values()].map((one) => one.figures()));
      const copies = figures.flatMap((one) =>
        one.copies.map((copy) => ({ ...copy, at: one.member })),
      );
      const wanted = Math.min(2, this.all.size) * partitions;
      const owners = copies.filter(({ role }) => role === 'owner');
      if (
        owners.length === partitions &&
        owners.every(({ at, planned }) => planned[0] === at) &&
        copies.filter(({ role }) => role === 'standby').length === wanted - partitions
      )
        return;
      await after(100);
    }
  }
}

t.test('members over nats-servers', { skip: withoutServers() }, async (t) => {
  const servers = await NatsServers.start(3);
  t.teardown(() => servers.stop());
  const members = new Members();
  for (const name of ['a', 'b', 'c']) {
    const member = new Member(name, servers, temporaryDirectory());
    members.all.set(name, member);
  }
  await Promise.all([...members.all.values()].map(({ host }) => host.ready));
  const beganMs = systemClock.monotonic();
  await members.settled();
  t.comment(`settled after ${Math.round(systemClock.monotonic() - beganMs)} ms`);

  const key = { id: 'key_00000000000000000000000000', keyId: '000000000000' };
  const { org } = await members.value<{ org: { ordinal: number } }>(1, 'org.create', {
    ...{ orgId: 'org_00000000000000000000000000', name: 'Acme', parentOrgId: null },
    key: { ...key, secretHash: Buffer.alloc(32) },
  });
  const vapid = { publicKey: 'public', privateKey: 'private' };
  const { ordinal: app } = await members.value<{ ordinal: number }>(org.ordinal, 'app.create', {
    ...{ name: 'Shop', timezone: 'UTC', vapid },
  });
  let written = 0;
  const write = async () => {
    const externalUserId = `person ${written}`;
    await members.value(app, 'subscriber.upsert', { subscriber: { externalUserId, devices: [] } });
    written++;
  };
  const check = async (what: string) => {
    let found = 0;
    for (let n = 0; n < written; n++) {
      const ref = { externalUserId: `person ${n}` };
      if ((await members.ask(app, 'subscriber.read', { ref })).ok) found++;
    }
    t.equal(found, written, what);
  };
  const times: number[] = [];
  for (let n = 0; n < 100; n++) {
    const startedMs = systemClock.monotonic();
    await write();
    times.push(systemClock.monotonic() - startedMs);
  }
  times.sort((one, other) => one - other);
  t.comment(`a write takes ${times[50]?.toFixed(1)} ms, 99 of 100 ${times[98]?.toFixed(1)} ms`);
  await check('all is there');

  // The owner ends: a planned move.
  const ownerOf = () => {
    const owners = [...members.all.values()].flatMap((one) => one.owners);
    const mine = owners.filter(({ partition }) => partition === partitionOf(app, partitions));
    return mine.sort((one, other) => other.term - one.term)[0]?.member ?? '';
  };
  const first = ownerOf();
  let longestMs = 0;
  const ended = members.all.get(first)?.host.close();
  for (let isOver = false; !isOver; ) {
    const startedMs = systemClock.monotonic();
    await write();
    longestMs = Math.max(longestMs, systemClock.monotonic() - startedMs);
    isOver = (await Promise.race([ended?.then(() => true), after(0, false)])) ?? true;
  }
  members.all.delete(first);
  t.not(ownerOf(), first);
  t.comment(`the longest write while the owner ended took ${Math.round(longestMs)} ms`);
  await check('all is there after a planned move');

  // A server dies.
  await servers.kill(1);
  const startedMs = systemClock.monotonic();
  await write();
  t.comment(
    `a write after a server died took ${Math.round(systemClock.monotonic() - startedMs)} ms`,
  );
  for (let n = 0; n < 20; n++) await write();
  await check('all is there without a server');
  servers.run(1);
  await Promise.all([...members.all.values()].map(({ host }) => host.close()));
});
