// The loop that tells the server what happened, one situation a test: what a device without a
// browser stores and sends, against a real server or one that answers as told.

import t from 'tap';
import { StandInDevice } from './support/stand-in-device.ts';
import { done, openApp, openTab, type Problem } from './support/tabs.ts';

t.test('a login that a logout follows at once still takes what was done before', async (t) => {
  const { options, heard } = await openApp(t);
  const device = new StandInDevice(() => 0.5);
  const { engage } = openTab(device, options);
  await engage.track('looked');
  await engage.flush();
  device.network = 'down';
  engage.login('ada').catch(() => undefined);
  await engage.logout();
  device.network = 'up';
  device.pass(310_000);
  await engage.flush();
  t.match(await heard('looked'), [{ externalUserId: 'ada' }]);
});

t.test('a tab that heard nothing of another one still says who is logged in', async (t) => {
  const { options } = await openApp(t);
  const device = new StandInDevice(() => 0.5);
  const [one, other] = [openTab(device, options), openTab(device, options)];
  await done(device, other.engage.user());
  device.isDeaf = true;
  await done(device, one.engage.login('ada'));
  t.match(await other.engage.user(), { externalUserId: 'ada' });
});

t.test('nothing is sent before the time that the server asked to wait for', async (t) => {
  const { options } = await openApp(t);
  const device = new StandInDevice(() => 0.5);
  const { engage, problems } = openTab(device, options);
  await engage.track('looked');
  await engage.flush();
  device.network = 'busy';
  device.retryAfter = '60';
  await engage.track('bought');
  await engage.flush();
  device.calls.length = 0;
  for (let second = 0; second < 30; second++) {
    device.pass(1_000);
    await engage.track('looked');
    await device.idle();
  }
  t.strictSame(device.calls, [], 'for half of the time');
  t.equal(problems.length, 1, 'said once');
  device.network = 'up';
  device.pass(31_000);
  await device.idle();
  t.not(device.calls.length, 0, 'and then it is');
});

t.test('what a page asks for after it took consent back leaves nothing', async (t) => {
  const { options } = await openApp(t);
  const device = new StandInDevice(() => 0.5);
  const { engage } = openTab(device, options);
  await engage.track('looked');
  const refused = engage.track('late').catch(({ code }: Problem) => code);
  const forgotten = engage.setConsent(false);
  await Promise.all([refused, forgotten]);
  await device.idle();
  t.equal(device.waiting, 0);
  t.ok(device.isEmpty);
});
