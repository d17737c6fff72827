// Small parts of a member of a cluster by themselves: who owns what, and how much of a log goes.

import t from 'tap';
import { callsUnderWay } from '../../../actors/runtime/cluster/calls-under-way.ts';
import { FoldTurns } from '../../../actors/runtime/cluster/fold-turns.ts';
import { LogCare } from '../../../actors/runtime/cluster/log-care.ts';
import { LogTrim } from '../../../actors/runtime/cluster/log-trim.ts';
import { LogTroubles } from '../../../actors/runtime/cluster/log-troubles.ts';
import { ownersOf } from '../../../actors/runtime/cluster/owners.ts';
import { Renewals } from '../../../actors/runtime/cluster/renewals.ts';
import type { RunningPartition } from '../../../actors/runtime/open-partition.ts';
import { ShardReads } from '../../../actors/runtime/shard-reads.ts';
import { hourMs, minuteMs } from '../../../engine/base/brand.ts';
import type { Beat, CopySaid, MemberIdentity } from '../../../engine/cluster/beat.ts';
import type { Member } from '../../../engine/cluster/members.ts';
import { MemoryLog, MemoryStream } from '../../../engine/log/memory-log.ts';

function identity(name: string): MemberIdentity {
  return { name, instance: 1, address: `${name}:1`, zone: name, version: '0', level: 1 };
}

function said(partition: number, role: CopySaid['role'], term: number): CopySaid {
  return { partition, role, term, generation: 1, position: 9, seq: 5, sum: 0 };
}

function member(name: string, isLive: boolean, copies: readonly CopySaid[]): Member {
  const beat = { member: identity(name), copies } as unknown as Beat;
  return { beat, isLive, silentMs: 0, knownMs: 0 };
}

t.test('of two that own a partition, the one of the newer term does', async (t) => {
  const others = [
    member('b', true, [said(0, 'owner', 4), said(1, 'standby', 4), said(2, 'owner', 7)]),
    member('c', false, [said(3, 'owner', 9)]),
  ];
  const owners = ownersOf({
    self: identity('a'),
    copies: [said(0, 'owner', 3), said(1, 'owner', 4), said(2, 'claiming', 8)],
    members: { others: () => others },
    held: new Set([0, 1, 2]),
  });
  t.same(owners, [
    { partition: 0, member: 'b', address: 'b:1', term: 4 },
    { partition: 1, member: 'a', address: 'a:1', term: 4, isHeld: true },
    { partition: 2, member: 'b', address: 'b:1', term: 7 },
  ]);
});

t.test('a log keeps two hours, or half of its bytes', async (t) => {
  const trim = new LogTrim();
  const view = { oldest: 1, bytesMax: 1_000, read: [] as number[] };
  for (let minute = 0; minute < 120; minute++) {
    const newest = 10 * minute;
    const at = { ...view, nowMs: minute * minuteMs, newest, stored: newest, bytes: 499 };
    t.equal(trim.through(at), undefined);
  }
  const later = { ...view, nowMs: 2 * hourMs + 5 * minuteMs, newest: 1_200, stored: 1_200 };
  t.equal(trim.through(later), 50, 'what is two hours old');
  t.equal(trim.through({ ...later, read: [40] }), 40, 'and read by every live copy');
  t.equal(trim.through({ ...later, stored: 30 }), 30, 'and in the files of the owner');
  t.equal(trim.through({ ...later, oldest: 60 }), undefined, 'and not gone already');
  const half = { ...later, bytes: 500 };
  t.equal(trim.through(half), 1 + Math.floor(1_199 / 2), 'until a quarter of its bytes is left');
  t.equal(trim.through({ ...half, read: [40] }), 40);
  const full = { ...half, bytes: 750, read: [40] };
  t.equal(trim.through(full), 1 + Math.floor((1_199 * 2) / 3), 'a full log waits for nobody');
  t.equal(trim.through({ ...full, stored: 45 }), 45, 'but for the owner');
});

t.test('calls under way are sends and rows of waves, on all channels', async (t) => {
  const app = (inFlight: number[], rowsOn: number[]) =>
    ({
      outbox: { channels: new Map(inFlight.map((count, at) => [at, { inFlight: count }])) },
      sending: { rowsOn },
    }) as unknown as Parameters<typeof callsUnderWay>[0] extends Iterable<infer App> ? App : never;
  t.equal(callsUnderWay([]), 0);
  t.equal(callsUnderWay([app([0, 0], [0]), app([1, 2], [0, 4])]), 7);
});

