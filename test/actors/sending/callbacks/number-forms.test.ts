// STOP and START from numbers that WhatsApp writes otherwise than devices do, and people who change
// their number.

import t from 'tap';
import { knownAsKey } from '../../../../actors/people/audience/endpoint-owner.ts';
import { Scene } from '../../programs/campaigns/scene.ts';
import { reportInbound, reportWhatsapp, withWhatsapp } from './provider.ts';

async function open(...numbers: readonly string[]) {
  const scene = await Scene.open({ available: ['sms', 'whatsapp'] });
  await withWhatsapp(scene);
  for (const [i, endpoint] of numbers.entries())
    await scene.person(`user-${i}`, [], { devices: [{ channel: 'whatsapp', endpoint }] });
  return scene;
}

let count = 0;
const message = (from: string, more: object) => ({
  messages: [{ id: `wamid.${++count}`, from, ...more }],
});
const says = (scene: Scene, from: string, body: string) =>
  reportWhatsapp(scene, message(from, { type: 'text', text: { body } }));
const tells = (scene: Scene, from: string, system: object) =>
  reportWhatsapp(scene, message(from, { type: 'system', system }));
const listed = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'suppression.list', { limit: 10 })).items;
const devices = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'subscriber.list', { limit: 10 })).items.flatMap(
    (person) => person.devices,
  );

t.test('STOP and START reach the device, however WhatsApp writes its number', async (t) => {
  for (const [device, waId] of [
    ['+525512345678', '5215512345678'],
    ['+5531988887777', '553188887777'],
    ['+553188887777', '5531988887777'],
    ['+5491123456789', '541123456789'],
    ['+2290197123456', '22997123456'],
    ['+2250712345678', '22512345678'],
  ] as const) {
    const scene = await open(device);
    t.match(await says(scene, waId, 'STOP'), { taken: 1 });
    t.match(await listed(scene), [{ address: device, reason: 'stop' }], `${waId} is ${device}`);
    t.match(scene.events('unsubscribed'), [{ person: 0 }]);
    await scene.sentCampaign({ channels: ['whatsapp'], messageId: await text(scene) });
    t.equal(scene.sent.length, 0);
    t.match(await says(scene, waId, 'START'), { taken: 1 });
    t.same(await listed(scene), []);
    t.ok(scene.isMemoryOfLog());
  }
});

const text = (scene: Scene) =>
  scene.message({ payload: { whatsapp: { templateName: 'news', languageCode: 'en_US' } } });

t.test('a device with the number as it is written comes first', async (t) => {
  const scene = await open('+5531988887777', '+553188887777');
  await says(scene, '553188887777', 'STOP');
  t.match(await listed(scene), [{ address: '+553188887777' }]);
  t.equal((await listed(scene)).length, 1);
});

t.test('WhatsApp’s own id of a number is kept with the device once a send tells it', async (t) => {
  const scene = await open('+14155550123', '+14155550124');
  const knownAs = '+14155559999';
  scene.answers = ({ endpoint }) =>
    endpoint === '+14155550123'
      ? { outcome: 'accepted', moved: { from: endpoint, knownAs } }
      : { outcome: 'accepted' };
  t.match(await says(scene, '14155559999', 'STOP'), { taken: 1 }, 'of nobody');
  await scene.sentCampaign({ channels: ['whatsapp'], messageId: await text(scene) });
  t.equal(scene.sent.length, 2);
  t.match(await says(scene, '14155559999', 'STOP'), { taken: 1 });
  const addresses = (await listed(scene)).map(({ address }) => address).sort();
  t.same(addresses, ['+14155550123', '+14155559999']);
  t.ok(scene.isMemoryOfLog());
  const index = scene.one.product.state.apps.get(scene.app)?.endpoints;
  const name = knownAsKey('whatsapp', knownAs);
  t.equal(index?.find(name), 0);
  await scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId: 'user-0' } });
  t.equal(index?.find(name), undefined, 'nothing of an erased device is left');
});

