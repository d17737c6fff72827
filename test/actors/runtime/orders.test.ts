// Orders that data at rest, or the order of entries in a log, depend on. A change here changes
// what a checkpoint holds, or what a replay of the same inputs writes.

import t from 'tap';
import { areas } from '../../../actors/runtime/areas.ts';
import { clockOrder } from '../../../actors/runtime/clocks.ts';
import { newestChanges } from '../../../actors/runtime/listed-changes.ts';
import { TestPartition } from '../../support/partition.ts';

t.test('parts of a checkpoint are written in this order', async (t) => {
  const one = new TestPartition();
  t.same(
    [...one.product.parts()].map(({ name }) => name),
    ['partition', 'event-ids', 'idempotency'],
  );
});

t.test('a timer keeps its number', async (t) => {
  const timers = areas.flatMap((area) =>
    'timers' in area
      ? Object.entries(area.timers).map(([number, made]) => [
          Number(number),
          made([0, 0, 0, 0]).kind,
        ])
      : [],
  );
  t.same(timers, [
    [5, 'app.sweep'],
    [31, 'doubtful_opt_out.expire'],
    [30, 'bulk.slice'],
    [1, 'transactional.wake'],
    [2, 'dispatch.resume'],
    [3, 'transactional.sweep'],
    [4, 'restored.abandon'],
    [21, 'callback.poll'],
    [22, 'callback.ask_gateway'],
    [8, 'callback.recheck'],
    [20, 'callback.retell'],
    [32, 'opt_in.sweep'],
    [33, 'opt_in.mail'],
    [7, 'dry_run.sweep'],
    [6, 'erasure.scrub'],
  ]);
});

t.test('clocks are asked in this order', async (t) => {
  t.same(clockOrder, [
    'events',
    'restore changes',
    'restored',
    'audience',
    'usage',
    'segments',
    'campaigns',
    'journeys',
    'expiry',
    'clients',
    'billing',
    'accounts',
    'outbox',
    'webhooks',
  ]);
  const clocked = areas.filter((area) => 'clock' in area).map(({ name }) => name);
  t.same(clocked.toSorted(), clockOrder.toSorted(), 'and there is no other clock');
});

t.test('what a restore must not undo is made again in this order', async (t) => {
  const kinds = [
    'key.deleted',
    'member.role_changed',
    'member.removed',
    'mail_stop.set',
    'mail_stop.removed',
    'identity.secret_changed',
    'identity.token_key_changed',
    'cdp.key_changed',
    'cdp.removed',
    'sessions.ended',
    'credential.stored',
    'credential.deleted',
    'credential.rotated',
    'events.gone',
    'suppression.added',
    'suppression.removed',
    'choices.changed',
  ];
  const listed = (kind: string, owner: number) => ({ kind, owner, credential: {} });
  const changes = kinds.map(listed).map((entry) => ({ entry, atMs: 1 }));
  t.same(
    newestChanges(changes.toReversed()).map(({ kind }) => kind),
    kinds,
  );
});
