// Using up the new people of an app, so that nobody else can log in for the first time.

import { createHmac } from 'node:crypto';
import t, { type Test } from 'tap';
import { request } from 'undici';
import { limits } from '../../actors/limits.ts';
import { readConfig } from '../../http/process/config.ts';
import { checkRefusal } from '../contract/chapter.ts';
import { afterKill } from '../support/after-kill.ts';
import { until } from '../support/server.ts';
import { eventsOf, stranger, type Victim, victim } from './stranger.ts';

const all = await victim(t);
const { api } = all;

async function newVictim(settings: object): Promise<Pick<Victim, 'app' | 'server'>> {
  const { id: app } = await api.must('POST /v1/apps', { name: 'Crowded' });
  await api.must(`PATCH /v1/apps/${app}/settings`, settings);
  return { app, server: all.server };
}
const login = ({ app }: Pick<Victim, 'app'>, address: number) =>
  stranger(all, address).call('POST /v1/sdk/subscriber', { appId: app });
/** New people by events, as many as one address may make. */
async function flood(one: Pick<Victim, 'app'>, address: number): Promise<number> {
  const prefix = `flood-${address}`;
  const events = Array.from({ length: 60 }, (_, i) => ({ externalUserId: `${prefix}-${i}` }));
  return (await stranger(all, address).must('POST /e', eventsOf(one, events))).accepted;
}
/** A limit counts by minutes of the clock; the attempt must not straddle two. */
async function withinMinute(seconds: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < seconds * 1000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}

t.test('ten noisy addresses do not keep real people out', async (t) => {
  await withinMinute(20);
  const one = await newVictim({});
  t.equal(await flood(one, 1), limits.keylessPeoplePerAddress, 'an office has room on a quiet app');
  let made = 60;
  for (let address = 2; address <= 12; address++) made += await flood(one, address);
  t.ok(made < (limits.keylessPeoplePerMinute * 2) / 3, `${made} people of noisy addresses`);
  for (let address = 100; address < 200; address++)
    t.equal((await login(one, address)).status, 200, 'somebody at home');
  t.equal((await login(one, 12)).status, 429, 'the noisy one waits');
});

t.test('the tenant sets how many people strangers may make', async (t) => {
  await withinMinute(10);
  const one = await newVictim({ keylessPeoplePerMinute: 8 });
  for (let address = 300; address < 308; address++)
    t.equal((await login(one, address)).status, 200);
  const over = await login(one, 308);
  checkRefusal(t, over, { status: 429, error: /at most 8 new people per minute/ }, 'over');
  const path = `/v1/apps/${one.app}/settings`;
  t.equal((await api.must(`GET ${path}`)).keylessPeoplePerMinute, 8);
  const wrong = await api.call(`PATCH ${path}`, { keylessPeoplePerMinute: 0 });
  checkRefusal(t, wrong, { status: 400, field: 'keylessPeoplePerMinute' }, 'none');
  await api.must(`PATCH ${path}`, { keylessPeoplePerMinute: null });
  t.equal((await login(one, 308)).status, 200, 'the default again');
});

t.test('the operator is told of an app that strangers fill with people', async (t) => {
  const alarm = async () => {
    const { body } = await request(`${all.server.metricsUrl}/metrics`);
    return Number(/^engage_unvouched_alarm_apps (\d+)$/m.exec(await body.text())?.[1]);
  };
  const one = await newVictim({ keylessPeoplePerMinute: 100_000 });
  for (let address = 500; address < 517; address++) t.equal(await flood(one, address), 60);
  await until(
    async () => (await alarm()) === 1,
    () => 'no alarm within seconds',
  );
  const wrong = { ENGAGE_UNVOUCHED_ALARM_PERCENT: '0' };
  t.throws(
    () => readConfig(wrong),
    /ENGAGE_UNVOUCHED_ALARM_PERCENT is "0": expected 1 to 100, or none/,
  );
});

t.test('usage says how many people nobody vouched for', async (t) => {
  const one = await newVictim({});
  const path = `/v1/apps/${one.app}`;
  const unvouched = async (t: Test) => {
    const { byApp } = await api.must('GET /v1/org/usage');
    const { mau, ...row } = byApp.find(({ appId }: { appId: string }) => appId === one.app);
    t.equal(mau, 10, 'they count, as the specification says');
    return row.unvouched;
  };
  const named = (i: number) => ({ externalUserId: `invented-${i}` });
  const events = Array.from({ length: 10 }, (_, i) => named(i));
  await stranger(all, 400).must('POST /e', eventsOf(one, events));
  t.equal(await unvouched(t), 10);
  await stranger(all, 400).must('POST /v1/sdk/subscriber', {
    appId: one.app,
    ...named(0),
    language: 'th',
  });
  t.equal(await unvouched(t), 10, 'a login without proof says nothing');

  await api.must('POST /e', eventsOf(one, [named(0)]));
  t.equal(await unvouched(t), 9, 'an event with a key');
  await api.must(`POST ${path}/subscribers`, { ...named(1), tags: { plan: 'pro' } });
  t.equal(await unvouched(t), 8, 'a change with a key');
  const device = { channel: 'email', endpoint: 'invented@example.com' };
  await api.must(`POST ${path}/subscribers/external:invented-2/devices`, device);
  t.equal(await unvouched(t), 7, 'a device added with a key');
  const { secret } = await api.must(`POST ${path}/identity-secret`);
  const identityHash = createHmac('sha256', secret).update('invented-3').digest('hex');
  const proof = { appId: one.app, ...named(3), identityHash };
  await stranger(all, 401).must('POST /v1/sdk/subscriber', proof);
  t.equal(await unvouched(t), 6, 'an identity hash');

  const { body } = await request(`${all.server.metricsUrl}/metrics`);
  const made = /^engage_keyless_people_total (\d+)$/m.exec(await body.text())?.[1];
  t.ok(Number(made) >= 10, `the operator sees ${made} people made without a key`);

  afterKill(all.server, 'the number of unvouched people is the same', async (t) =>
    t.equal(await unvouched(t), 6),
  );
});
