// The loop that tells the server what happened, one situation a test: what a device without a
// browser stores and sends, against a real server or one that answers as told.

import t, { type Test } from 'tap';
import { EngageCore } from '../../../sdk/web/src/core.ts';
import { coreModules } from '../../../sdk/web/src/core-modules.ts';
import { makeOrg, sharedServer } from '../../support/server.ts';
import { StandInDevice, type StandInPage } from './support/stand-in-device.ts';

interface Problem {
  readonly code: string;
  readonly message: string;
}

interface Tab {
  readonly page: StandInPage;
  readonly engage: EngageCore;
  readonly problems: Problem[];
}

function openTab(device: StandInDevice, options: { appId: string; baseUrl: string }): Tab {
  const page = device.open();
  const engage = new EngageCore(page.platform, coreModules);
  const problems: Problem[] = [];
  engage.on('error', (problem) => problems.push(problem));
  void engage.init(options);
  return { page, engage, problems };
}

/** Lets time pass until it is done. */
async function done<Value>(device: StandInDevice, work: Promise<Value>): Promise<Value> {
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

async function openApp(t: Test) {
  const server = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  const { client } = await makeOrg(server, 'loop');
  const { id: appId } = await client.must('POST /v1/apps', { name: 'shop', timezone: 'UTC' });
  await client.must(`PATCH /v1/apps/${appId}/settings`, { identityVerification: 'open' });
  const heard = async (name: string) => {
    const { items } = await client.must(`GET /v1/apps/${appId}/events?name=${name}`);
    return items as readonly { readonly id: string; readonly externalUserId: string | null }[];
  };
  return { options: { appId, baseUrl: server.url }, heard };
}

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
