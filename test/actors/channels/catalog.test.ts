// The catalog of channels against the specification, and the registry and credentials against the
// catalog.

import t from 'tap';
import { z } from 'zod';
import {
  catalog,
  channelsOf,
  credentialNames,
  identityClasses,
} from '../../../actors/channels/catalog.ts';
import { channelIds, isChannelId } from '../../../actors/channels/channel-ids.ts';
import { createOutbound } from '../../../actors/channels/outbound/outbound.ts';
import { createAdapters } from '../../../actors/channels/registry.ts';

t.test('the channels are the thirteen of the specification, in its order', async (t) => {
  t.equal(
    channelIds.join(' '),
    'fcm apns webpush email sms voice whatsapp telegram rcs line zalo viber kakao',
  );
  t.same(Object.keys(catalog).sort(), [...channelIds].sort());
  t.ok(isChannelId('sms'));
  t.notOk(isChannelId('fax'));
  t.notOk(isChannelId('toString'));
});

t.test('addresses opt out in six classes, and push endpoints in none', async (t) => {
  const classes = Object.fromEntries(identityClasses.map((id) => [id, channelsOf(id).join(' ')]));
  t.same(classes, {
    phone: 'sms voice whatsapp rcs kakao',
    email: 'email',
    telegram: 'telegram',
    line: 'line',
    zalo: 'zalo',
    viber: 'viber',
  });
});

t.test(
  'every channel but email sends with a credential, sms and voice with the same one',
  async (t) => {
    const used = channelIds.flatMap((id) => catalog[id].credential ?? []);
    t.same([...new Set(used)].sort(), [...credentialNames].sort());
    t.equal(catalog.sms.credential, 'carrier');
    t.equal(catalog.voice.credential, 'carrier');
    t.equal(catalog.email.credential, undefined);
  },
);

t.test(
  'marketing is resent after an unknown outcome only where two copies fold into one',
  async (t) => {
    const resent = channelIds.filter((id) => catalog[id].onAmbiguous.bulk === 'resend');
    t.same(resent, ['fcm', 'apns', 'webpush', 'email', 'rcs', 'line']);
    const waits = channelIds.filter((id) => catalog[id].onAmbiguous.express === 'wait_then_resend');
    t.same(waits, ['sms', 'voice', 'whatsapp', 'telegram', 'zalo', 'viber', 'kakao']);
  },
);

t.test('every endpoint has a schema that documents can show', async (t) => {
  for (const id of channelIds) {
    const schema = z.toJSONSchema(catalog[id].endpoint);
    t.equal(schema.type, id === 'webpush' ? 'object' : 'string', id);
  }
});

t.test('the registry makes an adapter for every channel it lists', async (t) => {
  const outbound = createOutbound({ allowPrivateNetworks: false });
  const made = await createAdapters(
    { mode: 'live', urls: {}, vapidSubject: 'mailto:a@example.com', publicUrl: 'http://127.0.0.1' },
    outbound,
  );
  t.same([...made.keys()], [...channelIds]);
  await Promise.all([...made.values()].map((adapter) => adapter.close()));
  await outbound.close();
});
