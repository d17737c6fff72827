// What the operator's configuration says about which channels can send at all.

import t from 'tap';
import { availableChannels } from '../../../actors/channels/provider-config.ts';

t.test('without a mail relay email is not available, and nothing else changes', async (t) => {
  t.same(availableChannels({}), ['fcm', 'apns', 'webpush']);
  t.same(availableChannels({ smtp: { url: 'smtp://relay.test' } }), [
    'fcm',
    'apns',
    'webpush',
    'email',
  ]);
});
