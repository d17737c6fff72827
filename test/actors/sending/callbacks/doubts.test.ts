// Texts that may be opt-outs, from the callback to the decision about them.

import t, { type Test } from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { doubtDecisions } from '../../../../actors/people/audience/doubtful-opt-outs.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { DamagedRecord } from '../../../../storage/codec.ts';
import { Documents } from '../../../../storage/documents.ts';
import { keywords } from '../../../../storage/tables/keyword.ts';
import { subscribers } from '../../../../storage/tables/subscriber.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { reportInbound, reportStatus, reportWhatsapp, withWhatsapp } from './provider.ts';

const number = endpointOf('user-0', 'sms');
const startSeconds = Date.UTC(2026, 0, 1) / 1000;

async function open() {
  const scene = await Scene.open({ available: ['sms', 'whatsapp'] });
  await scene.people(1, ['sms']);
  await withWhatsapp(scene);
  return scene;
}

let count = 0;
const says = (scene: Scene, Body: string, more: object = {}) =>
  reportInbound(scene, { MessageSid: `SM${++count}`, From: number, Body, ...more });

const writes = (scene: Scene, id: string, body: string, agoSeconds: number) =>
  reportWhatsapp(scene, {
    messages: [
      {
        id,
        from: number.slice(1),
        timestamp: String(startSeconds - agoSeconds),
        type: 'text',
        text: { body },
      },
    ],
  });

const pageOf = (scene: Scene, more: object = {}) =>
  scene.one.value(scene.app, 'doubtful_opt_out.list', { limit: 200, ...more });
const listed = async (scene: Scene) => (await pageOf(scene)).items;
const wordsIn = async (scene: Scene) => (await listed(scene)).map(({ words }) => words);
const suppressed = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'suppression.list', { limit: 10 })).items;

async function decide(scene: Scene, more: object = { decision: 'dismiss' }) {
  const [first] = await listed(scene);
  const body = { id: first?.id, ...more } as never;
  return scene.one.value(scene.app, 'doubtful_opt_out.decide', body);
}

function sound(t: Test, scene: Scene) {
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
}

t.test('a text that may be an opt-out waits for a decision, and silences nobody', async (t) => {
  const scene = await open();
  t.match(await says(scene, 'please stop sending me these'), { taken: 1 });
  t.match(await pageOf(scene), {
    total: 1,
    nextCursor: null,
    items: [
      {
        channel: 'sms',
        address: number,
        words: 'please stop sending me these',
        subscribers: [{ externalUserId: 'user-0' }],
      },
    ],
  });
  t.same(await suppressed(scene), []);
  t.match(await says(scene, 'see you tomorrow'), { ignored: 1 });
  t.equal((await listed(scene)).length, 1);
  sound(t, scene);
});

t.test('of one address the newest text is kept, under an id of its own', async (t) => {
  const scene = await open();
  await says(scene, 'stop sending me these');
  const [before] = await listed(scene);
  await says(scene, 'remove me from the list');
  const after = await listed(scene);
  t.match(after, [{ words: 'remove me from the list' }]);
  t.equal(after.length, 1);
  t.not(after[0]?.id, before?.id, 'nobody decides about words that they have not seen');
  await writes(scene, 'wamid-late', 'stop texting me', 60);
  t.same(await wordsIn(scene), ['remove me from the list'], 'an older text changes nothing');
  await says(scene, `stop sending these ${'😀'.repeat(limits.doubtfulCharsMax)}`);
  const [long = ''] = await wordsIn(scene);
  t.ok(
    long.length <= limits.doubtfulCharsMax && Buffer.from(long).toString() === long,
    'long words are cut',
  );
  sound(t, scene);
});

