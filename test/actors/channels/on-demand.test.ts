// Adapters load on demand: once, and again after a failed load.

import t from 'tap';
import { adaptersOnDemand } from '../../../actors/channels/on-demand.ts';
import type { Adapter } from '../../../actors/channels/port/adapter.ts';
import { AdaptersUnavailable } from '../../../actors/channels/port/adapters-unavailable.ts';
import type { Attempt } from '../../../actors/channels/port/attempt.ts';

const attempt = {} as Attempt;
const works: Adapter = {
  send: async () => ({ outcome: 'accepted' }),
  close: async () => {},
};

t.test('all channels are loaded together, once, with the first attempt', async (t) => {
  let loads = 0;
  const { adapters, close } = adaptersOnDemand(async () => {
    loads++;
    return { adapters: new Map([['email', works]]), close: async () => {} };
  });
  t.equal(loads, 0);
  const email = adapters.get('email');
  await Promise.all([email?.send(attempt, undefined), email?.send(attempt, undefined)]);
  t.match(await adapters.get('fcm')?.send(attempt, undefined), { reason: 'not_configured' });
  t.equal(loads, 1);
  await close();
});

t.test('a load that fails is the operator’s fault, and is tried again', async (t) => {
  let loads = 0;
  let closed = 0;
  const { adapters, close } = adaptersOnDemand(async () => {
    if (++loads < 3) throw new Error('a DKIM key must be RSA or Ed25519');
    return {
      adapters: new Map([['email', works]]),
      close: async () => {
        closed++;
      },
    };
  });
  const email = adapters.get('email');
  const both = await Promise.allSettled([
    email?.send(attempt, undefined),
    email?.send(attempt, undefined),
  ]);
  for (const one of both) {
    t.ok(one.status === 'rejected' && one.reason instanceof AdaptersUnavailable);
    t.match(one, { reason: { message: /a DKIM key must be RSA/ } });
  }
  t.equal(loads, 1, 'attempts at the same time share a load');
  await close();
  t.equal(closed, 0, 'there is nothing to close, and no fault');
  await t.rejects(async () => email?.send(attempt, undefined), AdaptersUnavailable);
  t.match(await email?.send(attempt, undefined), { outcome: 'accepted' });
  await close();
  t.equal(closed, 1);
});
