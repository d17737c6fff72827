import fc from 'fast-check';
import t from 'tap';
import { loadEntities } from '../../dashboard/preview/entities.ts';
import { lookOf, type PreviewItem, saidIn } from '../../dashboard/preview/look-of.ts';
import { measureOf, smsParts } from '../../dashboard/preview/measure.ts';
import { segmentsOf } from '../../sandbox/carrier/sms-segments.ts';

await loadEntities();

const shown = { at: '2026-11-24T10:00:00Z', appName: 'Shop' };
const item = (channel: PreviewItem['channel'], payload: Record<string, unknown>): PreviewItem => ({
  channel,
  language: null,
  deviceId: null,
  content: { title: 'T', body: '<b>B</b>', buttons: [{ label: 'Open', url: 'https://a.example' }] },
  payload,
});

t.test('a push shows what its provider would get, not the HTML that was written', async (t) => {
  const fcm = item('fcm', { message: { notification: { title: 'T', body: 'B' } } });
  t.match(lookOf(fcm, shown), { title: 'T', text: 'B', sender: 'Shop' });
  const apns = item('apns', { aps: { alert: { title: 'T', body: 'B' } } });
  t.match(lookOf(apns, shown), { title: 'T', text: 'B' });
});

t.test(
  'channels with one text show it as their apps do: a first line in bold is a title',
  async (t) => {
    t.match(lookOf(item('sms', { Body: 'T\nB' }), shown), { title: '', text: 'T\nB', buttons: [] });
    const telegram = item('telegram', { text: '<b>T</b>\nA &amp; B' });
    t.match(lookOf(telegram, shown), { title: 'T', text: 'A & B' });
    const line = item('line', { messages: [{ type: 'text', text: 'T\nB' }] });
    t.equal(lookOf(line, shown).text, 'T\nB');
  },
);

t.test('a call shows its sentences, a table its rows, a mail its page', async (t) => {
  t.strictSame(saidIn('<Say>One &amp; two</Say><Pause/><Say>Three</Say>'), ['One & two', 'Three']);
  const table = [{ type: 'table', content: [{ key: 'Order', value: 'A' }] }];
  const zalo = item('zalo', { message: { attachment: { payload: { elements: table } } } });
  t.strictSame(lookOf(zalo, shown).rows, [['Order', 'A']]);
  const mail = { ...item('email', { subject: 'S', html: '<p>B</p>' }), mailPath: '/preview/x' };
  t.match(lookOf(mail, shown), { title: 'S', htmlPath: '/preview/x', colors: 'light' });
  const named = item('email', { subject: 'S', html: '<p>Caf&eacute; &frac12; &amp;eacute;</p>' });
  t.equal(lookOf(named, shown).preheader, 'Café ½ &eacute;');
});

t.test('no payload of any channel breaks the drawing', async () => {
  const channels = ['fcm', 'apns', 'webpush', 'email', 'sms', 'voice', 'whatsapp'] as const;
  const others = ['telegram', 'rcs', 'line', 'zalo', 'viber', 'kakao'] as const;
  fc.assert(
    fc.property(fc.constantFrom(...channels, ...others), fc.object(), (channel, payload) => {
      lookOf(item(channel, payload), shown);
      measureOf(item(channel, payload));
    }),
  );
});

t.test('an SMS has as many parts as the carrier counts', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
      const ours = smsParts(text);
      const theirs = segmentsOf(text);
      return ours.parts === theirs.segments && ours.alphabet === theirs.alphabet;
    }),
  );
});
