// What a month used (specification, "Billing rules"; contract, section 11): who counts, in which
// month, what erasing and deleting leave, and that a killed server has lost none of it.

import t, { type Test } from 'tap';
import { utcMonthOf, utcMonthText } from '../../engine/time/utc-month.ts';
import { afterKill } from '../support/after-kill.ts';
import { client, eventually, makeOrg } from '../support/server.ts';
import { chapter, checkRefusal, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, org, server, refuses } = all;
const operator = client(server.url, server.bootstrapToken);

const usage = async (who = api) => who.must('GET /v1/org/usage');
const month = (back: number) => utcMonthText(utcMonthOf(Date.now()) - back);
const track = (...who: string[]) =>
  api.must('POST /e', {
    appId: app,
    events: who.map((externalUserId) => ({ name: 'visit', externalUserId })),
  });

/** Sends a mail and waits for its receipt. */
async function mail(externalUserId: string, endpoint: string): Promise<string> {
  await api.must(`POST ${base}/subscribers`, {
    externalUserId,
    devices: [{ channel: 'email', endpoint }],
  });
  const { id } = await api.must(`POST ${base}/notifications`, {
    externalUserId,
    title: 'Hello',
    body: 'There',
  });
  return eventually(async () => {
    const { status } = await api.must(`GET ${base}/notifications/${id}`);
    return status === 'pending' ? undefined : (status as string);
  }, 'the mail has no receipt');
}

t.test('a month without anything is all zeros, and names the apps that are there', async (t) => {
  const one = { appId: app, name: 'Contract', deleted: false, mau: 0, unvouched: 0, expired: 0 };
  const days = Array.from({ length: new Date().getUTCDate() }, () => 0);
  const fresh = {
    month: month(0),
    mau: 0,
    byApp: [{ ...one, mauByDay: days }],
    clients: [],
    emails: { delivered: 0, included: 20_000, overage: 0 },
  };
  t.same(await usage(), fresh);
  t.same(await api.must(`GET /v1/org/usage?month=${month(0)}`), fresh);
  t.same(await api.must('GET /v1/org/usage?month=1970-01'), {
    ...fresh,
    month: '1970-01',
    byApp: [{ ...one, mauByDay: null }],
  });
});

t.test('people count once, for events and for what was delivered to them', async (t) => {
  await track('ana', 'ana', 'ben');
  await track('ana');
  t.equal((await usage()).mau, 2);
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'idle', tags: { plan: 'pro' } });
  t.equal((await usage()).mau, 2, 'being there is no activity');
  t.equal(await mail('reached', 'reached@example.com'), 'delivered');
  t.equal(await mail('ana', 'ana@example.com'), 'delivered');
  t.equal(await mail('bounced', 'nouser@example.com'), 'bounced');
  const { id } = await api.must(`POST ${base}/notifications`, {
    externalUserId: 'idle',
    title: 'Hello',
    body: 'There',
  });
  t.equal((await api.must(`GET ${base}/notifications/${id}`)).status, 'suppressed');
  const used = await usage();
  t.match(used, { mau: 3, emails: { delivered: 2, overage: 0 } });
  t.equal(used.byApp[0].mauByDay.at(-1), 3, 'today so far');
});

t.test('an old event counts in the month that took it', async (t) => {
  const at = new Date(Date.now() - 80 * 86_400_000).toISOString();
  await api.must('POST /e', {
    appId: app,
    events: [{ name: 'visit', externalUserId: 'late', at }],
  });
  t.equal((await usage()).mau, 4);
  t.equal((await api.must(`GET /v1/org/usage?month=${at.slice(0, 7)}`)).mau, 0);
});

t.test('erasing a person, and deleting an app, take nothing back', async (t) => {
  await api.must(`DELETE ${base}/subscribers/external:ana`);
  t.equal((await usage()).mau, 4);
  const { id } = await api.must('POST /v1/apps', { name: 'Short-lived' });
  await api.must('POST /e', { appId: id, events: [{ name: 'visit', externalUserId: 'ana' }] });
  await api.must(`DELETE /v1/apps/${id}`);
  t.match(await usage(), {
    mau: 5,
    byApp: [
      { appId: app, deleted: false, mau: 4, unvouched: 0, expired: 0 },
      { appId: id, name: 'Short-lived', deleted: true, mau: 1 },
    ],
  });
});

t.test('a server that was killed counts on from where it was', async (t) => {
  let before = await usage();
  t.ok(before.mau > 0);
  const holds = async (t: Test) => {
    t.same(await usage(), before);
    await track('ben', 'new');
    t.equal((await usage()).mau, before.mau + 1, 'who counted before still does');
  };
  // Tests below send and change limits.
  const begin = async () => (before = await usage());
  afterKill(server, 'people are counted on', holds, begin);
});

t.test('emails beyond what is included are said, and agree with the limits', async (t) => {
  const allow = (emailAllowance: number | null) =>
    operator.must(`PATCH /v1/orgs/${org.id}`, { emailAllowance });
  await allow(1);
  t.same((await usage()).emails, { delivered: 2, included: 1, overage: 1 });
  const { emailAllowance } = await api.must('GET /v1/org/limits');
  t.same(emailAllowance, { included: 1, used: 2, reserved: 0 });
  await allow(null);
  t.same((await usage()).emails, { delivered: 2, included: null, overage: 0 });
});

t.test('a month that is none, or has not begun, is refused', async (t) => {
  for (const text of ['', 'now', '2026-13', '2026-1', '2026-01-01', month(-1), '9999-12'])
    await refuses(t, `GET /v1/org/usage?month=${text}`, undefined, {
      status: 400,
      code: 'invalid',
      field: 'month',
      error: /expected a month/,
    });
  await refuses(t, 'GET /v1/org/usage?mont=2026-01', undefined, { status: 400, error: /month/ });
});

t.test('usage is read with `read` and a key of the org, and of no other org', async (t) => {
  const key = async (body: object) =>
    withKey(all, (await api.must('POST /v1/keys', { name: 'k', ...body })).key);
  t.equal((await usage(await key({ scopes: ['read'] }))).mau, (await usage()).mau);
  const refused = { status: 403, code: 'forbidden' };
  const line = 'GET /v1/org/usage';
  const writer = await key({ scopes: ['write', 'send', 'admin'] });
  checkRefusal(t, await writer.call(line), refused, 'without read');
  const ofApp = await key({ scopes: ['read'], appId: app });
  const error = /^usage of the org is read with an org-scoped key/;
  checkRefusal(t, await ofApp.call(line), { ...refused, error }, 'of one app');
  const other = await makeOrg(server, 'Other');
  t.match(await usage(other.client), { mau: 0, byApp: [] });
});
