import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { channelIds } from '../../../../actors/channels/channel-ids.ts';
import { chatMessageOf } from '../../../../actors/integrations/webhooks/chat-message.ts';
import type { WebhookEvent } from '../../../../actors/integrations/webhooks/event.ts';

type Finished = Extract<WebhookEvent, { readonly kind: 'campaign.completed' }>;

function finished(name: string, over: Partial<Finished['meta']> = {}): Finished {
  const funnel = { sent: 1_234_567, delivered: 1000, bounced: 3, suppressed: 4, failed: 5 };
  return {
    kind: 'campaign.completed',
    subscriberId: null,
    externalUserId: null,
    campaignId: 'cmp_1',
    journeyId: null,
    messageId: null,
    sendId: null,
    deviceId: null,
    channel: null,
    atMs: 0,
    seq: 1,
    meta: {
      ...funnel,
      opened: 600,
      clicked: 70,
      converted: 8,
      unsubscribed: 2,
      complained: 1,
      campaignId: 'cmp_1',
      name,
      state: 'completed',
      audience: 20_000,
      holdout: { size: 0, converted: null, conversionRate: null },
      treated: null,
      lift: null,
      rates: null,
      devices: { sent: 1_234_567, delivered: 1000, bounced: 3, failed: 5 },
      byChannel: { fcm: funnel, email: { ...funnel, sent: 12 } },
      byVariant: {},
      occurrences: [],
      fallback: { eligible: 0, sent: 0, suppressed: 0, suppressedBy: {} },
      suppressedBy: {},
      deferredBy: {},
      progress: null,
      ...over,
    },
  };
}

interface Text {
  readonly type: string;
  readonly text: string;
}
interface Block {
  readonly type: string;
  readonly text?: Text;
  readonly fields?: readonly Text[];
}

const read = (event: Finished): { text: string; blocks: Block[] } =>
  JSON.parse(chatMessageOf(event).toString('utf8'));

t.test('text and blocks both say what became of the campaign', async (t) => {
  const { text, blocks } = read(finished('Spring sale'));
  t.equal(
    text,
    [
      'Campaign “Spring sale” has finished sending.',
      'People. Audience: 20,000, Opened: 600, Clicked: 70, Suppressed: 4',
      '*All devices*: sent 1,234,567, delivered 1,000, bounced 3, failed 5',
      '*Android push (FCM)*: sent 1,234,567, delivered 1,000, bounced 3, failed 5',
      '*Email*: sent 12, delivered 1,000, bounced 3, failed 5',
    ].join('\n'),
  );
  const shown = blocks
    .flatMap(({ text, fields = [] }) => [text, ...fields])
    .map((one) => one?.text);
  t.ok(shown.includes('Spring sale'));
  t.ok(shown.some((one) => one?.includes('20,000')));
  t.ok(shown.some((one) => one?.includes('*Email*: sent 12')));
});

t.test('a name mentions nobody, links nowhere and formats nothing', async (t) => {
  for (const [name, shown] of [
    [
      '<!channel> & <https://evil.example|click>',
      '&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;',
    ],
    ['@everyone @here', '@\u200beveryone @\u200bhere'],
    ['[click](https://evil.example)', '[click]\u200b(https://evil.example)'],
    ['`code`', "'code'"],
    ['two\nlines\r\n\ttab', 'two lines tab'],
    ['right\u202eleft', 'right left'],
    ['x'.repeat(300), `${'x'.repeat(119)}…`],
    ['😀'.repeat(300), `${'😀'.repeat(119)}…`],
  ] as const) {
    const { text, blocks } = read(finished(name));
    t.equal(text.split('\n')[0], `Campaign “${shown}” has finished sending.`);
    t.equal(blocks[1]?.text?.text, shown);
    t.equal(blocks[1]?.text?.type, 'plain_text', 'where no markup counts');
  }
});

t.test('any name and every channel fit into what Slack takes', async () => {
  const funnel = { sent: 9e15, delivered: 9e15, bounced: 9e15, suppressed: 9e15, failed: 9e15 };
  const byChannel = Object.fromEntries(channelIds.map((channel) => [channel, funnel]));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 256 }), (name) => {
      const { text, blocks } = read(finished(name, { byChannel, devices: funnel }));
      assert.ok(text.length <= 4_000 && blocks.length <= 50);
      for (const block of blocks) {
        const most = block.type === 'header' ? 150 : 3_000;
        const { text: shown = '-' } = block.text ?? {};
        assert.ok(shown !== '' && shown.length <= most);
        assert.ok((block.fields ?? []).length <= 10);
        assert.ok((block.fields ?? []).every((field) => field.text.length <= 2_000));
      }
    }),
  );
});
