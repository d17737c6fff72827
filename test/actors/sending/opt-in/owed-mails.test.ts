import t from 'tap';
import type { ImportReply, SubscriberInput } from '../../../../actors/people/audience/protocol.ts';
import { textSealer } from '../../../../actors/sealer.ts';
import { openConfirm } from '../../../../actors/sending/opt-in/confirm-link.ts';
import { dayMs, secondMs } from '../../../../engine/base/brand.ts';
import { createSealer } from '../../../../storage/sealed.ts';
import { Scene } from '../../programs/campaigns/scene.ts';
import { copyOf } from './history.ts';

const sealer = textSealer(createSealer([new Uint8Array(32).fill(7)]));
const perSlice = 25;

const row = (at: number, more: object = {}): SubscriberInput => ({
  externalUserId: `p${at}`,
  devices: [{ channel: 'email', endpoint: `p${at}@example.com` }],
  ...more,
});

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => row(at));

async function imported(scene: Scene, rows: readonly SubscriberInput[]): Promise<ImportReply> {
  const slice = { rows, consent: 'doubleOptIn' as const };
  const reply = await scene.one.value(scene.app, 'subscriber.import', slice);
  await scene.run();
  return reply;
}

async function slices(scene: Scene): Promise<void> {
  for (let slice = 0; slice < 4; slice++) await scene.advance(5 * secondMs);
}

const counts = (scene: Scene) => scene.one.value(scene.app, 'opt_in.count', {});
const mailed = (scene: Scene) => scene.sent.map(({ endpoint }) => String(endpoint)).sort();

/** What the newest mail to the address asks, confirmed. */
async function confirm(scene: Scene, address: string): Promise<string> {
  const mail = scene.sent.filter(({ endpoint }) => endpoint === address).at(-1);
  const token = /\/confirm\/([\w-]+)/.exec(mail?.content.body ?? '')?.[1] ?? '';
  const { app: _app, ...link } = openConfirm(sealer, token) ?? {
    app: 0,
    person: 0,
    number: 0,
    identity: '',
  };
  const page = await scene.one.value(scene.app, 'opt_in.read', link);
  const seen = 'seen' in page ? { seen: page.seen } : {};
  const done = await scene.one.value(scene.app, 'opt_in.confirm', {
    ...link,
    ...seen,
    source: 'page',
  });
  await scene.run();
  return done.state;
}

t.test('an import with a double opt-in asks each address once, a few at a time', async (t) => {
  const scene = await Scene.open();
  t.match(await imported(scene, rowsOf(60)), { created: 60, unconfirmed: 60, errors: [] });
  t.equal(scene.sent.length, perSlice);
  t.match(await counts(scene), { queued: 60 - perSlice, waiting: perSlice, confirmed: 0 });
  await scene.advance(5 * secondMs);
  t.equal(scene.sent.length, 2 * perSlice);
  await scene.crash();
  await scene.advance(5 * secondMs);
  await scene.advance(dayMs);
  t.equal(new Set(mailed(scene)).size, 60, 'a crash forgets nobody');
  t.equal(scene.sent.length, 60, 'and asks nobody again');
  t.match(await counts(scene), { queued: 0, waiting: 60, nextMs: null });
  t.match(await imported(scene, rowsOf(60)), { updated: 60, unconfirmed: 60 });
  await scene.advance(dayMs);
  t.equal(scene.sent.length, 60, 'nor does the same file a day later');
  t.equal(await confirm(scene, 'p3@example.com'), 'confirmed');
  t.match(await counts(scene), { waiting: 59, confirmed: 1 });
  await scene.sentCampaign({ channels: ['email'] });
  t.same(mailed(scene).length, 61, 'a campaign reaches who has confirmed');
});

t.test('nobody is asked who takes messages already, or has said no', async (t) => {
  const scene = await Scene.open();
  const [known, out, off] = [row(0), row(1), row(2)];
  await scene.one.value(scene.app, 'subscriber.import', { rows: [known] });
  const no = { channel: 'email', address: 'p1@example.com', source: 'unsubscribe' } as const;
  await scene.one.value(scene.app, 'suppression.add', no);
  const disabled = { ...off, devices: off.devices?.map((one) => ({ ...one, enabled: false })) };
  await imported(scene, [known, out, disabled as SubscriberInput, row(3)]);
  await scene.advance(dayMs);
  t.same(mailed(scene), ['p3@example.com']);
  t.match(await counts(scene), { queued: 0, waiting: 1 });
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 10 });
  const states = items.flatMap(({ devices }) => devices.map((one) => one.disabledReason ?? 'on'));
  t.same(states, ['on', 'unconfirmed', 'disabled_by_caller', 'unconfirmed']);
});

t.test('an address that moves to another person keeps what its owner has said', async (t) => {
  const scene = await Scene.open();
  const { devices = [] } = row(0);
  await scene.one.value(scene.app, 'subscriber.import', { rows: [row(0)] });
  await imported(scene, [{ externalUserId: 'other', devices }]);
  const found = await scene.one.value(scene.app, 'subscriber.list', {
    address: 'p0@example.com',
    limit: 2,
  });
  t.match(found.items, [{ externalUserId: 'other', devices: [{ enabled: true }] }]);
  t.same(scene.sent, []);
});

