// A PostgreSQL that dies, lies, is full, slow or the wrong one.

import { mkdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type PostgresCluster, withoutPostgres } from '../../bench/support/postgres.ts';
import type { PartitionLog } from '../../engine/log/partition-log.ts';
import { connectPostgres } from '../../storage/postgres/connection.ts';
import { auditOwners } from '../engine/log/support/owners-audit.ts';
import { FightingOwners, wholeLog } from './support/fighting-owners.ts';
import { connected, logOf, startPostgres } from './support/postgres-logs.ts';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const bytes = (text: string) => Buffer.from(text);

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 300) throw new Error(`never: ${what}`);
    await wait(100);
  }
}

const textsOf = async (log: PartitionLog) =>
  (await wholeLog(log)).map((frame) => Buffer.from(frame.bytes).toString());

const missing = withoutPostgres();
if (missing !== false) {
  t.pass(`skipped: ${missing}`);
  t.comment(missing);
} else {
  t.test('a server that may lose what it acknowledges is refused, unless it is allowed', gate);
  t.test('a schema of a newer build is refused, and clusters do not see each other', schemas);
  t.test('kills of the server lose nothing that was acknowledged', kills);
  t.test('a standby that takes over has all that was acknowledged, and fences', promotion);
  t.test('a hundred partitions share a server and a few connections', hundred);
  t.test('a full log says so, and takes more after a trim', full);
  t.test('appends that wait behind another one do not pile up connections', behind);
  t.test('connections that the network lost are replaced', lost);
}

async function gate(t: Test): Promise<void> {
  const server = await startPostgres(t, { fsync: 'off' });
  const open = (allowsUnsafe: boolean, warnings: string[] = []) =>
    connected(t, [server], { allowsUnsafe, onWarning: (sentence) => warnings.push(sentence) });
  await t.rejects(open(false), { message: /fsync is off.*there is one copy/ });
  const warnings: string[] = [];
  await logOf(await open(true, warnings), 1);
  t.equal(warnings.length, 2, warnings.join('\n'));

  await server.stop();
  await server.start({ fsync: 'on', full_page_writes: 'off' });
  await t.rejects(open(false), { message: /full_page_writes is off/ });
  await server.stop();
  await server.start({ full_page_writes: 'on' });
  await server.query("alter role engage set synchronous_commit = 'off'");
  await server.stop();
  await server.start({ synchronous_standby_names: 'nobody' });
  const waits = await (await logOf(await open(false), 1)).append(bytes('a'), 0);
  t.match(waits, { state: 'unknown', reason: /waits for a synchronous standby/ });
  await server.stop();

  await server.start({ synchronous_standby_names: '' });
  await server.query('alter role engage set default_transaction_read_only = on');
  await t.rejects(open(true), { message: /it is read-only/ });
  await server.query('alter role engage connection limit 0');
  await t.rejects(open(true), { message: /too many connections/ });
  await server.stop();
  await t.rejects(open(true), { message: /there is no such socket/ });
}

