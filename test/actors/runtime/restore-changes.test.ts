// A restore undoes no deleted key, replaced secret or opt-out: each is listed outside backups, also
// from the log after a crash, and made again at the first start, as it was last.

import { createHmac } from 'node:crypto';
import t from 'tap';
import { changeIn, listChange, newestChanges } from '../../../actors/runtime/listed-changes.ts';
import { decodeBlock } from '../../../engine/actor/block.ts';
import { ErasureList, readErasures } from '../../../storage/erasures.ts';
import { type ListedChange, lineOf, readChanges } from '../../../storage/listed-change.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { partitionWithApp, TestPartition, testClock } from '../../support/partition.ts';

const clock = testClock();
const optOut = (address: string) => ({ channel: 'email' as const, address });
const key = { id: 'key_00000000000000000000000001', keyId: '000000000001' };

/** A partition with a key, an identity secret and two opt-outs. */
async function aWorld() {
  const { one, org, app } = await partitionWithApp({ clock });
  await one.value(org, 'key.create', {
    name: 'leaked',
    scopes: ['read'],
    appId: null,
    key: { ...key, secretHash: new Uint8Array(32) },
  });
  const member = await one.value(org, 'member.add', { email: 'ada@example.com', role: 'owner' });
  const bob = await one.value(org, 'member.add', { email: 'bob@example.com', role: 'owner' });
  const eva = await one.value(org, 'member.add', { email: 'eva@example.com', role: 'owner' });
  await one.value(app, 'identity.put_secret', { secret: 'is_old' });
  for (const address of ['stays@example.com', 'back@example.com'])
    await one.value(app, 'suppression.add', { ...optOut(address), source: 'api' });
  await one.settle();
  one.effects.length = 0;
  return { one, org, app, member, bob, eva };
}

/** That world twice: one goes on, and the other is its backup. */
async function aBackup() {
  const { one } = await aWorld();
  return { ...(await aWorld()), backup: one.store.crash(0, { settle: 'auto' }) };
}

function listed(one: TestPartition): ListedChange[] {
  return one.effects.flatMap(({ port, message }) =>
    port === 'host' && message.kind === 'change.listed'
      ? [(message as unknown as { change: ListedChange }).change]
      : [],
  );
}

/** Through files, as it is. */
function written(changes: readonly ListedChange[]) {
  const directory = temporaryDirectory();
  const onFailed = (error: unknown) => t.fail(String(error));
  const list = new ErasureList({ directory, partition: 0, keptDays: 30, onFailed });
  for (const change of changes) listChange(list, change);
  list.flush();
  t.same(readErasures(directory), []);
  return newestChanges(readChanges(directory));
}

t.test('what changed since the backup is as it was last', async (t) => {
  const { one, org, app, backup, member, bob, eva } = await aBackup();
  await one.value(org, 'key.delete', { id: key.id });
  await one.value(org, 'member.set_role', { memberId: member.id, role: 'editor' });
  await one.value(org, 'member.remove', { memberId: member.id });
  await one.value(org, 'member.set_role', { memberId: bob.id, role: 'viewer' });
  await one.value(app, 'identity.put_secret', { secret: 'is_new' });
  await one.value(app, 'suppression.remove', optOut('back@example.com'));
  await one.value(app, 'suppression.add', {
    ...optOut('gone@example.com'),
    source: 'unsubscribe',
    reason: 'too many',
  });
  for (const address of ['twice@example.com']) {
    await one.value(app, 'suppression.add', { ...optOut(address), source: 'api' });
    await one.value(app, 'suppression.remove', optOut(address));
  }
  const changes = listed(one);
  t.equal(changes.length, 9);
  const again = [...one.store.blocks(one.store.oldestSeq, 1_000)]
    .map(({ block }) => decodeBlock(block))
    .flatMap(({ entries, atMs }) => entries.flatMap((entry) => changeIn(entry, atMs) ?? []));
  t.same(again.slice(-9), changes, 'a replay of the log lists the same');

  const entries = written([...again, ...changes]);
  t.equal(entries[0]?.kind, 'key.deleted', 'keys come first');
  const two = new TestPartition({
    store: backup,
    clock,
    restored: { epoch: 2, resend: 'none', erased: () => [], changes: () => entries },
  });
  await two.settle();
  t.equal(await two.value(org, 'key.find', { keyId: key.keyId }), null);
  const { items } = await two.value(org, 'member.list', { limit: 50 });
  t.same(
    items.toSorted((one, other) => one.email.localeCompare(other.email)),
    [{ ...bob, role: 'viewer' }, eva],
  );
  const state = (partition: TestPartition) => partition.product.state.apps.get(app);
  t.same(state(two)?.identity, state(one)?.identity);
  t.same([...(state(two)?.suppressions ?? [])], [...(state(one)?.suppressions ?? [])]);
  const rows = async (partition: TestPartition) =>
    (await partition.value(app, 'suppression.list', { limit: 50 })).items;
  t.same(await rows(two), await rows(one), 'with source, reason and instant');
  const known = ({ identityKey }: { identityKey?: string }) =>
    identityKey === 'email:stays@example.com' || identityKey === 'email:twice@example.com';
  t.same(
    listed(two).map(({ entry }) => entry),
    entries.filter((entry) => !known(entry as object)),
    'each is listed, before what comes after',
  );
  t.equal(two.product.state.epoch, 2);
});

