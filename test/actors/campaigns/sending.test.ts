// A campaign from its draft to its last receipt.

import t from 'tap';
import { Scene } from './scene.ts';

t.test('a campaign reaches everybody of its audience once, and its stats say so', async (t) => {
  const scene = await Scene.open();
  await scene.people(300);
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
