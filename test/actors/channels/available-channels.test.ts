// Which channels can send under the operator's settings.

import t from 'tap';
import { availableChannels } from '../../../actors/channels/catalog.ts';
import { channelIds } from '../../../actors/channels/channel-ids.ts';

t.test('without a mail relay email is not available, and nothing else changes', async (t) => {
  const others = channelIds.filter((channel) => channel !== 'email');
  t.same(availableChannels(false), others);
  t.same(availableChannels(true), channelIds);
});