t.test('a topic that needs a confirmation waits, and one mail asks for all of it', async (t) => {
  const scene = await Scene.open();
  await scene.topic('news', 'out');
  await scene.topic('offers', 'in');
  await imported(scene, [row(0, { topics: { news: 'in', offers: 'in' }, tags: { plan: 'pro' } })]);
  const tags = async () =>
    (await scene.one.value(scene.app, 'subscriber.read', { ref: { externalUserId: 'p0' } })).tags;
  t.same(await tags(), { plan: 'pro', 'topic.news': 'pending', 'topic.offers': 'in' });
  t.equal(scene.sent.length, 1);
  t.match(scene.sent[0]?.content.body, /news/);
  await confirm(scene, 'p0@example.com');
  t.match(await tags(), { 'topic.news': 'in' });
  await imported(scene, [row(0, { topics: { news: 'in' } })]);
  await scene.advance(dayMs);
  t.equal(scene.sent.length, 1, 'what is confirmed is not asked again');
});

t.test('a restore of an older backup asks nobody again', async (t) => {
  const scene = await Scene.open();
  await imported(scene, rowsOf(60));
  const store = copyOf(scene.one.store);
  await slices(scene);
  t.equal(scene.sent.length, 60);
  await scene.crash({ store, restored: { epoch: 2, resend: 'none', erased: () => [] } });
  await slices(scene);
  t.equal(scene.sent.length, 60);
  t.match(await counts(scene), { queued: 0, waiting: perSlice });
  await imported(scene, rowsOf(60));
  await slices(scene);
  t.equal(scene.sent.length, 60 + 35, 'until the file is imported again, for those it never knew');
});

t.test('traits of a platform ask in the same way', async (t) => {
  const scene = await Scene.open();
  const secretHash = new Uint8Array(32).fill(5);
  await scene.one.value(scene.app, 'cdp.put', { secretHash, settings: { consent: 'doubleOptIn' } });
  const call = (userId: string, email: string) =>
    ({ kind: 'identify', index: 0, userId, traits: { email }, contact: { email } }) as const;
  const calls = [call('a', 'a@example.com'), call('b', 'b@example.com')];
  for (let i = 0; i < 3; i++) {
    await scene.one.value(scene.app, 'cdp.take', { secretHash, calls });
    await scene.run();
  }
  t.same(mailed(scene), ['a@example.com', 'b@example.com']);
  await scene.sentCampaign({ channels: ['email'] });
  t.equal(scene.sent.length, 2, 'and nothing else reaches them');
});

t.test('a sign-up beyond the mails of a day is asked once there may be one', async (t) => {
  const scene = await Scene.open();
  const signUp = (topics: readonly string[]) =>
    scene.one.value(scene.app, 'opt_in.sign_up', {
      signUp: { endpoint: 'p0@example.com', wish: { topics, tags: {} } },
    });
  await scene.topic('news', 'out');
  await signUp([]);
  await scene.run();
  await confirm(scene, 'p0@example.com');
  await signUp(['news']);
  await scene.run();
  t.equal(scene.sent.length, 1, 'one mail a person, address and day');
  await scene.advance(dayMs + 10 * secondMs);
  t.equal(scene.sent.length, 2);
  t.match(scene.sent[1]?.content.body, /news/);
  t.equal(await confirm(scene, 'p0@example.com'), 'confirmed');
  await scene.advance(3 * dayMs);
  t.equal(scene.sent.length, 2);
});

t.test('strangers who ask for many people add one mail to the day after', async (t) => {
  const scene = await Scene.open();
  const tokenKey = new Uint8Array(32).fill(3);
  for (let i = 0; i < 8; i++) {
    const login = { tokenKey };
    const { clientToken } = await scene.one.value(scene.app, 'sdk.login', { login } as never);
    const signUp = { endpoint: 'p0@example.com', clientToken, wish: { topics: [], tags: {} } };
    await scene.one.value(scene.app, 'opt_in.sign_up', { signUp });
    await scene.run();
  }
  t.equal(scene.sent.length, 3);
  await scene.advance(dayMs + 10 * secondMs);
  await scene.advance(5 * dayMs);
  t.equal(scene.sent.length, 4);
});

t.test("an org's full day keeps mails for the next", async (t) => {
  const scene = await Scene.open();
  await scene.orgLimits({ dailySendCap: 10 });
  await imported(scene, rowsOf(15));
  t.equal(scene.sent.length, 10);
  t.match(await counts(scene), { queued: 5, waiting: 10 });
  await scene.advance(dayMs + 10 * secondMs);
  t.equal(scene.sent.length, 15);
});

t.test('an app without a sender says so', async (t) => {
  const senders = { proofRequired: true, vouched: [] };
  t.match(await counts(await Scene.open({ senders })), { hasSender: false });
  t.match(await counts(await Scene.open()), { hasSender: true });
});
