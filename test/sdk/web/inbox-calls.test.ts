// The inbox without a look, on devices without a browser against a real server: what is shown at
// once, what is taken back, what waits for the network, and what other tabs see.

import t, { type Test } from 'tap';
import { EngageCore } from '../../../sdk/web/src/core.ts';
import { coreModules } from '../../../sdk/web/src/core-modules.ts';
import type { InboxView } from '../../../sdk/web/src/inbox/inbox-calls.ts';
import type { HttpAnswer, HttpRequest } from '../../../sdk/web/src/platform.ts';
import { eventually, makeOrg, sharedServer } from '../../support/server.ts';
import { StandInDevice, type StandInPage } from './support/stand-in-device.ts';

interface Problem {
  readonly code: string;
}

interface Tab {
  readonly page: StandInPage;
  readonly engage: EngageCore;
  readonly problems: Problem[];
  readonly views: InboxView[];
}

interface Shop {
  readonly device: StandInDevice;
  /** A page that follows the inbox. */
  open(change?: (send: Send) => Send): Promise<Tab>;
  /** Keeps a message in everybody's inbox; returns its id. */
  keep(title: string): Promise<string>;
  counts(id: string): Promise<{ readonly read: number; readonly archived: number }>;
  remove(id: string): Promise<unknown>;
}

/** Lets time pass until it is done. */
async function done<Value>({ device }: Shop, work: Promise<Value>): Promise<Value> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  ended.catch(() => undefined);
  for (let turn = 0; turn < 1_000 && !isDone; turn++) {
    device.pass(1);
    await device.idle();
  }
  return ended;
}

type Send = (request: HttpRequest) => Promise<HttpAnswer>;

async function openShop(t: Test): Promise<Shop> {
  const server = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  const { client } = await makeOrg(server, 'inbox calls');
  const { id: appId } = await client.must('POST /v1/apps', { name: 'shop', timezone: 'UTC' });
  const base = `/v1/apps/${appId}`;
  await client.must(`PATCH ${base}/settings`, { identityVerification: 'open' });
  const device = new StandInDevice(() => 0.5);
  return {
    device,
    async open(change = (send) => send) {
      const page = device.open();
      const send = change((request) => page.platform.send(request));
      const engage = new EngageCore({ ...page.platform, send }, coreModules);
      const [problems, views]: [Problem[], InboxView[]] = [[], []];
      engage.on('error', (problem) => problems.push(problem));
      await engage.init({ appId, baseUrl: server.url });
      engage.inbox.on('change', (view) => views.push(view));
      await device.idle();
      return { page, engage, problems, views };
    },
    async keep(title) {
      const { id: messageId } = await client.must(`POST ${base}/messages`, { title, body: 'x' });
      const { id } = await client.must(`POST ${base}/in-app-messages`, {
        messageId,
        show: 'inbox',
      });
      return id;
    },
    counts: async (id) => (await client.must(`GET ${base}/in-app-messages/${id}`)).counts,
    remove: (id) => client.must(`DELETE ${base}/in-app-messages/${id}`),
  };
}

const titles = ({ items }: Pick<InboxView, 'items'>) =>
  items.map(({ title, read }) => `${title}${read ? ' read' : ''}`);

/** The newest view once it is as expected. */
async function sees(t: Test, { device }: Shop, { views }: Tab, unread: number, of: string[]) {
  await eventually(
    async () => {
      device.pass(1);
      await device.idle();
      const view = views.at(-1);
      const is = JSON.stringify([view?.unread, view && titles(view)]);
      return is === JSON.stringify([unread, of]) ? view : undefined;
    },
    `${unread} unread of ${of}, but ${JSON.stringify(views.at(-1))}`,
    20_000,
  ).catch((error: Error) => t.fail(error.message));
}

t.test('a mark shows before the server answers, and in another tab', async (t) => {
  const shop = await openShop(t);
  const [first, second, third] = [
    await shop.keep('first'),
    await shop.keep('second'),
    await shop.keep('third'),
  ];
  const [one, other] = [await shop.open(), await shop.open()];
  await sees(t, shop, one, 3, ['third', 'second', 'first']);
  await sees(t, shop, other, 3, ['third', 'second', 'first']);
  const marking = one.engage.inbox.markRead(first);
  await sees(t, shop, one, 2, ['third', 'second', 'first read']);
  await done(shop, marking);
  await done(shop, one.engage.inbox.archive(second));
  for (const tab of [one, other]) await sees(t, shop, tab, 1, ['third', 'first read']);
  t.match(await shop.counts(first), { read: 1, archived: 0 });
  t.match(await shop.counts(second), { read: 0, archived: 1 });
  t.equal(await done(shop, other.engage.inbox.unread()), 1);
  const archive = await done(shop, one.engage.inbox.list({ archived: true }));
  t.strictSame(titles(archive), ['second']);
  await done(shop, other.engage.inbox.markAllRead());
  for (const tab of [one, other]) await sees(t, shop, tab, 0, ['third read', 'first read']);
  t.match(await shop.counts(third), { read: 1 });
  shop.device.calls.length = 0;
  await done(shop, other.engage.inbox.markAllRead());
  t.strictSame(shop.device.calls, [], 'nothing is left to read');
  t.strictSame([...one.problems, ...other.problems], []);
});

