import t from 'tap';
import { partitionWithApp, testClock } from '../../../support/partition.ts';

const sms = { channel: 'sms' as const, endpoint: '+14155550123' };

async function registering(options: {
  readonly credentialsRequired: boolean;
  readonly registerPaidChannels?: boolean;
}) {
  const { credentialsRequired, registerPaidChannels } = options;
  const { one, app } = await partitionWithApp({ clock: testClock(), credentialsRequired });
  if (registerPaidChannels !== undefined)
    await one.value(app, 'settings.patch', {
      patch: { keylessEvents: { registerPaidChannels } },
    });
  const login = { tokenKey: new Uint8Array(32).fill(3) };
  const { clientToken } = await one.value(app, 'sdk.login', { login });
  const answer = await one.ask(app, 'sdk.register', { clientToken, device: sms });
  return answer.ok ? 'registered' : answer.fault.field;
}

t.test('in live mode a channel that bills per message needs proof, unless set', async (t) => {
  t.equal(await registering({ credentialsRequired: false }), 'registered', 'the sandbox');
  t.equal(await registering({ credentialsRequired: true }), 'channel');
  const live = { credentialsRequired: true };
  t.equal(await registering({ ...live, registerPaidChannels: true }), 'registered');
  const sandbox = { credentialsRequired: false };
  t.equal(await registering({ ...sandbox, registerPaidChannels: false }), 'channel');
});