async function schemas(t: Test): Promise<void> {
  const server = await startPostgres(t);
  const [one, other] = [
    await logOf(await connected(t, [server], { cluster: 'one' }), 1),
    await logOf(await connected(t, [server], { cluster: 'other' }), 1),
  ];
  t.same(await one.append(bytes('a'), 0), { state: 'appended', position: 1 });
  t.same(await other.append(bytes('b'), 0), { state: 'appended', position: 1 });
  t.same(await textsOf(one), ['a']);
  const many = Array.from({ length: 8 }, () => connected(t, [server], { cluster: 'many' }));
  t.equal((await Promise.all(many)).length, 8, 'all of a cluster may start at once');
  await t.rejects(connected(t, [server], { cluster: 'a; drop' }), { message: /cluster's name/ });

  const owner = await connected(t, [server], { cluster: 'one' });
  const newer = { name: 'newer', text: `update ${owner.schema}.version set version = 99` };
  await owner.run(newer, []);
  await t.rejects(connected(t, [server], { cluster: 'one' }), { message: /which a newer build/ });
}

async function kills(t: Test): Promise<void> {
  const server = await startPostgres(t);
  const reach = async () => logOf(await connected(t, [server]), 1);
  const owners = new FightingOwners([await reach(), await reach(), await reach()], 40);
  for (let kill = 0; kill < 5; kill++) {
    await owners.more(60);
    await server.kill();
    await server.start();
  }
  await owners.more(60);
  await owners.stop();
  const findings: string[] = [];
  const voids = auditOwners(await wholeLog(await reach()), owners.told, findings);
  t.same(findings, []);
  t.ok(owners.takeovers > 3, 'owners fought');
  t.comment(`${owners.committed} committed, ${owners.takeovers} takeovers, ${voids} void`);
  t.comment([...owners.troubles].join(' | '));
}

async function promotion(t: Test): Promise<void> {
  const primary = await startPostgres(t);
  const standby = primary.standby('twin');
  t.teardown(() => standby.remove());
  const small = { shared_buffers: '64MB', wal_buffers: '4MB', max_wal_size: '256MB' };
  await standby.start(small);
  await primary.query("alter system set synchronous_standby_names = 'twin'");
  await primary.query('select pg_reload_conf()');
  await until('the standby counts', async () => {
    const [row] = await primary.query('select sync_state from pg_stat_replication');
    return row?.['sync_state'] === 'sync';
  });

  const both = [primary, standby];
  const strict = await connected(t, both, { allowsUnsafe: false });
  const log = await logOf(strict, 1);
  for (let at = 0; at < 20; at++)
    t.same(await log.append(bytes(`${at}`), at), { state: 'appended', position: at + 1 });

  // The standby hears nothing more; a frame is on the primary's disk alone.
  const kept = await textsOf(log);
  await standby.kill();
  const alone = await log.append(bytes('alone'), 20);
  t.equal(alone.state, 'unknown', 'without its standby nothing is acknowledged');
  await primary.kill();
  await primary.start();
  const reader = await logOf(await connected(t, [primary], { allowsUnsafe: true }), 1).catch(
    () => undefined,
  );
  t.equal(await reader?.read(20, 1_000), undefined, 'and nobody reads what one machine has');
  t.same((await reader?.range())?.newest, 21, 'though it is there');

  await standby.start({ primary_conninfo: '' });
  await standby.query('select pg_promote()');
  await until('the standby leads', async () => {
    const [row] = await standby.query('select pg_is_in_recovery() as follows');
    return row?.['follows'] === false;
  });
  // It has no standby of its own: strict processes wait, and one that may goes on.
  const after = await logOf(await connected(t, both), 1);
  t.same(await textsOf(after), kept, 'all that was acknowledged');
  const next = await after.append(bytes('next'), 20);
  t.same(next, { state: 'appended', position: 21 });
  const old = await log.append(bytes('late'), 20);
  t.not(old.state, 'appended', `an old owner is fenced: ${JSON.stringify(old)}`);
  t.equal(await log.read(20, 1_000), undefined, 'and reads nothing from the old primary');
  t.same(await textsOf(after), [...kept, 'next']);
}

async function hundred(t: Test): Promise<void> {
  const server = await startPostgres(t);
  const postgres = await connected(t, [server], { connectionsMax: 8 });
  const partitions = Array.from({ length: 100 }, (_, index) => index);
  const logs = await Promise.all(partitions.map((partition) => logOf(postgres, partition)));
  const reader = await connected(t, [server]);
  let hints = 0;
  const follower = await logOf(reader, 99);
  const tail = follower.tail(0, () => hints++);
  t.same(await tail.next(), []);
  await until('it listens', async () => reader.arrivals.isListening);
  const ends = await Promise.all(
    logs.map(async (log, partition) => {
      for (let at = 0; at < 5; at++) {
        const end = await log.append(bytes(`${partition}/${at}`), at);
        if (end.state !== 'appended') return end;
      }
      return 'all';
    }),
  );
  t.same(new Set(ends), new Set(['all']));
  for (const partition of [0, 42, 99])
    t.same(
      await textsOf(logs[partition] as PartitionLog),
      [0, 1, 2, 3, 4].map((at) => `${partition}/${at}`),
    );
  await until('a hint', async () => hints > 0);
  t.equal((await tail.next())?.length, 5);
  tail.close();
  t.ok((await backends(server)) <= 8 + 1 + 4 + 1, 'connections are bounded');
}

async function full(t: Test): Promise<void> {
  const server = await startPostgres(t);
  const log = await logOf(await connected(t, [server]), 1, 10_000);
  const frame = Buffer.alloc(1_000);
  for (let at = 0; at < 10; at++) t.equal((await log.append(frame, at)).state, 'appended');
  t.same(await log.append(frame, 10), { state: 'full' });
  t.same(await log.appendAnywhere(frame), { state: 'full' });
  await log.trim(4);
  t.same(await log.range(), { oldest: 5, newest: 10 });
  for (let at = 10; at < 14; at++) t.equal((await log.append(frame, at)).state, 'appended');
  t.same(await log.append(frame, 14), { state: 'full' });
  await log.trim(14);
  t.same(await log.range(), { oldest: 15, newest: 14 }, 'all of it');
  t.same(await log.append(frame, 3), { state: 'refused' }, 'no position comes back');
  t.same(await log.append(frame, 14), { state: 'appended', position: 15 });
}

async function backends(server: PostgresCluster): Promise<number> {
  const [row] = await server.query(
    "select count(*)::int as n from pg_stat_activity where usename = 'engage'",
  );
  return Number(row?.['n']);
}

async function behind(t: Test): Promise<void> {
  const server = await startPostgres(t);
  const postgres = await connected(t, [server], { connectionsMax: 4 });
  const log = await logOf(postgres, 1);
  await log.append(bytes('a'), 0);
  const holder = await connected(t, [server], { connectionsMax: 1 });
  const hold = holder.run(
    {
      name: 'hold',
      text: `with held as materialized (select id from ${holder.schema}.logs for update)
        select pg_sleep(6), id from held`,
    },
    [],
  );
  await wait(200);
  const ends = await Promise.all(Array.from({ length: 12 }, () => log.append(bytes('b'), 1)));
  t.ok(ends.every(({ state }) => state === 'unknown'));
  const connections = await backends(server);
  t.ok(connections <= 4 + 1 + 2, `no connection for each try: ${connections}`);
  const reasons = ends.map((end) => ('reason' in end ? end.reason : ''));
  t.match(reasons.join(), /another append holds the log/);
  await hold;
  await until('appends go on', async () => (await log.append(bytes('b'), 1)).state !== 'unknown');
  t.same((await textsOf(log)).slice(0, 2), ['a', 'b']);
}

/** Between clients and a server's socket; what it lost says nothing more, and does not end. */
async function lossyNetwork(t: Test, server: PostgresCluster) {
  const passed = new Set<Socket>();
  const path = join(server.path, 'network');
  mkdirSync(path);
  const network = createServer((client) => {
    const upstream = connect(join(server.address.host, '.s.PGSQL.5432'));
    for (const socket of [client, upstream]) {
      passed.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => passed.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => network.listen(join(path, '.s.PGSQL.5432'), resolve));
  t.teardown(() => {
    for (const socket of passed) socket.destroy();
    network.close();
  });
  return {
    string: `postgres://engage@/engage?host=${path}&port=5432`,
    /** Of the connections that are there. */
    lose: () => {
      for (const socket of passed) {
        socket.unpipe();
        socket.pause();
      }
    },
  };
}

async function lost(t: Test): Promise<void> {
  const server = await startPostgres(t);
  const network = await lossyNetwork(t, server);
  const postgres = await connectPostgres({
    servers: [network.string],
    cluster: 'test',
    name: 'test',
    connectionsMax: 1,
    allowsUnsafe: true,
    onWarning: () => {},
  });
  t.teardown(() => postgres.close());
  const log = await logOf(postgres, 1);
  t.same(await log.append(bytes('a'), 0), { state: 'appended', position: 1 });
  network.lose();
  t.equal((await log.append(bytes('b'), 1)).state, 'unknown');
  await until('appends go on', async () => (await log.append(bytes('b'), 1)).state !== 'unknown');
  t.same(await textsOf(log), ['a', 'b']);
}
