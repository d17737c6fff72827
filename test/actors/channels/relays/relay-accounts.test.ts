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
