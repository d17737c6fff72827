// The calls that are the same on every platform: what each does at the server, before `init` has
// ended and before consent, and what it says when it cannot.

import t from 'tap';
import { StandInDevice } from './support/stand-in-device.ts';
import { done, openApp, openTab, type Problem } from './support/tabs.ts';

const codeOf = ({ code, field }: Problem & { field?: string }) => ({ code, field });

t.test('preferences are read and set, before init has ended too', async (t) => {
  const { options, call } = await openApp(t);
  await call('POST /topics', { key: 'news', name: 'News', default: 'in', doubleOptIn: false });
  const device = new StandInDevice(() => 0.5);
  const { engage, problems } = openTab(device);
  const early = engage.preferences.set({ topics: { news: 'out' }, channels: ['email'] });
  void engage.init(options);
  t.match(await done(device, early), { topics: { news: 'out' }, channels: ['email'] });
  await done(device, engage.preferences.set({ language: 'de', timezone: 'Europe/Berlin' }));
  t.match(await done(device, engage.preferences.get()), {
    channels: ['email'],
    topics: { news: 'out' },
    language: 'de',
    timezone: 'Europe/Berlin',
    suppressed: [],
  });
  await done(device, engage.preferences.set({ channels: null, topics: { news: null } }));
  t.match(await done(device, engage.preferences.get()), { channels: null, topics: { news: 'in' } });
  const wrong = engage.preferences.set({ timezone: 'Mars/Olympus' }).catch(codeOf);
  t.match(await done(device, wrong), { field: 'timezone' });
  device.network = 'down';
  t.match(await done(device, engage.preferences.get().catch(codeOf)), { code: 'unreachable' });
  t.strictSame(problems, [], 'who called has the error');
});

t.test('an address is added, asked for a confirmation, and removed', async (t) => {
  const { options, call } = await openApp(t);
  await call('POST /topics', { key: 'news', name: 'News', default: 'out', doubleOptIn: true });
  const device = new StandInDevice(() => 0.5);
  const { engage } = openTab(device, options);
  await done(device, engage.login('ada'));
  const devices = async () => (await call('GET /subscribers?externalUserId=ada')).items[0].devices;
  t.same(await done(device, engage.addEmail('Ada@Example.com')), { confirmation: 'asked' });
  t.match(await devices(), [{ channel: 'email', enabled: false }]);
  await done(device, engage.removeAddress('email', 'ada@example.com'));
  t.same(await devices(), []);
  await call('PATCH /settings', { doubleOptIn: false });
  t.same(await done(device, engage.addEmail('ada@example.com')), { confirmation: 'none' });
  t.match(await devices(), [{ channel: 'email', enabled: true }]);
  const topics = { topics: ['news'], language: 'de' };
  t.same(await done(device, engage.addEmail('ada@example.com', topics)), { confirmation: 'asked' });
  t.same(await done(device, engage.addPhone('+14155550123')), { confirmation: 'none' });
  t.match((await devices()).slice(1), [{ channel: 'sms', endpoint: '+14155550123' }]);
  await done(device, engage.removeAddress('sms', '+1 (415) 555-0123'));
  t.equal((await devices()).length, 1);
  t.match(await done(device, engage.addEmail('nobody').catch(codeOf)), { field: 'endpoint' });
  t.match(await done(device, engage.addPhone('12').catch(codeOf)), { field: 'endpoint' });
});

t.test('before consent nothing is stored or sent, whatever is called', async (t) => {
  const { options } = await openApp(t);
  const device = new StandInDevice(() => 0.5);
  const { engage } = openTab(device, { ...options, consent: 'pending' });
  const waiting = [
    engage.login('ada'),
    engage.setTags({ plan: 'pro' }),
    engage.preferences.get(),
    engage.addEmail('ada@example.com'),
    engage.inbox.unread(),
    engage.user(),
    engage.flush(),
  ];
  t.equal(await engage.track('looked').catch(({ code }: Problem) => code), 'no_consent');
  t.equal(engage.flags.get('any', true), true);
  device.pass(60_000);
  await device.idle();
  t.ok(device.isEmpty);
  t.strictSame(device.calls, []);
  void engage.setConsent(true);
  await done(device, Promise.all(waiting));
  t.match(await engage.user(), { externalUserId: 'ada' });
});

t.test('reset forgets everything, and init begins anew', async (t) => {
  const { options } = await openApp(t);
  const device = new StandInDevice(() => 0.5);
  const { engage } = openTab(device, options);
  const before = await done(device, engage.login('ada'));
  await engage.track('looked');
  await engage.reset();
  t.ok(device.isEmpty);
  const unlike = engage.init({ ...options, appId: 'app_other' }).catch(() => undefined);
  await done(device, unlike);
  await engage.reset();
  await done(device, engage.init(options));
  const after = await done(device, engage.user());
  t.equal(after.externalUserId, null);
  t.not(after.subscriberId, before.subscriberId);
});

t.test('what a platform lacks, and what is called wrongly, says so', async (t) => {
  const { engage } = openTab(new StandInDevice(() => 0.5));
  const refused = async (call: Promise<unknown>) => call.then(() => 'done', codeOf);
  for (const name of ['register', 'rotate'] as const)
    t.match(await refused(engage.liveActivity[name]()), { code: 'unsupported' });
  const bad = <Wrong>(value: Wrong) => value as never;
  for (const [call, field] of [
    [engage.init(bad(undefined)), 'appId'],
    [engage.init({ appId: 'app_1', baseUrl: 'engage.example.com' }), 'baseUrl'],
    [engage.init({ appId: 'app_1', baseUrl: bad(7) }), 'baseUrl'],
    [engage.login(''), 'externalUserId'],
    [engage.track(''), 'name'],
    [engage.track('x'.repeat(129)), 'name'],
    [engage.track('looked', bad([1])), 'props'],
    [engage.track('looked', bad('text')), 'props'],
    [engage.track('looked', { long: 'x'.repeat(8_192) }), 'props'],
    [engage.track('looked', { big: 1n }), 'props'],
    [engage.setTags(bad(null)), 'tags'],
    [engage.setTags(bad(['vip'])), 'tags'],
  ] as const)
    t.match(await refused(call), { code: 'invalid', field });
});

t.test('debug prints each call, and a listener that throws harms nobody', async (t) => {
  const { options } = await openApp(t);
  const device = new StandInDevice(() => 0.5);
  const { engage, problems } = openTab(device);
  const [printed, complained] = [t.capture(console, 'debug'), t.capture(console, 'error')];
  engage.on('error', () => {
    throw new Error('of the page');
  });
  const heard: Problem[] = [];
  const stop = engage.on('error', (problem) => heard.push(problem));
  engage.debug(true);
  device.network = 'down';
  await done(device, engage.init(options));
  t.match(String(printed()[0]?.args[0]), /^engage: GET .*\/v1\/sdk\/app\/app_\w+ → 0$/);
  t.match(heard, [{ code: 'unreachable', message: /Failed to fetch/ }]);
  t.equal(problems.length, 1);
  t.equal(complained().length, 1);
  stop();
  engage.debug(false);
  device.network = 'up';
  device.pass(310_000);
  await device.idle();
  t.equal(printed().length, 0);
});
