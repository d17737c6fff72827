// What the texts of a campaign cost, before it is sent: by the text that each person then gets.

import t from 'tap';
import type { ReadingHost } from '../../../../actors/pool-question.ts';
import { answerCost } from '../../../../actors/programs/campaigns/cost.ts';
import type {
  CampaignCost,
  CostRead,
} from '../../../../actors/programs/campaigns/cost-protocol.ts';
import { countCost } from '../../../../actors/programs/campaigns/count-cost.ts';
import { answerDryRun } from '../../../../actors/programs/campaigns/dry-run.ts';
import type { CampaignInput, DryRun } from '../../../../actors/programs/campaigns/protocol.ts';
import { segmentsOf } from '../../../../sandbox/carrier/sms-segments.ts';
import { aGateway } from '../../channels/relays/gateway/gateways.ts';
import { Scene } from './scene.ts';

const everybody: CampaignInput = { filter: { tag: 'unknown', exists: false }, channels: ['sms'] };
const price = { currency: 'USD', byCountry: { VN: 0.0333, ID: 0.02 } };
const byCountry = price.byCountry as Readonly<Record<string, number>>;
const codes = { VN: '+8490', ID: '+62812', TH: '+66812' } as const;

async function asked<Reply>(
  scene: Scene,
  question: (host: ReadingHost, answer: (answer: { ok: boolean }) => void) => void,
  peopleMax?: number,
): Promise<Reply> {
  let found: unknown;
  const host = {
    partition: scene.one.partition,
    read: (_app: number, _read: object, what: CostRead) =>
      Promise.resolve(countCost(what, scene.one.store, peopleMax)),
  } as unknown as ReadingHost;
  question(host, (answer) => {
    found = answer;
  });
  await scene.one.settle();
  await new Promise(setImmediate);
  const { ok, value } = found as { ok: boolean; value: Reply };
  if (!ok) throw new Error(JSON.stringify(found));
  return value;
}

const dryRun = (scene: Scene, id: string) =>
  asked<DryRun>(scene, (host, answer) =>
    answerDryRun(host, scene.app, { kind: 'campaign.dry_run', by: -1, id }, answer),
  );

const costOf = (scene: Scene, id: string, dryRunId: string, peopleMax?: number) =>
  asked<CampaignCost>(
    scene,
    (host, answer) =>
      answerCost(host, scene.app, { kind: 'campaign.cost', by: -1, id, dryRunId }, answer),
    peopleMax,
  );

/** People of three countries, whose texts have one to four segments. */
async function withPeople(count: number): Promise<Scene> {
  const scene = await Scene.open();
  const rows = Array.from({ length: count }, (_, i) => {
    const code = Object.values(codes)[i % 3];
    return {
      externalUserId: `user-${i}`,
      tags: { words: (i % 4 === 0 ? 'đ' : 'a').repeat(1 + ((i * 37) % 240)) },
      devices: [{ channel: 'sms', endpoint: `${code}${String(1_000_000 + i)}` }],
    };
  });
  await scene.one.value(scene.app, 'subscriber.import', { rows } as never);
  return scene;
}

async function relay(scene: Scene, config: object = { ...aGateway, price }): Promise<void> {
  await scene.one.value(scene.app, 'relay.create', {
    ...{ channel: 'sms', relayKind: 'http' },
    input: { name: 'Gateway', config },
  } as never);
}

t.test('the review says what the texts that then leave cost', async (t) => {
  const scene = await withPeople(90);
  await relay(scene);
  const messageId = await scene.message({ body: 'To you: {{ words }}' });
  const { id } = await scene.campaign({ ...everybody, messageId });
  const { dryRunId, wouldSend } = await dryRun(scene, id);
  t.equal(wouldSend, 90);
  const cost = await costOf(scene, id, dryRunId);
  t.match(cost, { currency: 'USD', isEstimate: false, fallback: null, relay: { name: 'Gateway' } });
  t.equal(scene.sent.length, 0, 'nothing was sent');
  await scene.send(id);
  const sums: Record<string, { texts: number; segments: number }> = {};
  for (const { endpoint, content } of scene.sent) {
    const country = Object.entries(codes).find(([, code]) => String(endpoint).startsWith(code));
    const sum = (sums[country?.[0] ?? ''] ??= { texts: 0, segments: 0 });
    sum.texts++;
    sum.segments += segmentsOf(`${content.title}\n${content.body}`).segments;
  }
  const { countries, total, texts, unsendable } = cost.primary;
  t.equal(texts, 90);
  t.equal(unsendable, 0);
  for (const { country, ...one } of countries) {
    const sum = sums[country ?? ''];
    const each = byCountry[country ?? ''];
    t.same(
      one,
      { ...sum, cost: each && Math.round(each * 1e6 * (sum?.segments ?? 0)) / 1e6 },
      String(country),
    );
  }
  t.equal(countries.find(({ country }) => country === 'TH')?.cost, null, 'without a price');
  const wanted = countries.reduce((sum, one) => sum + (one.cost ?? 0), 0);
  t.ok(Math.abs((total ?? 0) - wanted) < 1e-9);
});