t.test('who opts them out writes the opt-out that the API writes', async (t) => {
  const scene = await open();
  await says(scene, 'stop sending me these');
  const row = { identity: 'phone', address: number, source: 'api' };
  t.match(await decide(scene, { decision: 'opt_out' }), row);
  t.match(await suppressed(scene), [row]);
  t.same(await listed(scene), []);
  t.match(await says(scene, 'I said stop sending me these'), { ignored: 1 });
  t.same(await listed(scene), [], 'who is out already is not asked about');
  sound(t, scene);
});

t.test('who is opted out by it has unsubscribed, and the campaign counts it', async (t) => {
  for (const scope of [undefined, 'marketing'] as const) {
    const scene = await open();
    const { id: campaignId } = await scene.campaign({ channels: ['sms'] });
    await scene.send(campaignId);
    await scene.advance(hourMs);
    await says(scene, 'stop sending me these');
    t.match(await scene.stats(campaignId), { unsubscribed: 0 });
    await scene.advance(20 * dayMs);
    await decide(scene, { decision: 'opt_out', ...(scope === undefined ? {} : { scope }) });
    t.match(scene.events('unsubscribed'), [{ person: 0, campaignId, channel: 'sms' }]);
    t.match(await scene.stats(campaignId), { unsubscribed: 1 }, 'also when it is read late');
    sound(t, scene);
  }
});

t.test('an opt-out of marketing alone leaves room for another doubt', async (t) => {
  const scene = await open();
  await says(scene, 'stop sending me these');
  const body = { decision: 'opt_out', scope: 'marketing' };
  t.match(await decide(scene, body), { scope: 'marketing' });
  t.match(await says(scene, 'stop texting me'), { taken: 1 });
  t.same(await wordsIn(scene), ['stop texting me']);
  sound(t, scene);
});

t.test('what was dismissed stays away when its callback comes again', async (t) => {
  const scene = await open();
  await writes(scene, 'wamid-1', 'stop sending me these', 60);
  t.equal(await decide(scene), null);
  t.same(await listed(scene), []);
  t.match(await writes(scene, 'wamid-1', 'stop sending me these', 60), { repeated: 1 });
  t.match(await writes(scene, 'wamid-0', 'remove me', 90), { ignored: 1 }, 'an older one, too');
  t.same(await listed(scene), []);
  t.match(await writes(scene, 'wamid-2', 'remove me', 30), { taken: 1 });
  t.same(await wordsIn(scene), ['remove me']);
  const again = { MessageSid: 'SM-again', From: number, Body: 'stop texting me' };
  await reportInbound(scene, again);
  await decide(scene);
  await scene.advance(1_000);
  t.match(await reportInbound(scene, again), { repeated: 1 }, 'also without a time of its own');
  t.same(await suppressed(scene), []);
  sound(t, scene);
});

t.test('STOP, START and opt-outs from elsewhere end it', async (t) => {
  const ends: Record<string, (scene: Scene) => Promise<unknown>> = {
    stop: (scene) => says(scene, 'STOP'),
    start: (scene) => says(scene, 'START'),
    'an own word': async (scene) => {
      await scene.one.value(scene.app, 'settings.patch', {
        patch: { keywords: { stop: ['genug'] } },
      } as never);
      return says(scene, 'Genug');
    },
    'less marketing': (scene) => says(scene, 'Stop promotions'),
    'the API': (scene) => scene.optOut('sms', number),
    'a change of many people': (scene) =>
      scene.one.value(scene.app, 'bulk.start', {
        people: [{ externalUserId: 'user-0' }],
        action: { suppress: { channels: ['sms'] } },
        isDry: false,
      } as never),
    'a provider that knows of an opt-out': async (scene) => {
      await scene.sentCampaign({ channels: ['sms'] });
      const [grant] = scene.sent;
      await reportStatus(scene, 'sms', grant as never, {
        MessageStatus: 'undelivered',
        ErrorCode: '21610',
      });
    },
    'the API, marketing': (scene) =>
      scene.one.value(scene.app, 'suppression.add', {
        channel: 'voice',
        address: number,
        source: 'api',
        scope: 'marketing',
      }),
  };
  for (const [what, end] of Object.entries(ends)) {
    const scene = await open();
    await says(scene, 'stop sending me these');
    t.equal((await listed(scene)).length, 1, what);
    await end(scene);
    t.same(await listed(scene), [], what);
    sound(t, scene);
  }
});

