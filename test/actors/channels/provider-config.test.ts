// What the operator's configuration says about which channels can send at all.

import t from 'tap';
import { builtChannels } from '../../../actors/channels/built.ts';
import { availableChannels } from '../../../actors/channels/provider-config.ts';

t.test('without a mail relay email is not available, and nothing else changes', async (t) => {
  t.ok(builtChannels.includes('email'));
  t.same(
    availableChannels({}),
    builtChannels.filter((channel) => channel !== 'email'),
  );
  t.same(availableChannels({ smtp: { url: 'smtp://relay.test' } }), builtChannels);
});
