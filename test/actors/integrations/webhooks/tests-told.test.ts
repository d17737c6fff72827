import t from 'tap';
import { WebhookWorld } from './webhook-world.ts';

t.test('what comes of a test send says so, and of another send does not', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.*'] });
  const content = { title: 'Hi', body: 'Hi' };
  const { id } = await world.one.value(world.app, 'message.create', { message: { content } });
  const to = { externalUserId: 'ada' };
  await world.one.value(world.app, 'message.test', { id, to, claim: null });
  await world.run();
  await world.send('ada');
  t.match(
    world.received.map(({ body }) => JSON.parse(body)),
    [
      { kind: 'message.delivered', channel: 'fcm', meta: { test: true } },
      { kind: 'message.delivered', channel: 'fcm', meta: { test: undefined } },
    ],
  );
});
