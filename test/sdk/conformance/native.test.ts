// The SDKs of React Native and Capacitor, with the native part stood in: every conformance script,
// with made-up answers and with a real server. They were never run on a device.

import t from 'tap';
import { makeOrg, sharedServer } from '../../support/server.ts';
import { capacitor, reactNative } from './support/native-sdks.ts';
import { appOf } from './support/real-server.ts';
import { madeUpServer, runScript } from './support/run-script.ts';
import { allScripts } from './support/script.ts';

for (const sdk of [reactNative, capacitor]) {
  const fit = allScripts().filter(([, { needs = [] }]) => needs.every((need) => sdk.can.has(need)));
  for (const [name, script] of fit)
    t.test(`${sdk.name}, ${name}: ${script.title}`, async () =>
      runScript(script, sdk, madeUpServer),
    );
  t.test(`${sdk.name}: a real server answers as the scripts say`, async (test) => {
    const server = await sharedServer(test, { ENGAGE_PER_IP_PER_MINUTE: '0' });
    const org = await makeOrg(server, sdk.name);
    for (const [name, script] of fit)
      await test.test(`${name}: ${script.title}`, async () =>
        runScript(script, sdk, await appOf(server, org.client, script)),
      );
  });
}