t.test('a restore undoes no scope: wider, narrower or new since the backup', async (t) => {
  const { one, app, backup } = await aBackup();
  const marketing = { source: 'api', scope: 'marketing' } as const;
  await one.value(app, 'suppression.remove', optOut('back@example.com'));
  await one.value(app, 'suppression.add', { ...optOut('back@example.com'), ...marketing });
  await one.value(app, 'suppression.add', { ...optOut('new@example.com'), ...marketing });
  await one.value(app, 'suppression.add', { ...optOut('wider@example.com'), ...marketing });
  await one.value(app, 'suppression.add', { ...optOut('wider@example.com'), source: 'callback' });
  const changes = written(listed(one));
  const restored = { epoch: 2, resend: 'none', erased: () => [], changes: () => changes } as const;
  const two = new TestPartition({ store: backup, clock, restored });
  await two.settle();
  const known = async (partition: TestPartition) => {
    const state = partition.product.state.apps.get(app);
    const { items } = await partition.value(app, 'suppression.list', { limit: 50 });
    return [[...(state?.suppressions ?? [])], [...(state?.marketingOptOuts ?? [])].sort(), items];
  };
  t.same(await known(two), await known(one));
  t.match((await known(two))[1], ['email:back@example.com', 'email:new@example.com']);
});

t.test('a restore shows no events that a shorter retention has hidden since', async (t) => {
  const { one, app, backup } = await aBackup();
  const keep = (eventsRetentionDays: number | null) =>
    one.value(app, 'settings.patch', { patch: { eventsRetentionDays } });
  const { goneBeforeMs } = await keep(7);
  await keep(null);
  const changes = written(listed(one));
  const restored = { epoch: 2, resend: 'none', erased: () => [], changes: () => changes } as const;
  const two = new TestPartition({ store: backup, clock, restored });
  await two.settle();
  t.match(await two.value(app, 'settings.read', {}), {
    eventsRetentionDays: null,
    goneBeforeMs,
  });
});

t.test('a restore that is begun twice knows what changed last', async (t) => {
  const { one, app } = await aWorld();
  const x = optOut('x@example.com');
  const replayed = () =>
    [...one.store.blocks(one.store.oldestSeq, 1_000)]
      .map(({ block }) => decodeBlock(block))
      .flatMap(({ entries, atMs }) => entries.flatMap((entry) => changeIn(entry, atMs) ?? []));
  await one.value(app, 'suppression.add', { ...x, source: 'api' });
  await one.value(app, 'suppression.remove', x);
  await one.settle();
  const tail = replayed(); // of the backup
  await one.value(app, 'suppression.add', { ...x, source: 'unsubscribe' });
  await one.settle();

  const directory = temporaryDirectory();
  const onFailed = (error: unknown) => t.fail(String(error));
  const open = () => new ErasureList({ directory, partition: 0, keptDays: 30, onFailed });
  const list = open();
  for (const change of listed(one)) listChange(list, change);
  list.flush();
  const newest = () =>
    newestChanges(readChanges(directory)).filter(
      (entry) => (entry as { identityKey?: string }).identityKey === 'email:x@example.com',
    );
  t.match(newest(), [{ kind: 'suppression.added' }]);
  for (let start = 0; start < 2; start++) {
    const again = open();
    for (const change of tail) again.addAgain(lineOf(change));
    again.flush();
    t.match(newest(), [{ kind: 'suppression.added' }], 'the person opted out after the backup');
  }
  const lost = open();
  const line = { ...(tail.at(-1) as ListedChange), atMs: clock.nowMs + 1 };
  lost.addAgain(lineOf(line));
  lost.flush();
  t.match(newest(), [{ kind: 'suppression.removed' }], 'what a crash kept from the list is added');
});