t.test('what the server refuses is taken back, and said', async (t) => {
  const shop = await openShop(t);
  const id = await shop.keep('only');
  let isRefused = true;
  const tab = await shop.open((send) => async (request) => {
    if (!request.url.endsWith('/v1/sdk/inbox') || !isRefused) return send(request);
    const text = JSON.stringify({ error: 'read: no', code: 'invalid', field: 'read' });
    return { status: 400, text, header: () => null };
  });
  await sees(t, shop, tab, 1, ['only']);
  await t.rejects(done(shop, tab.engage.inbox.archive(id)), { code: 'invalid', field: 'read' });
  t.strictSame(
    tab.views.map(({ items }) => items.length),
    [1, 0, 1],
    'gone, and back',
  );
  t.match(tab.problems, [{ code: 'invalid' }]);
  isRefused = false;
  await done(shop, tab.engage.inbox.archive(id));
  await sees(t, shop, tab, 0, []);
});

t.test('a mark without a network waits, outlives its page, and is there once', async (t) => {
  const shop = await openShop(t);
  const [read, archived] = [await shop.keep('read'), await shop.keep('archived')];
  const tab = await shop.open();
  await sees(t, shop, tab, 2, ['archived', 'read']);
  shop.device.network = 'down';
  await done(shop, tab.engage.inbox.markRead(read));
  await done(shop, tab.engage.inbox.archive(archived));
  await sees(t, shop, tab, 0, ['read read']);
  t.equal(shop.device.waiting, 2);
  tab.page.crash();
  shop.device.network = 'busy';
  const next = await shop.open();
  shop.device.network = 'up';
  // The server has heard of nothing, and the page shows it as it was marked.
  await done(shop, next.engage.inbox.refresh());
  await sees(t, shop, next, 0, ['read read']);
  next.page.comeOnline();
  shop.device.pass(310_000);
  await done(shop, next.engage.flush());
  await sees(t, shop, next, 0, ['read read']);
  t.equal(shop.device.waiting, 0);
  t.match(await shop.counts(read), { read: 1, archived: 0 });
  t.match(await shop.counts(archived), { read: 0, archived: 1 });
  // Nothing of this device covers what the server says.
  const last = await shop.open();
  await sees(t, shop, last, 0, ['read read']);
});

t.test('a lost answer counts once', async (t) => {
  const shop = await openShop(t);
  const id = await shop.keep('only');
  const tab = await shop.open();
  await sees(t, shop, tab, 1, ['only']);
  shop.device.network = 'loses answers';
  await done(shop, tab.engage.inbox.markRead(id));
  shop.device.network = 'up';
  tab.page.comeOnline();
  shop.device.pass(310_000);
  await done(shop, tab.engage.flush());
  await sees(t, shop, tab, 0, ['only read']);
  t.match(await shop.counts(id), { read: 1 });
});

t.test('the view is fresh each minute, when the page is shown, and after a push', async (t) => {
  const shop = await openShop(t);
  const tab = await shop.open();
  await shop.keep('first');
  shop.device.pass(60_000);
  await sees(t, shop, tab, 1, ['first']);
  await shop.keep('second');
  tab.page.show();
  await sees(t, shop, tab, 2, ['second', 'first']);
  const third = await shop.keep('third');
  tab.page.hear({ push: 'received', message: {} });
  await sees(t, shop, tab, 3, ['third', 'second', 'first']);
  tab.page.hide();
  await shop.device.idle();
  shop.device.calls.length = 0;
  shop.device.pass(60_000);
  await shop.device.idle();
  t.notOk(shop.device.calls.includes('GET /v1/sdk/feed'), 'not while it is hidden');
  await shop.remove(third);
  tab.page.show();
  await sees(t, shop, tab, 2, ['second', 'first']);
});

t.test('somebody else does not see the inbox of before, and a login takes it along', async (t) => {
  const shop = await openShop(t);
  const id = await shop.keep('only');
  const tab = await shop.open();
  await sees(t, shop, tab, 1, ['only']);
  await done(shop, tab.engage.inbox.markRead(id));
  await done(shop, tab.engage.login('ada'));
  await sees(t, shop, tab, 0, ['only read']);
  await done(shop, tab.engage.logout());
  await done(shop, tab.engage.user());
  await sees(t, shop, tab, 1, ['only']);
  await done(shop, tab.engage.login('ben'));
  await sees(t, shop, tab, 1, ['only']);
});