t.test('a START from before the text says nothing about it', async (t) => {
  const scene = await open();
  await writes(scene, 'wamid-1', 'stop sending me these', 30);
  await writes(scene, 'wamid-0', 'START', 60);
  t.same(await wordsIn(scene), ['stop sending me these']);
  await writes(scene, 'wamid-2', 'START', 10);
  t.same(await listed(scene), []);
  t.match(await writes(scene, 'wamid-3', 'stop texting me', 20), { ignored: 1 });
  t.same(await listed(scene), [], 'a text from before the START neither');
  sound(t, scene);
});

t.test('in one callback the texts count in their order', async (t) => {
  const scene = await open();
  const message = (id: string, body: string, agoSeconds: number) => ({
    id,
    from: number.slice(1),
    timestamp: String(startSeconds - agoSeconds),
    type: 'text',
    text: { body },
  });
  const first = message('wamid-1', 'stop sending me these', 60);
  const start = message('wamid-2', 'START', 50);
  const last = message('wamid-3', 'remove me', 40);
  await reportWhatsapp(scene, { messages: [first, start] });
  t.same(await listed(scene), []);
  await reportWhatsapp(scene, { messages: [first, start, last] });
  t.same(await wordsIn(scene), ['remove me']);
  sound(t, scene);
});

t.test('an app keeps the newest thousand, and pages have each once', async (t) => {
  const scene = await open();
  const from = (i: number) => ({ From: `+1415555${String(i).padStart(4, '0')}` });
  for (let i = 0; i <= limits.doubtfulMax; i++) await says(scene, 'stop texting me', from(i));
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await pageOf(scene, { limit: 300, ...(cursor === undefined ? {} : { cursor }) });
    t.equal(page.total, limits.doubtfulMax);
    found.push(...page.items.map(({ address }) => address));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  const places = [...found.keys()];
  t.same(
    found,
    places.map((i) => from(limits.doubtfulMax - i).From),
    'newest first',
  );
  t.ok(scene.state.doubts.bytes > 0);
  sound(t, scene);
});

t.test('after ninety days it ends by itself, whatever came and went since', async (t) => {
  const scene = await open();
  await says(scene, 'stop sending me these');
  await decide(scene);
  await scene.advance(10 * dayMs);
  await says(scene, 'stop texting me');
  await scene.advance(20 * dayMs);
  await says(scene, 'remove me', { From: '+14155550188' });
  await scene.advance(69 * dayMs);
  t.same(await wordsIn(scene), ['remove me', 'stop texting me']);
  await scene.advance(2 * dayMs);
  t.same(await wordsIn(scene), ['remove me']);
  await scene.advance(20 * dayMs);
  t.same(await listed(scene), []);
  t.equal(scene.state.doubts.bytes, 0);
  await says(scene, 'stop sending me these');
  await scene.advance(91 * dayMs);
  t.same(await listed(scene), [], 'and the next one, too');
  sound(t, scene);
});

t.test('a damaged record costs its person the name, and nobody the list', async (t) => {
  const scene = await open();
  await says(scene, 'stop sending me these');
  const reader = new Documents(scene.one.store).bound(scene.app);
  const documents = {
    lend: reader.lend.bind(reader),
    range: reader.range.bind(reader),
    get: (...[table, key]: Parameters<typeof reader.get>) => {
      if (table.id === subscribers.id)
        throw new DamagedRecord('subscribers', new Uint8Array(1), 'torn');
      return reader.get(table, key);
    },
  };
  const { state } = scene.one.product;
  const context = { owner: scene.app, documents } as never;
  const list = doubtDecisions['doubtful_opt_out.list'];
  const decision = list(state, { kind: 'doubtful_opt_out.list', limit: 10 } as never, context);
  t.match(decision, { reply: { total: 1, items: [{ subscribers: [] }] } });
});

