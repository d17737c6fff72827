// `dryRun` of an import: the answer of the real one, and nothing is changed.

import t from 'tap';
import { below, pick, seededRng } from '../../engine/base/rng.ts';
import { chapter } from './chapter.ts';

const { api, org, takes, refuses } = await chapter(t);
const rng = seededRng(Number(process.env['ENGAGE_IMPORT_SEED'] ?? 6));
const line = 'POST /v1/import/subscribers';

async function newApp(): Promise<{ id: string; base: string }> {
  const { id } = await api.must('POST /v1/apps', { name: 'Dry' });
  const rows = Array.from({ length: 40 }, (_, nth) => ({
    externalUserId: `p-${nth}`,
    tags: { old: nth },
    devices: [{ channel: 'email', endpoint: `p${nth}@example.com` }],
  }));
  await api.must(line, { appId: id, rows });
  return { id, base: `/v1/apps/${id}` };
}

/** Rows that repeat people, move addresses, and are wrong in many ways. */
function someRows(count: number): object[] {
  return Array.from({ length: count }, () => {
    const nth = below(rng, count);
    const kind = below(rng, 12);
    if (kind === 0) return { externalUserId: `p-${nth}`, tags: { $wrong: 1 } };
    if (kind === 1) return { devices: [{ channel: 'email', endpoint: 'nowhere' }] };
    if (kind === 2) return { externalUserId: 7 };
    const many = Array.from({ length: 12 }, () => ({
      channel: pick(rng, ['email', 'fcm']),
      endpoint: `p${below(rng, 400)}@example.com`,
    }));
    return {
      ...(kind > 3 && { externalUserId: `p-${kind > 9 ? below(rng, 5) : nth}` }),
      tags: { [`t${below(rng, 30)}`]: nth, long: kind === 5 ? 'x'.repeat(1_100) : 'short' },
      ...(kind > 9 ? { devices: many } : {}),
    };
  });
}

const people = async (base: string) =>
  (await api.must(`POST ${base}/subscribers/search`, { order: 'oldest', limit: 200 })) as {
    items: object[];
    total: number;
  };

t.test('a dry run answers what the import then does, and changes nothing', async (t) => {
  for (const count of [1, 30, 900, 1_600]) {
    const { id: appId, base } = await newApp();
    const rows = someRows(count);
    const before = await people(base);
    const dry = await takes(t, line, { appId, rows, dryRun: true }, 200);
    const after = await people(base);
    t.same([after.total, after.items], [before.total, before.items], 'nothing changed');
    t.same((await api.must(`GET ${base}/tag-names`)).items.length, 1, 'no name either');
    const real = await takes(t, line, { appId, rows }, 200);
    t.same(dry.json, real.json, `${count} rows`);
    t.equal(dry.json.created + dry.json.updated + dry.json.failed, count);
  }
});

t.test('an unusable dry run is refused like an import', async (t) => {
  const { id: appId } = await newApp();
  await refuses(t, line, { appId, rows: [], dryRun: 'yes' }, { status: 400, field: 'dryRun' });
  await refuses(
    t,
    line,
    { appId: `app_${'0'.repeat(26)}`, rows: [{}], dryRun: true },
    {
      status: 404,
    },
  );
  t.same((await takes(t, line, { appId, rows: [], dryRun: true }, 200)).json, {
    created: 0,
    updated: 0,
    failed: 0,
    errors: [],
  });
  t.ok(org.key);
});
