// Using up the new people of an app, so that nobody else can log in for the first time.

import t from 'tap';
import { limits } from '../../actors/limits.ts';
import { checkRefusal } from '../contract/chapter.ts';
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