t.test('sessions that ended since the backup stay ended, and others go on', async (t) => {
  const tokenKey = new Uint8Array(32).fill(3);
  type World = Awaited<ReturnType<typeof aWorld>>;
  /** Logins that only this test's own randomness tells apart, so that both worlds have the same. */
  const logIn = async ({ one, app }: Pick<World, 'one' | 'app'>, login: object = {}) =>
    one.value(app, 'sdk.login', { login: { tokenKey, ...login } });
  const proof = (user: string) => ({
    externalUserId: user,
    identityHash: createHmac('sha256', 'is_old').update(user).digest('hex'),
  });
  const populated = async () => {
    const world = await aWorld();
    const tokens: Record<string, string[]> = {};
    for (const user of ['ana', 'ben', 'cyd'])
      tokens[user] = [
        (await logIn(world, proof(user))).clientToken,
        (await logIn(world, proof(user))).clientToken,
      ];
    tokens['anonymous'] = [(await logIn(world)).clientToken, (await logIn(world)).clientToken];
    world.one.effects.length = 0;
    return { ...world, tokens };
  };
  const backup = (await populated()).one.store.crash(0, { settle: 'auto' });
  const { one, app, tokens } = await populated();
  const { ana = [], ben = [], cyd = [], anonymous = [] } = tokens;
  const logOut = (clientToken = '') => one.value(app, 'sdk.logout', { clientToken });
  await logOut(ana[0]);
  await logOut(ben[0]);
  await one.value(app, 'subscriber.end_sessions', { ref: { externalUserId: 'ben' } });
  const { clientToken: later } = await logIn({ one, app }, proof('ben'));
  await logIn({ one, app }, { ...proof('cyd'), clientToken: anonymous[0] }); // a merge
  await logIn({ one, app }, { ...proof('new'), clientToken: anonymous[1] }); // becomes known
  const entries = written(listed(one));
  t.same(new Set(entries.map(({ kind }) => kind)), new Set(['sessions.ended']));
  const restored = { epoch: 2, resend: 'none' as const, erased: () => [], changes: () => entries };
  const two = new TestPartition({ store: backup, clock, restored });
  await two.settle();
  const isOpen = async (clientToken = '') => (await two.ask(app, 'sdk.person', { clientToken })).ok;
  for (const [what, token, open] of [
    ['a logout', ana[0], false],
    ['the other device', ana[1], true],
    ['a logout before all were ended', ben[0], false],
    ['all were ended', ben[1], false],
    ['a login after that', later, true],
    ['nothing happened', cyd[0], true],
    ['merged', anonymous[0], false],
    ['became known', anonymous[1], false],
  ] as const)
    t.equal(await isOpen(token), open, what);
  t.same(written(listed(two)), entries, 'listed again, for a restore of the restored');
});

t.test('a change about an app or org that the backup does not have is left out', async (t) => {
  const { app, backup } = await aBackup();
  const row = { identity: 'email', address: 'a@b.example', source: 'api', createdMs: 1 } as const;
  const entry = {
    kind: 'suppression.added',
    owner: app + 77,
    identityKey: 'email:a@b.example',
    row,
  };
  const later = { kind: 'made.by_a_later_version', owner: app };
  const entries = written([entry, later].map((one) => ({ entry: one, atMs: 1 })));
  const two = new TestPartition({
    store: backup,
    clock,
    restored: { epoch: 2, resend: 'none', erased: () => [], changes: () => entries },
  });
  await two.settle();
  t.equal(two.product.state.epoch, 2);
  t.equal(two.product.state.apps.get(app)?.suppressions.size, 2);
});

t.test('a credential that its provider rotated keeps what it was before', (t) => {
  const entry = (kind: string, more: object) => ({
    entry: { kind, owner: 9, ...more },
    atMs: 1,
  });
  const stored = (fingerprint: string) =>
    entry('credential.stored', { credential: { channel: 'zalo', fingerprint }, publicKey: null });
  const rotated = (byte: number) =>
    entry('credential.rotated', { channel: 'zalo', sealed: Uint8Array.of(byte), atMs: 1 });
  const newest = written([
    rotated(0),
    stored('a'),
    rotated(1),
    stored('b'),
    rotated(2),
    rotated(3),
  ]);
  t.same(newest, [stored('b').entry, rotated(3).entry]);
  t.end();
});
