// The accounts of relays in a dispatch thread: one that could not be opened is tried again, and
// keeps nobody from closing.

import t from 'tap';
import type { AdapterContext } from '../../../../actors/channels/port/adapter.ts';
import type { OpenRelay } from '../../../../actors/channels/port/open-relay.ts';
import { RelayAccounts } from '../../../../actors/channels/relays/relay-accounts.ts';
import { testClock } from '../../../support/partition.ts';

t.test('what could not be opened is not kept', async (t) => {
  const accounts = new RelayAccounts({ clock: testClock() } as unknown as AdapterContext);
  const relay = { id: 'rel_1', kind: 'fax', config: {}, fingerprint: 'f' } as unknown as OpenRelay;
  await t.rejects(accounts.of(relay), {
    name: 'AdaptersUnavailable',
    message: /of the kind fax/,
  });
  await t.resolves(accounts.close());
  const first = accounts.of(relay);
  await t.rejects(first);
  const second = accounts.of(relay);
  t.not(second, first, 'it is tried again');
  await t.rejects(second);
});

t.test('an account that nobody uses is closed, though no other one opens', async (t) => {
  const clock = testClock();
  const timers: { readonly atMs: number; readonly task: () => void }[] = [];
  const after = (ms: number, task: () => void) =>
    void timers.push({ atMs: clock.nowMs + ms, task });
  const pass = (ms: number) => {
    clock.nowMs += ms;
    for (const { task } of timers.splice(
      0,
      timers.filter(({ atMs }) => atMs <= clock.nowMs).length,
    ))
      task();
  };
  const config = { publicUrl: 'http://engage.test' };
  const context = { clock, config, outbound: { allowPrivateNetworks: false } };
  const accounts = new RelayAccounts(context as unknown as AdapterContext, after);
  const relay = (id: string, fingerprint = 'f') =>
    ({
      id,
      kind: 'smtp',
      config: { host: 'mail.example.com' },
      fingerprint,
    }) as unknown as OpenRelay;
  await accounts.of(relay('rel_1'));
  await accounts.of(relay('rel_2'));
  for (let minute = 0; minute < 20; minute++) {
    pass(60_000);
    await accounts.of(relay('rel_2'));
    await accounts.of(relay('rel_2', 'changed'));
  }
  t.equal(accounts.size, 1, 'the one that is used stays');
  t.equal(timers.length, 1, 'one timer for all');
  pass(600_000);
  pass(600_000);
  t.equal(accounts.size, 0);
  t.equal(timers.length, 0, 'no timer is left');
});
