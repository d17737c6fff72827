// Which channels can send under the operator's settings.

import t from 'tap';
import { channelIds } from '../../../actors/channels/channel-ids.ts';
import { availableChannels } from '../../../actors/channels/provider-config.ts';

t.test('without a mail relay email is not available, and nothing else changes', async (t) => {
  const others = channelIds.filter((channel) => channel !== 'email');
  t.same(availableChannels({}), others);
  t.same(availableChannels({ smtp: { url: 'smtp://relay.test' } }), channelIds);
});