t.test('an erasure takes the words of the person along', async (t) => {
  const scene = await open();
  const stranger = '+14155550188';
  await says(scene, 'stop sending me these');
  await says(scene, 'stop texting me', { From: stranger });
  await says(scene, 'remove me', { From: '+14155550189' });
  const erase = (externalUserId: string) =>
    scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId } } as never);
  await erase('user-0');
  t.same(await wordsIn(scene), ['remove me', 'stop texting me']);
  const device = { channel: 'whatsapp', endpoint: stranger } as const;
  await scene.one.value(scene.app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'late', devices: [device] },
  });
  t.match((await listed(scene))[1], { subscribers: [{ externalUserId: 'late' }] });
  await erase('late');
  t.same(await wordsIn(scene), ['remove me'], 'who got the number later is erased as well');
  sound(t, scene);
});

t.test('an erasure leaves the question of whoever shares the number', async (t) => {
  const scene = await open();
  const device = { channel: 'whatsapp', endpoint: number } as const;
  await scene.one.value(scene.app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'partner', devices: [device] },
  });
  await writes(scene, 'wamid-1', 'stop sending me these', 60);
  const [before] = await listed(scene);
  const erase = (externalUserId: string) =>
    scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId } } as never);
  await erase('user-0');
  t.match(await listed(scene), [
    { id: before?.id, words: '', subscribers: [{ externalUserId: 'partner' }] },
  ]);
  t.match(await writes(scene, 'wamid-1', 'stop sending me these', 60), { repeated: 1 });
  t.same(await wordsIn(scene), [''], 'the words do not come again with their callback');
  await erase('partner');
  t.same(await listed(scene), []);
  sound(t, scene);
});

t.test('an erasure takes what is kept of the address alone, and no STOP', async (t) => {
  for (const isStopped of [false, true]) {
    const scene = await open();
    await says(scene, 'stop sending me these');
    if (isStopped) await says(scene, 'STOP');
    const { store } = scene.one;
    const documents = new Documents(store);
    const kept = () => documents.get(keywords, scene.app, [`phone:${number}`]);
    t.ok(kept()?.doubted);
    await scene.one.value(scene.app, 'subscriber.erase', {
      ref: { externalUserId: 'user-0' },
    } as never);
    t.match(kept(), isStopped ? { word: 'stop' } : undefined);
    t.equal(kept()?.doubted, undefined);
    sound(t, scene);
  }
});

t.test('an erasure finds the person whose device is gone', async (t) => {
  const scene = await open();
  await says(scene, 'stop sending me these');
  const { devices } = await scene.one.value(scene.app, 'subscriber.read', {
    ref: { externalUserId: 'user-0' },
  });
  const ref = { externalUserId: 'user-0' };
  const deviceId = devices[0]?.id as string;
  await scene.one.value(scene.app, 'device.remove', { ref, deviceId });
  t.match(await listed(scene), [{ subscribers: [] }]);
  await scene.one.value(scene.app, 'subscriber.erase', { ref } as never);
  t.same(await listed(scene), []);
  sound(t, scene);
});

t.test('nobody decides twice, or about what is not theirs', async (t) => {
  const scene = await open();
  await says(scene, 'stop sending me these');
  const [first] = await listed(scene);
  const body = { id: first?.id as string, decision: 'dismiss' } as const;
  await scene.one.value(scene.app, 'doubtful_opt_out.decide', body);
  t.match(await scene.one.ask(scene.app, 'doubtful_opt_out.decide', body), {
    ok: false,
    fault: { code: 'not_found' },
  });
  t.match(await scene.one.ask(scene.app, 'doubtful_opt_out.list', { limit: 5, cursor: 'x' }), {
    ok: false,
    fault: { message: 'cursor: invalid cursor for this list' },
  });
});
