import t from 'tap';
import { Scene } from '../../programs/campaigns/scene.ts';

t.test('a click in a mail says which link, and what opened it', async (t) => {
  const scene = await Scene.open({ available: ['email'] });
  await scene.people(1, ['email']);
  await scene.one.value(scene.app, 'destination.put', {
    type: 'webhook',
    input: {
      url: 'https://a.example',
      events: ['message.opened', 'message.clicked'],
      headers: {},
      enabled: true,
      concurrency: 1,
    },
  });
  await scene.send((await scene.campaign({ channels: ['email'] })).id);
  const [{ sendId = '', deviceId = '', email } = {}] = scene.sent;
  const mail = { sendId, deviceId, person: email?.person ?? -1, journeyId: undefined };
  const engage = (tracked: object, userAgent: string) =>
    scene.one.value(scene.app, 'callback.engaged', {
      tracked: { ...mail, ...tracked },
      userAgent,
    } as never);
  const url = 'https://shop.example.com/spring?from="mail"';
  await engage({ kind: 'opened', mark: 'a' }, 'Mail/1.0');
  await engage({ kind: 'clicked', mark: 'b', url }, 'Browser/2.0');
  await engage({ kind: 'clicked', mark: 'c', url }, '');
  const { items } = await scene.one.value(scene.app, 'webhook_delivery.list', { limit: 10 });
  const metas = await Promise.all(
    items.map(async ({ id }) => {
      const { payload } = await scene.one.value(scene.app, 'webhook_delivery.read', { id });
      return [payload.kind, payload.sendId, payload.meta];
    }),
  );
  t.same(metas.reverse(), [
    ['message.opened', sendId, { ua: 'Mail/1.0' }],
    ['message.clicked', sendId, { url, ua: 'Browser/2.0' }],
    ['message.clicked', sendId, { url }],
  ]);
});