t.test('of a larger audience evenly spread people stand for all', async (t) => {
  const scene = await withPeople(600);
  await relay(scene, { ...aGateway, price: { currency: 'USD', perSegment: 1 } });
  const { id } = await scene.campaign({
    ...everybody,
    messageId: await scene.message({ body: '{{ words }}' }),
  });
  const { dryRunId } = await dryRun(scene, id);
  const [exact, estimate] = [
    await costOf(scene, id, dryRunId),
    await costOf(scene, id, dryRunId, 100),
  ];
  t.equal(estimate.isEstimate, true);
  t.equal(estimate.primary.texts, 600);
  const [real, guessed] = [exact.primary.total ?? 0, estimate.primary.total ?? 0];
  t.ok(Math.abs(guessed - real) < real * 0.15, `${guessed} for ${real}`);
});

t.test('without a gateway, or its prices, the texts are counted', async (t) => {
  const scene = await withPeople(6);
  const { id } = await scene.campaign(everybody);
  const { dryRunId } = await dryRun(scene, id);
  t.match(await costOf(scene, id, dryRunId), {
    ...{ relay: null, currency: null },
    primary: { total: null, texts: 0, countries: [] },
  });
  await relay(scene, aGateway);
  const again = await dryRun(scene, id);
  t.match(await costOf(scene, id, again.dryRunId), {
    ...{ relay: { name: 'Gateway' }, currency: null },
    primary: { total: null, texts: 6 },
  });
});

t.test('the prices of the settings count where the relay that sends first has none', async (t) => {
  const scene = await Scene.open({ available: ['sms'] });
  await scene.people(4, ['sms']);
  await scene.settings({ textPrices: { currency: 'EUR', perSegment: 0.07 } });
  const messageId = await scene.message({ title: '', body: 'Hi' });
  const { id } = await scene.campaign({ ...everybody, messageId });
  const cost = async () => costOf(scene, id, (await dryRun(scene, id)).dryRunId);
  const byApp = { pricesOf: 'app', currency: 'EUR', primary: { texts: 4, total: 0.28 } };
  t.match(await cost(), { ...byApp, relay: null });
  await relay(scene, aGateway);
  t.match(await cost(), { ...byApp, relay: { name: 'Gateway' } });
  const [known] = scene.state.relays.keys();
  const config = { price: { currency: 'USD', perSegment: 1 } };
  await scene.one.value(scene.app, 'relay.update', { relayId: known, input: { config } } as never);
  t.match(await cost(), { pricesOf: 'relay', currency: 'USD', primary: { total: 4 } });
  await scene.settings({ textPrices: null });
  const none = { config: { price: null } };
  await scene.one.value(scene.app, 'relay.update', { relayId: known, input: none } as never);
  t.match(await cost(), { pricesOf: null, currency: null, primary: { total: null } });
});

t.test('a fallback to texts costs if nobody reacts; what is too long is not sent', async (t) => {
  const scene = await withPeople(8);
  await scene.people(5, ['fcm', 'sms'], { tags: { words: 'b' } }, 'other');
  await relay(scene, { ...aGateway, price: { currency: 'USD', perSegment: 1 }, segmentsMax: 1 });
  const { id } = await scene.campaign({
    ...{ filter: { tag: 'unknown', exists: false }, channels: ['fcm'] },
    ...{ fallbackChannels: ['sms'], fallbackAfterMinutes: 10 },
    messageId: await scene.message({ title: '', body: '{{ words }}.' }),
  });
  const { dryRunId } = await dryRun(scene, id);
  const { primary, fallback } = await costOf(scene, id, dryRunId);
  t.match(primary, { texts: 0, total: 0 });
  const long = Array.from({ length: 8 }, (_, i) => {
    const words = `${(i % 4 === 0 ? 'đ' : 'a').repeat(1 + ((i * 37) % 240))}.`;
    return segmentsOf(words).segments > 1;
  });
  t.equal(fallback?.unsendable, long.filter(Boolean).length);
  t.equal((fallback?.texts ?? 0) + (fallback?.unsendable ?? 0), 13);
});

t.test('a dry run of another campaign is unknown', async (t) => {
  const scene = await withPeople(1);
  const [one, other] = [await scene.campaign(everybody), await scene.campaign(everybody)];
  const { dryRunId } = await dryRun(scene, one.id);
  await t.rejects(costOf(scene, other.id, dryRunId), /dryRunId/);
});
