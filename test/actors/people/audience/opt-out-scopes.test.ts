// What an opt-out covers: everything, or marketing alone.

import t from 'tap';
import { audienceOfApp } from '../../../../actors/people/audience/memory.ts';
import { accountsOfApp } from '../../../../actors/tenants/accounts/memory.ts';
import { defaultSettings } from '../../../../actors/tenants/accounts/records.ts';
import { newHashKey } from '../../../../engine/base/hash.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';

const address = 'ada@example.com';
const email = { channel: 'email', address } as const;
const byLink = { ...email, source: 'unsubscribe', scope: 'marketing' } as const;
const filter = { channel: 'email' } as const;

async function world(unsubscribeScope: 'all' | 'marketing') {
  const { one, app } = await partitionWithApp();
  await one.value(app, 'settings.patch', { patch: { unsubscribeScope } });
  const devices = [{ channel: 'email' as const, endpoint: 'Ada@example.com' }];
  await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId: 'ada', devices } });
  const add = (body: Parameters<typeof one.value<'suppression.add'>>[2]) =>
    one.value(app, 'suppression.add', body);
  const memory = () => {
    const { suppressions, marketingOptOuts } = one.product.state.apps.get(app) ?? {};
    return [[...(suppressions ?? [])], [...(marketingOptOuts ?? [])]];
  };
  const reached = async () =>
    (await one.value(app, 'segment.preview', { asked: { filter }, sample: 0 })).count;
  return { one, app, add, memory, reached };
}

const key = `email:${address}`;

t.test('the link of a marketing mail narrows only where the app says so', async (t) => {
  const all = await world('all');
  t.equal((await all.add(byLink)).scope, undefined);
  t.same(all.memory(), [[key], []]);
  const narrow = await world('marketing');
  t.equal((await narrow.add(byLink)).scope, 'marketing');
  t.same(narrow.memory(), [[], [key]]);
  const { scope: _scope, ...byAnyLink } = byLink;
  const other = await world('marketing');
  t.equal((await other.add(byAnyLink)).scope, undefined);
});

t.test('an opt-out of everything replaces one of marketing, never the reverse', async (t) => {
  for (const source of ['api', 'callback', 'unsubscribe', 'bounce'] as const) {
    const { add, memory } = await world('marketing');
    await add(byLink);
    t.match(await add({ ...email, source }), { source, scope: undefined }, source);
    t.same(memory(), [[key], []]);
    t.match(await add(byLink), { scope: undefined });
    t.same(memory(), [[key], []]);
  }
});

t.test('lifting an opt-out of marketing reaches the person again', async (t) => {
  const { one, app, add, memory, reached } = await world('marketing');
  t.equal(await reached(), 1);
  await add(byLink);
  t.equal(await reached(), 0, 'filters ask who can be reached by marketing');
  t.match(await one.value(app, 'suppression.list', { ...email, limit: 5 }), {
    items: [{ scope: 'marketing' }],
  });
  await one.value(app, 'suppression.remove', email);
  t.same(memory(), [[], []]);
  t.equal(await reached(), 1);
  t.match(await one.ask(app, 'suppression.remove', email), {
    ok: false,
    fault: { code: 'not_found' },
  });
});

t.test('memory is the same after a crash', async (t) => {
  const { one, app, add, memory } = await world('marketing');
  await add(byLink);
  const again = new TestPartition({ clock: one.clock, store: one.store.crash() });
  await again.settle();
  const kept = again.product.state.apps.get(app);
  t.same([[...(kept?.suppressions ?? [])], [...(kept?.marketingOptOuts ?? [])]], memory());
});

t.test('checkpoints of earlier builds open, and their opt-outs cover everything', (t) => {
  const tableKey = newHashKey(seededRng(1));
  const made = audienceOfApp.make({ tableKey } as Parameters<typeof audienceOfApp.make>[0]);
  made.suppressions.add(key);
  const { marketingOptOuts: _unknown, ...earlier } = audienceOfApp.snapshot(made);
  const kept = audienceOfApp.restore(earlier, { tableKey });
  t.same([[...kept.suppressions], [...kept.marketingOptOuts]], [[key], []]);

  const { unsubscribe: _one, unsubscribeScope: _two, ...settings } = defaultSettings;
  const app = { record: {}, settings, credentials: [], vapidPublicKey: null };
  const restored = accountsOfApp.restore(
    app as unknown as Parameters<typeof accountsOfApp.restore>[0],
    { tableKey },
  );
  t.match(restored.settings, { unsubscribe: null, unsubscribeScope: 'all' });
  t.end();
});
