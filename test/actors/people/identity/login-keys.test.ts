// Idempotency keys of logins: 24 hours to the millisecond, and a table that does not grow with the
// days.

import t from 'tap';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import type { Words4 } from '../../../../engine/base/words.ts';
import { Documents } from '../../../../storage/documents.ts';
import { loginKeys } from '../../../../storage/tables/login-key.ts';
import { partitionWithApp, testClock } from '../../../support/partition.ts';

const tokenKey = new Uint8Array(32).fill(3);
const rng = seededRng(5);
const aKey = (): Words4 => [rng.uint32(), rng.uint32(), rng.uint32(), rng.uint32()];

async function world() {
  const { one, app } = await partitionWithApp({ clock: testClock() });
  const logIn = (key: Words4, externalUserId: string) =>
    one.ask(app, 'sdk.login', {
      login: { externalUserId, tokenKey },
      claim: { key, fingerprint: [1, 2] },
    });
  return { one, app, logIn };
}

t.test('a key is good for 24 hours, and then for another login', async (t) => {
  const { one, logIn } = await world();
  const key = aKey();
  const first = await logIn(key, 'ana');
  t.match(first, { ok: true, value: { replayed: false } });
  one.clock.nowMs += dayMs - 1;
  t.match(await logIn(key, 'ana'), {
    ok: true,
    value: { ...(first.ok ? (first.value as object) : {}), keylessCreated: 0, replayed: true },
  });
  one.clock.nowMs += 1;
  t.match(await logIn(key, 'ana'), { ok: false, fault: { code: 'identity_required' } });
  t.match(await logIn(key, 'ben'), { ok: true, value: { replayed: false } });
});

t.test('the table holds little more than a day of logins', async (t) => {
  const { one, app, logIn } = await world();
  const reader = new Documents(one.store).bound(app);
  const rows = () => reader.range(loginKeys, { limit: 10_000 }).length;
  for (let day = 0, user = 0; day < 8; day++)
    for (let hour = 0; hour < 24; hour++) {
      for (let i = 0; i < 10; i++) await logIn(aKey(), `user-${user++}`);
      one.clock.nowMs += hourMs;
    }
  await one.settle();
  t.ok(rows() >= 230 && rows() < 400, `${rows()} rows of 240 logins a day`);
  await one.value(app, 'app.delete', {});
  for (let slice = 0; slice < 60; slice++) await one.advance(1_000);
  t.equal(rows(), 0, 'they go with their app');
});
