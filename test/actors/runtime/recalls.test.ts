// Which decisions recall rows from the dispatchers: those that end or change what is in flight.

import t from 'tap';
import { partitionWithApp } from '../../support/partition.ts';
import { bad, WebhookWorld } from '../integrations/webhooks/webhook-world.ts';

const ana = { externalUserId: 'ana' };
const [first, second] = ['ana@example.com', 'ana@work.example'];

/** Ana has two addresses; a send to each is in flight. `recalled`: since the last look. */
async function aScene() {
  const { one, app } = await partitionWithApp();
  const devices = [first, second].map((endpoint) => ({ channel: 'email' as const, endpoint }));
  const { subscriber } = await one.value(app, 'subscriber.upsert', {
    subscriber: { ...ana, devices },
  });
  const { id } = subscriber;
  await one.value(app, 'subscriber.upsert', {
    subscriber: {
      externalUserId: 'ben',
      devices: [{ channel: 'email', endpoint: 'ben@b.example' }],
    },
  });
  const send = async () => {
    const request = { to: ana, title: 'Hi', body: 'Hello' };
    await one.value(app, 'transactional.accept', { request, claim: null });
    return one.takeGrants();
  };
  const recalled = () =>
    one.effects
      .splice(0)
      .filter(({ message }) => message.kind === 'dispatch.recall')
      .map(({ port, message }) => ({ port, ...message }));
  return { one, app, id, send, recalled };
}

t.test('an opt-out of one address recalls the person, also if another stays', async (t) => {
  const { one, app, send, recalled } = await aScene();
  const [grant] = await send();
  const person = grant?.attempts[0]?.person;
  t.type(person, 'number');
  const suppress = (address: string) =>
    one.value(app, 'suppression.add', { channel: 'email', address, source: 'api' });
  await suppress('ben@b.example');
  t.same(recalled(), [], 'nothing of his is in flight');
  await suppress(second as string);
  t.same(recalled(), [{ port: 'host', kind: 'dispatch.recall', app, people: [person] }]);
});

t.test('an erasure and a removed device recall the person; a tag does not', async (t) => {
  const { one, app, id, send, recalled } = await aScene();
  await send();
  recalled();
  await one.value(app, 'subscriber.patch', { ref: { id }, patch: { tags: { plan: 'pro' } } });
  t.same(recalled(), []);
  const { devices } = await one.value(app, 'subscriber.read', { ref: { id } });
  await one.value(app, 'device.remove', { ref: { id }, deviceId: devices[0]?.id ?? '' });
  t.match(recalled(), [{ kind: 'dispatch.recall' }]);
  await one.value(app, 'subscriber.erase', { ref: { id } });
  t.match(recalled()[0], { kind: 'dispatch.recall', people: [Number] });
});

t.test('deleting an app recalls all that it has in flight', async (t) => {
  const { one, app, send, recalled } = await aScene();
  await send();
  recalled();
  await one.value(app, 'app.delete', {});
  t.same(recalled(), [{ port: 'host', kind: 'dispatch.recall', app }]);
});

t.test('what is open of a webhook is recalled for an erased person alone', async (t) => {
  const world = await WebhookWorld.make();
  const id = await world.person('ana');
  await world.put();
  world.receiver = () => bad;
  await world.send('ana');
  const recalls = () =>
    world.one.effects.splice(0).filter(({ message }) => message.kind === 'dispatch.recall');
  const { devices } = await world.one.value(world.app, 'subscriber.read', { ref: { id } });
  const deviceId = devices[0]?.id ?? '';
  await world.one.value(world.app, 'device.remove', { ref: { id }, deviceId });
  t.same(recalls(), []);
  await world.one.value(world.app, 'subscriber.erase', { ref: { id } });
  t.match(recalls(), [{ message: { people: [Number] } }]);
});