t.test('START finds what STOP wrote, also after the device is gone', async (t) => {
  const scene = await open('+525512345678');
  await says(scene, '5215512345678', 'STOP');
  await scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId: 'user-0' } });
  await says(scene, '5215512345678', 'START');
  t.same(await listed(scene), []);
});

t.test('of a number that nobody has, the possible form is opted out', async (t) => {
  const scene = await open();
  t.match(await says(scene, '5215512345678', 'STOP'), { taken: 1 });
  t.match(await listed(scene), [{ address: '+525512345678' }]);
});

t.test('the carrier may write the number in the other form, too', async (t) => {
  const scene = await open('+525512345678');
  const sms = { MessageSid: 'SM1', From: '+5215512345678', Body: 'STOP' };
  t.match(await reportInbound(scene, sms), { taken: 1 });
  t.match(await listed(scene), [{ address: '+525512345678' }]);
});

t.test('a preference told as a system message is one about marketing', async (t) => {
  const scene = await open('+14155550123');
  const system = { type: 'user_preference_changed', marketing: 'stop', body: 'User requested' };
  t.match(await tells(scene, '14155550123', system), { taken: 1 });
  t.match(await listed(scene), [{ scope: 'marketing', reason: 'preference' }]);
  t.match(await tells(scene, '14155550123', { ...system, marketing: 'resume' }), { taken: 1 });
  t.same(await listed(scene), []);
  const inWords = { type: system.type, body: 'User requested to stop marketing messages' };
  t.match(await tells(scene, '14155550123', inWords), { taken: 1 });
  t.match(await listed(scene), [{ scope: 'marketing' }]);
  const resumed = { type: 'user_preferences', body: 'User resumed marketing messages' };
  t.match(await tells(scene, '14155550123', resumed), { taken: 1 });
  t.same(await listed(scene), []);
  for (const odd of [{ ...system, marketing: 'x', body: 7 }, { type: 'other' }, {}])
    t.match(await tells(scene, '14155550123', odd), { ignored: 1 });
});

t.test('a device follows its person to another number, and so does an opt-out', async (t) => {
  for (const [type, member] of [
    ['user_changed_number', 'wa_id'],
    ['customer_changed_number', 'new_wa_id'],
  ] as const) {
    const scene = await open('+525512345678');
    await says(scene, '5215512345678', 'STOP');
    const changes = message('5215512345678', {
      ...{ type: 'system', system: { type, [member]: '5215587654321' } },
    });
    t.match(await reportWhatsapp(scene, changes), { taken: 1 });
    const [device] = await devices(scene);
    t.match(device, { endpoint: '+525587654321', enabled: true });
    const addresses = (await listed(scene)).map(({ address }) => address).sort();
    t.same(addresses, ['+525512345678', '+525587654321']);
    t.match(await reportWhatsapp(scene, changes), { repeated: 1 }, 'told again');
    await says(scene, '5215587654321', 'START');
    t.same(
      (await listed(scene)).map(({ address }) => address),
      ['+525512345678'],
      'they may come back, and who gets the old number starts silent',
    );
    t.ok(scene.isMemoryOfLog());
  }
});

t.test('an opt-out follows to another number also after the device is gone', async (t) => {
  const scene = await open('+525512345678');
  await says(scene, '5215512345678', 'STOP');
  await scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId: 'user-0' } });
  const system = { type: 'user_changed_number', wa_id: '14155550124' };
  t.match(await tells(scene, '5215512345678', system), { taken: 1 });
  const addresses = (await listed(scene)).map(({ address }) => address).sort();
  t.same(addresses, ['+14155550124', '+525512345678']);
});

t.test('a number that another person has stays theirs', async (t) => {
  const scene = await open('+14155550123', '+14155550124');
  const system = { type: 'user_changed_number', wa_id: '14155550124' };
  t.match(await tells(scene, '14155550123', system), { taken: 1 });
  const all = await devices(scene);
  t.match(
    all.find(({ endpoint }) => endpoint === '+14155550123'),
    { enabled: false, disabledReason: 'number_changed' },
  );
  t.match(
    all.find(({ endpoint }) => endpoint === '+14155550124'),
    { enabled: true },
  );
  t.same(await listed(scene), []);
});
