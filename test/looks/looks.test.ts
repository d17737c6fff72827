// The looks of the channels, drawn in a document of our own.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { root } from '../support/places.ts';
import { type FakeElement, fakeDocument } from './fake-document.ts';

Object.assign(globalThis, { document: fakeDocument });
const { drawLook } = (await import(join(root, 'looks/looks.js'))) as {
  drawLook(message: object): FakeElement;
};
t.teardown(() => Reflect.deleteProperty(globalThis, 'document'));

const message = {
  at: '2026-11-23T10:00:00.000Z',
  to: 'ada',
  sender: 'Juniper',
  title: 'On its way',
  text: 'Your parcel has left: https://shop.example/track.',
  image: 'https://cdn.example/parcel.png',
  buttons: [{ label: 'Track it', url: 'https://shop.example/track' }],
};

t.test('each channel has a look of its own, with its style sheet', async (t) => {
  const files = readdirSync(join(root, 'looks'));
  const styles = readFileSync(join(root, 'looks/looks.css'), 'utf8');
  for (const channel of channelIds) {
    const file = channel.replaceAll('_', '-');
    t.ok(files.includes(`${file}.js`) && files.includes(`${file}.css`), channel);
    t.match(styles, `@import url("${file}.css");`);
    t.match(drawLook({ ...message, channel }).className, `look-${channel}`);
  }
  t.match(drawLook({ ...message, channel: 'carrier-pigeon' }).className, 'look-plain');
  t.match(drawLook({ ...message, channel: 'constructor' }).className, 'look-plain');
});

t.test('a look shows the words, the picture and the buttons that its channel has', async (t) => {
  const wordless = new Set(['voice', 'email', 'sms']);
  for (const channel of channelIds) {
    const look = drawLook({ ...message, channel });
    t.match(look.words, 'Your parcel has left', channel);
    if (wordless.has(channel)) continue;
    t.match(look.words, 'Track it', channel);
    t.ok(
      [...look.all()].some(({ tag }) => tag === 'img'),
      channel,
    );
  }
});

t.test('hostile words stay words, and only web addresses open', async (t) => {
  const hostile = '<img src=x onerror=alert(1)> *x* javascript:alert(1) "><script>';
  const attack = {
    ...message,
    sender: hostile,
    title: hostile,
    text: hostile,
    preheader: hostile,
    image: 'javascript:alert(1)',
    icon: 'javascript:alert(1)',
    link: 'javascript:alert(1)',
    buttons: [
      { label: hostile, url: 'javascript:alert(1)' },
      { label: 'data', url: 'data:text/html,x' },
    ],
    said: [hostile],
    rows: [[hostile, hostile]],
    bubbles: [{ text: hostile, image: 'data:x' }],
  };
  for (const channel of channelIds) {
    const all = [...drawLook({ ...attack, channel }).all()];
    t.notOk(
      all.some(({ tag }) => tag === 'script' || tag === 'img'),
      channel,
    );
    for (const element of all) {
      const { href, src } = element as { href?: string; src?: string };
      t.match(href ?? 'https://', /^https?:/, channel);
      t.match(src ?? 'https://', /^https?:/, channel);
    }
  }
});

t.test('the members of one channel are drawn', async (t) => {
  const voice = drawLook({ ...message, channel: 'voice', said: ['Your code', 'is 4177'] });
  t.equal([...voice.all()].filter(({ tag }) => tag === 'li').length, 2);
  const bubbles = [{ image: 'https://cdn.example/a.png' }, { text: 'below' }];
  const line = drawLook({ ...message, channel: 'line', bubbles });
  t.equal([...line.all()].filter(({ className }) => className === 'bubble').length, 2);
  const zalo = drawLook({ ...message, channel: 'zalo', rows: [['Order', 'A-1']] });
  t.match(zalo.words, /Order A-1/);
  const whatsapp = drawLook({ ...message, channel: 'whatsapp', text: 'now *bold* and 2*3*4' });
  t.same(
    [...whatsapp.all()]
      .filter(({ tag, className }) => tag === 'strong' && className === '')
      .map(({ words }) => words),
    ['bold'],
  );
  const email = drawLook({
    ...message,
    channel: 'email',
    sender: '"Ada" <ada@example.com>',
    htmlPath: '/inbox/mail/1',
    colors: 'light dark',
    preheader: 'First words',
  });
  t.match(email.words, /Ada +ada@example\.com +to ada/);
  const frame = [...email.all()].find(({ tag }) => tag === 'iframe');
  t.match(frame, { sandbox: /^allow-popups/, dataset: { colors: 'light dark' } });
});
