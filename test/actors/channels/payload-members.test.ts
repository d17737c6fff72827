// What channels read of `payload` while they write a request, against the list that the edge warns
// by: a member that is read and not listed would be called unknown although it is sent.

import t from 'tap';
import { type ChannelId, channelIds } from '../../../actors/channels/channel-ids.ts';
import { droppedOn } from '../../../actors/channels/dropped.ts';
import type { RenderedContent } from '../../../actors/channels/port/attempt.ts';
import { payloadOf } from '../../../actors/channels/providers.ts';
import {
  payloadMembers,
  providerTemplateFault,
} from '../../../actors/content/accept/provider-template.ts';
import type { MemberTree } from '../../../actors/is-object.ts';
import { acceptedMs, anAttempt } from './stand-ins.ts';

const addresses: Partial<Record<ChannelId, unknown>> = {
  fcm: 'device-token-of-the-test',
  apns: 'ab'.repeat(32),
  webpush: { endpoint: 'https://push.example.com/1', keys: { p256dh: 'a', auth: 'b' } },
  email: 'ada@example.net',
  line: `U${'a'.repeat(32)}`,
  zalo: '1234567890',
  telegram: '12345',
  viber: 'abc==',
};

/** Objects that use every member there is. */
const full = {
  whatsapp: {
    templateName: 'order',
    languageCode: 'en',
    headerParams: [
      { type: 'document', link: 'https://a.example/b', filename: 'c' },
      { type: 'image' },
    ],
    bodyParams: ['x'],
    buttonParams: [{ type: 'url', text: 'x', index: 0 }],
  },
  kakao: { templateId: 'a', senderKey: 'b', variables: { name: 'x' } },
  voice: { language: 'de', voice: 'Polly.Joanna' },
  zalo: { templateId: 'transaction_order', params: { order: '1' } },
} as const;

/** Notes each name that is read of it, and of what is below as far as the tree goes. */
function watched(
  value: unknown,
  tree: MemberTree | null,
  path: string,
  read: Set<string>,
): unknown {
  if (typeof value !== 'object' || value === null || tree === null) return value;
  if (Array.isArray(value)) return value.map((one) => watched(one, tree, path, read));
  return new Proxy(value, {
    get(target, name) {
      const at = `${path}${String(name)}`;
      read.add(at);
      const inside = Object.hasOwn(tree, name) ? tree[String(name)] : undefined;
      return watched(Reflect.get(target, name), inside ?? null, `${at}.`, read);
    },
    ownKeys() {
      throw new Error(`${path}: reads all members, so no list can name them`);
    },
  });
}

function listed(tree: MemberTree, path = ''): string[] {
  return Object.entries(tree).flatMap(([name, inside]) => [
    `${path}${name}`,
    ...(inside === null ? [] : listed(inside, `${path}${name}.`)),
  ]);
}

t.test('channels read the listed members of payload, all of them and no other', async (t) => {
  const read = new Set<string>();
  const payload = watched(full, payloadMembers, '', read) as Record<string, unknown>;
  t.equal(providerTemplateFault(payload), undefined);
  for (const channel of channelIds)
    for (const lane of ['express', 'bulk'] as const) {
      const image = 'https://a.example/i.png';
      const content = { title: 't', body: 'b', image, options: {}, payload } as RenderedContent;
      const endpoint = addresses[channel] ?? '+14155550123';
      const attempt = anAttempt({ channel, lane, endpoint: endpoint as string, content });
      const made = payloadOf(attempt, acceptedMs);
      t.ok('payload' in made, `${channel}, ${lane}`);
      droppedOn(channel, content, { lane });
    }
  t.same([...read].sort(), listed(payloadMembers).sort());
});
