// The warm-up of a sender domain by the API: begun with its defaults, changed, held, ended; and
// every way to call it wrong. What a dry run and a campaign's statistics say of it.

import t from 'tap';
import { defaultCurve } from '../../actors/sending/warm-up/warm-up.ts';
import { dayMs } from '../../engine/base/brand.ts';
import { chapter } from './chapter.ts';

const { api, base, takes, refuses } = await chapter(t);
const domain = `${base}/email-domains/acme.example`;
const at = `${domain}/warm-up`;

t.test('a warm-up begins with its defaults, and keeps what a change leaves out', async (t) => {
  await refuses(t, `PUT ${at}`, {}, { status: 404 });
  await api.must(`POST ${base}/email-domains`, { domain: 'acme.example' });
  t.match(await api.must(`GET ${at}`), { state: 'off', startsAt: null, etag: null, today: null });
  const { json } = await takes(t, `PUT ${base}/email-domains/ACME.example./warm-up`, {}, 200);
  t.match(json, {
    domain: 'acme.example',
    state: 'running',
    used: false,
    held: false,
    today: { day: 1, max: 50, perProvider: null, sent: 0, sentByProvider: {}, unknown: false },
  });
  t.same(
    json.days,
    defaultCurve.map(({ max }) => ({ max, perProvider: null })),
  );
  t.equal(Date.parse(json.endsAt), (Math.floor(Date.parse(json.startsAt) / dayMs) + 30) * dayMs);
  const days = [{ max: 10 }, { max: 20, perProvider: { gmail: 5 } }];
  await takes(t, `PUT ${at}`, { days }, 200);
  const held = await takes(t, `PUT ${at}`, { held: true }, 200);
  t.match(held.json, {
    state: 'held',
    endsAt: null,
    days: [
      { max: 10, perProvider: null },
      { max: 20, perProvider: { gmail: 5 } },
    ],
  });
  t.same((await takes(t, `GET ${at}`, undefined, 200)).json, held.json);
  const yesterday = new Date(Date.now() - dayMs).toISOString();
  const earlier = await takes(t, `PUT ${at}`, { startsAt: yesterday, held: false }, 200);
  t.match(earlier.json, { state: 'running', today: { day: 2, max: 20 } });
  const soon = await takes(
    t,
    `PUT ${at}`,
    { startsAt: new Date(Date.now() + 2 * dayMs).toISOString() },
    200,
  );
  t.match(soon.json, { state: 'scheduled', today: null });
  await takes(t, `DELETE ${at}`, undefined, 204);
  await refuses(t, `DELETE ${at}`, undefined, { status: 404 });
});

t.test('what makes no sense is refused, with the member that is wrong', async (t) => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ days: [] }, 'days'],
    [{ days: [{ max: 0 }] }, 'days[0].max'],
    [{ days: [{ max: 1.5 }] }, 'days[0].max'],
    [{ days: [{ max: '50' }] }, 'days[0].max'],
    [{ days: [{ max: 5, perProvider: { gmail: 6 } }] }, 'days[0].perProvider.gmail'],
    [{ days: [{ max: 5, perProvider: { aol: 1 } }] }, 'days[0].perProvider'],
    [{ days: Array.from({ length: 367 }, () => ({ max: 1 })) }, 'days'],
    [{ startsAt: 'tomorrow' }, 'startsAt'],
    [{ startsAt: '2001-01-01T00:00:00Z' }, 'startsAt'],
    [{ held: 'yes' }, 'held'],
  ];
  for (const [body, field] of wrong) {
    const { json } = await refuses(t, `PUT ${at}`, body, { status: 400 });
    t.ok(json.field.startsWith(field), `${json.field}: ${json.message}`);
  }
});

t.test('a dry run and the statistics say what waits for later days', async (t) => {
  await api.must(`PATCH ${base}/settings`, { email: { fromAddress: 'news@acme.example' } });
  await api.must(`PUT ${at}`, { days: [{ max: 2 }, { max: 3 }, { max: 4 }] });
  const rows = Array.from({ length: 7 }, (_, i) => ({
    externalUserId: `reader-${i}`,
    devices: [{ channel: 'email', endpoint: `reader-${i}@post.example` }],
  }));
  for (const row of rows) await api.must(`POST ${base}/subscribers`, row);
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'Hi', body: 'News' });
  const made = await api.must(`POST ${base}/campaigns`, { messageId, channels: ['email'] });
  const run = await api.must(`POST /v1/campaigns/${made.id}/dry-run`);
  t.match(run, {
    wouldSend: 2,
    wouldDefer: { warm_up: 5 },
    warmUp: { domain: 'acme.example', today: 2, later: 5, days: 2 },
  });
  await api.must(`POST /v1/campaigns/${made.id}/send`);
  let stats = await api.must(`GET ${base}/campaigns/${made.id}/stats`);
  for (let i = 0; i < 200 && stats.progress?.waitingFor?.reason !== 'warm_up'; i++)
    stats = await api.must(`GET ${base}/campaigns/${made.id}/stats`);
  t.match(stats, { sent: 2, progress: { waitingFor: { reason: 'warm_up', people: 5 } } });
  t.match(await api.must(`GET ${at}`), { used: true, today: { sent: 2, max: 2 } });
  const { items } = await api.must('GET /v1/org/audit-log');
  t.ok(items.some(({ action }: { action: string }) => action === 'warm_up.started'));
});