t.test('a log that lost its end is reported once', async (t) => {
  const stream = new MemoryStream();
  for (let n = 0; n < 9; n++) stream.append(Buffer.from('frame'));
  const told: unknown[] = [];
  const care = new LogCare({
    node: { copies: [said(0, 'standby', 1)], members: { others: () => [] } } as never,
    copyOf: () => undefined,
    ports: { log: () => new MemoryLog(stream), time: { monotonic: () => 0 } },
    cluster: {},
    log: { error: (line: unknown) => void told.push(line) },
  });
  const look = async (times: number) => {
    for (let n = 0; n < times; n++) await care.look(0);
  };
  await look(3);
  t.same(told, []);
  stream.lose(4);
  await look(1);
  t.same(told, [], 'it may be another leader that has not caught up');
  await look(3);
  t.match(told, [{ evt: 'cluster.log_lost', partition: 0, count: 4 }]);
});

t.test('servers that accept nothing are reported once a minute', async (t) => {
  let nowMs = 0;
  const told: unknown[] = [];
  const log = { error: (line: unknown) => void told.push(line) };
  const troubles = new LogTroubles(log, () => nowMs);
  troubles.note(1, 'refused');
  t.same(told, []);
  troubles.note(1, 'unknown', 'timeout');
  troubles.note(2, 'unknown', 'timeout');
  troubles.note(3, 'unknown', 'timeout');
  troubles.note(3, 'full');
  nowMs += minuteMs;
  troubles.note(1, 'unknown', 'no responders');
  t.match(told, [
    { evt: 'cluster.log_away', partition: 1, count: 1, reason: 'timeout' },
    { evt: 'cluster.log_full', partition: 3, count: 1 },
    { evt: 'cluster.log_away', partition: 1, count: 3, reason: 'no responders' },
  ]);
});

t.test('folds of a thread have rests between them, as long as they took', async (t) => {
  const order: string[] = [];
  const time = {
    wait: async (ms: number) => {
      if (ms > 0) order.push(`rest ${ms}`);
    },
  };
  const turns = new FoldTurns(time);
  const fold = async (name: string, tookMs: number) => {
    await turns.next();
    order.push(name);
    turns.took(tookMs);
  };
  await Promise.all([fold('a', 300), fold('b', 9_000), fold('c', 0), fold('d', 0)]);
  t.same(order, ['a', 'rest 300', 'b', 'rest 2000', 'c', 'd']);
});

t.test('files are copied one partition at a time, with a rest after a failure', async (t) => {
  let nowMs = 0;
  const asked: number[] = [];
  const told: string[] = [];
  const answers: ((isDone: boolean) => void)[] = [];
  const renewals = new Renewals({
    copies: { renew: (_partition, fetch) => fetch('folder') },
    ports: {
      fetchCopy: (_address, partition) => {
        asked.push(partition);
        return new Promise((resolve) => answers.push(resolve));
      },
      time: { monotonic: () => nowMs },
    },
    log: {
      info: ({ evt }: { evt: string }) => void told.push(evt),
      warn: ({ evt }: { evt: string }) => void told.push(evt),
    } as never,
  });
  const from = { name: 'b', address: 'b:1' };
  const first = renewals.run(1, from);
  t.equal(await renewals.run(2, from), false);
  answers.shift()?.(true);
  t.equal(await first, true);
  const second = renewals.run(2, from);
  answers.shift()?.(false);
  t.equal(await second, false);
  t.equal(await renewals.run(2, from), false, 'not at once');
  nowMs += 5_000;
  const third = renewals.run(2, from);
  answers.shift()?.(true);
  t.equal(await third, true);
  t.same(asked, [1, 2, 2]);
  t.same(told, ['cluster.copying', 'cluster.copying', 'cluster.copy_failed', 'cluster.copying']);
});

t.test('a long read waits until the files have what was answered', async (t) => {
  let settle: (() => void) | undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const reads = new ShardReads({
    ...{ dataDir: '', entry: new URL('file:///none'), isYoung: () => true },
    log: { error: () => {} },
  });
  const running = { index: 0, store: {}, settled: () => settled } as unknown as RunningPartition;
  let isOver = false;
  const read = reads
    .hostOf(running)
    .read(1, { name: 'none', of: 'nothing' }, {})
    .catch(({ message }: Error) => message)
    .finally(() => {
      isOver = true;
    });
  for (let ticks = 0; ticks < 10; ticks++) await new Promise((resolve) => setImmediate(resolve));
  t.notOk(isOver);
  settle?.();
  t.equal(await read, 'there is no read none');
  await reads.close();
});
