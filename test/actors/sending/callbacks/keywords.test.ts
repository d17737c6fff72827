// STOP and START through the actor.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { reportInbound, reportWhatsapp, withWhatsapp } from './provider.ts';

const number = endpointOf('user-0', 'sms');

async function open() {
  const scene = await Scene.open({ available: ['sms', 'whatsapp'] });
  await scene.people(1, ['sms']);
  return scene;
}

let count = 0;
const says = (scene: Scene, Body: string, more: object = {}) =>
  reportInbound(scene, { MessageSid: `SM${++count}`, From: number, Body, ...more });

const listed = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'suppression.list', { limit: 10 })).items;

t.test('STOP silences every phone channel, and START gives them back', async (t) => {
  const scene = await open();
  t.match(await says(scene, 'Stop.'), { taken: 1 });
  t.match(await listed(scene), [
    { identity: 'phone', address: number, source: 'callback', reason: 'stop' },
  ]);
  t.match(scene.events('unsubscribed'), [
    { person: 0, channel: 'sms', meta: { source: 'callback' } },
  ]);
  await scene.sentCampaign({ channels: ['sms'] });
  t.equal(scene.sent.length, 0);
  t.match(await says(scene, 'STOP'), { taken: 1 });
  t.equal(scene.events('unsubscribed').length, 1, 'who is out is not counted again');
  t.match(await says(scene, 'START'), { taken: 1 });
  t.same(await listed(scene), []);
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('START lifts only what STOP set', async (t) => {
  for (const source of ['api', 'unsubscribe', 'bounce'] as const) {
    const scene = await open();
    const body = { channel: 'voice', address: number, source } as const;
    await scene.one.value(scene.app, 'suppression.add', body);
    await says(scene, 'STOP');
    await says(scene, 'YES');
    t.match(await listed(scene), [{ source }], source);
  }
});

t.test('what the tenant asks for after a STOP is the tenant’s to lift', async (t) => {
  const scene = await open();
  await says(scene, 'STOP');
  await scene.optOut('sms', number);
  t.match(await listed(scene), [{ source: 'api' }]);
  await says(scene, 'START');
  t.match(await listed(scene), [{ source: 'api' }]);
  t.equal(scene.events('unsubscribed').length, 1);
  t.notOk(scene.firstGap());
});

t.test('help, other words and numbers that are none change nothing', async (t) => {
  const scene = await open();
  const { durableSeq } = scene.one.store;
  t.match(await says(scene, 'HELP'), { ignored: 1 });
  t.match(await says(scene, 'please stop by'), { ignored: 1 });
  t.match(await says(scene, 'STOP', { From: 'nobody' }), { ignored: 1 });
  t.equal(scene.one.store.durableSeq, durableSeq);
});

t.test('a message that comes again counts once', async (t) => {
  const scene = await open();
  const once = { MessageSid: 'SM-same', From: number, Body: 'STOP' };
  t.match(await reportInbound(scene, once), { taken: 1 });
  await scene.advance(1_000);
  await says(scene, 'START');
  t.match(await reportInbound(scene, once), { repeated: 1 });
  t.same(await listed(scene), [], 'an old STOP does not undo a START');
});

t.test('of WhatsApp’s words the newest counts, whatever order they come in', async (t) => {
  const nowSeconds = Date.UTC(2026, 0, 1) / 1000;
  const word = (body: string, agoSeconds: number) => ({
    id: `wamid-${body}-${agoSeconds}`,
    from: number.slice(1),
    timestamp: String(nowSeconds - agoSeconds),
    type: 'text',
    text: { body },
  });
  const stop = word('STOP', 60);
  const start = word('START', 30);
  const tied = word('STOP', 30);
  const cases = [
    [[stop, start], 0],
    [[start, stop], 0],
    [[start, stop, start, stop], 0],
    [[stop, start, tied], 1],
    [[tied, start, stop], 1],
    [[start, tied], 1],
  ] as const;
  for (const [messages, suppressed] of cases) {
    for (const isOneBatch of [true, false]) {
      const scene = await open();
      await withWhatsapp(scene);
      if (isOneBatch) await reportWhatsapp(scene, { messages });
      else for (const message of messages) await reportWhatsapp(scene, { messages: [message] });
      const names = messages.map(({ id }) => id).join();
      t.equal((await listed(scene)).length, suppressed, names);
      t.notOk(scene.firstGap());
    }
  }
});

t.test('an app adds words of its own, and takes them away', async (t) => {
  const scene = await open();
  t.match(await says(scene, 'Genug'), { ignored: 1 }, 'unknown so far');
  const patch = { keywords: { stop: ['genug', '够了'], start: ['wieder da'] } };
  await scene.one.value(scene.app, 'settings.patch', { patch });
  t.match(await says(scene, 'GENUG!'), { taken: 1 });
  t.match(await listed(scene), [{ identity: 'phone', source: 'callback', reason: 'stop' }]);
  t.match(await says(scene, 'Wieder da'), { taken: 1 });
  t.same(await listed(scene), []);
  await withWhatsapp(scene);
  await scene.advance(3_000);
  const press = { type: 'button', button: { text: '够了', payload: 'x' } };
  const message = { id: 'wamid-own', from: number.slice(1), timestamp: '1767225602', ...press };
  await reportWhatsapp(scene, { messages: [message] });
  t.match(await listed(scene), [{ source: 'callback' }], 'also as a button');
  t.ok(scene.isMemoryOfLog());
  await scene.one.value(scene.app, 'settings.patch', { patch: { keywords: null } });
  t.match(await says(scene, 'Wieder da'), { ignored: 1 });
});

t.test('an old START that comes again lifts no STOP, however much was said since', async (t) => {
  const scene = await open();
  const old = { MessageSid: 'SM-old', From: number, Body: 'START' };
  await says(scene, 'STOP');
  t.match(await reportInbound(scene, old), { taken: 1 });
  for (let day = 0; day < 89; day++) {
    await scene.advance(24 * 3_600_000);
    await says(scene, day % 2 === 0 ? 'STOP' : 'START');
  }
  t.equal((await listed(scene)).length, 1);
  t.match(await reportInbound(scene, old), { repeated: 1 });
  t.equal((await listed(scene)).length, 1);
});

t.test('who says more than is kept in 90 days stays out until it is less', async (t) => {
  const scene = await open();
  const old = { MessageSid: 'SM-old', From: number, Body: 'START' };
  await says(scene, 'STOP');
  await reportInbound(scene, old);
  for (let n = 0; n < limits.keywordIdsMax; n++) await says(scene, 'STOP');
  t.match(await reportInbound(scene, old), { repeated: 1 });
  await says(scene, 'START');
  t.equal((await listed(scene)).length, 1, 'a new START is not told from an old one');
  await scene.advance(limits.keywordIdsKeptMs + 1_000);
  await says(scene, 'START');
  t.same(await listed(scene), []);
});

t.test('while the wall clock is behind the data, a STOP counts', async (t) => {
  const scene = await open();
  await withWhatsapp(scene);
  const beginMs = scene.one.clock.nowMs;
  scene.one.clock.nowMs += 120 * 24 * 3_600_000;
  await scene.crash();
  await says(scene, 'START');
  scene.one.clock.nowMs = beginMs + 60_000;
  await scene.crash();
  const timestamp = String(beginMs / 1000 + 60);
  const stop = { id: 'wamid-1', from: number.slice(1), timestamp, type: 'text' };
  await reportWhatsapp(scene, { messages: [{ ...stop, text: { body: 'STOP' } }] });
  t.equal((await listed(scene)).length, 1);
});

t.test('ids of keywords outlive a start with the clock a year ahead', async (t) => {
  const scene = await open();
  const old = { MessageSid: 'SM-old', From: number, Body: 'START' };
  await reportInbound(scene, old);
  scene.one.clock.nowMs += 365 * 24 * 3_600_000;
  await scene.crash();
  await says(scene, 'STOP');
  t.match(await reportInbound(scene, old), { repeated: 1 });
  t.equal((await listed(scene)).length, 1);
});
