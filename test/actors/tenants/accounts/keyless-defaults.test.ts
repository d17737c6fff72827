// What an app that was just made counts of callers without a key, live and in the sandbox.
import t from 'tap';
import { defaultKeylessEvents } from '../../../../actors/tenants/accounts/records.ts';
import { partitionWithApp, testClock } from '../../../support/partition.ts';

async function keylessEventsOf(credentialsRequired: boolean, patch?: object) {
  const { one, app } = await partitionWithApp({ clock: testClock(), credentialsRequired });
  if (patch !== undefined) await one.value(app, 'settings.patch', { patch });
  const settings = await one.value(app, 'settings.read', {});
  return settings.keylessEvents ?? defaultKeylessEvents;
}

t.test('a live app counts no opens without proof, until its owner wants them', async (t) => {
  t.match(await keylessEventsOf(true), { startJourneys: true, countEngagement: false });
  const other = await keylessEventsOf(true, { keylessEvents: { startJourneys: false } });
  t.match(other, { startJourneys: false, countEngagement: false }, 'a change of another keeps it');
  const wanted = await keylessEventsOf(true, { keylessEvents: { countEngagement: true } });
  t.match(wanted, { countEngagement: true });
});

t.test('an app of the sandbox counts them, so that a first try shows something', async (t) => {
  t.match(await keylessEventsOf(false), { countEngagement: true });
});
