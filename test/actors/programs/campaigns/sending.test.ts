// A campaign from its draft to its last receipt.

import t from 'tap';
import { Scene } from './scene.ts';

t.test('a campaign reaches everybody of its audience once, and its stats say so', async (t) => {
  const scene = await Scene.withPeople(300);
  const campaign = await scene.campaign();
  const sent = await scene.send(campaign.id);
  t.equal(sent.state, 'sending');
  t.equal(scene.sent.length, 300);
  t.equal(new Set(scene.sent.map(({ endpoint }) => endpoint)).size, 300);
  t.match(scene.sent[0], { lane: 'bulk', content: { title: 'Hi user-0', body: 'News' } });
  t.match(await scene.stats(campaign.id), {
    state: 'completed',
    audience: 300,
    sent: 300,
    delivered: 300,
    devices: { sent: 300, delivered: 300, bounced: 0, failed: 0 },
    byChannel: { fcm: { sent: 300, delivered: 300 } },
    progress: null,
  });
});

t.test('no two sends of an app have one id, however many campaigns it has had', async (t) => {
  const scene = await Scene.withPeople(1, ['fcm', 'fcm']);
  const messageId = await scene.message();
  const first = await scene.campaign({ messageId });
  for (let number = first.number + 1; number < first.number + 4_096; number++) {
    const { id } = await scene.campaign({ messageId });
    await scene.one.value(scene.app, 'campaign.delete', { id });
  }
  const second = await scene.campaign({ messageId });
  t.equal(second.number, first.number + 4_096, 'ids say the lowest 12 bits of it');
  for (const { id } of [first, second]) await scene.one.value(scene.app, 'campaign.send', { id });
  await scene.run();
  t.equal(new Set(scene.calls()).size, 4);
  for (const one of [first, second])
    t.match(await scene.stats(one.id), { state: 'completed', delivered: 1 });
  const lastSendId = scene.sent.at(-1)?.sendId;
  await scene.track('user-0', 'opened', { sendId: lastSendId });
  t.match(
    [await scene.stats(first.id), await scene.stats(second.id)],
    [{ opened: 0 }, { opened: 1 }],
  );
  await scene.crash();
  t.match(
    [await scene.stats(first.id), await scene.stats(second.id)],
    [{ opened: 0 }, { opened: 1 }],
  );
});
