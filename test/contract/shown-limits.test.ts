// What `GET /v1/org/limits` shows is what refuses (specification, "Limits"): for any limits that
// the operator sets, from the next request on, and for every counter. The ceiling per address is in
// rate-ceilings.test.ts.

import fc from 'fast-check';
import t from 'tap';
import { limits } from '../../actors/limits.ts';
import { type Client, client, eventually } from '../support/server.ts';
import { tries } from '../support/tries.ts';
import { chapterServer } from './chapter.ts';

const server = await chapterServer(t);
const operator = client(server.url, server.bootstrapToken);

interface Tenant {
  readonly api: Client;
  readonly base: string;
  set(limits: object): Promise<void>;
  shown(): Promise<Shown>;
}

interface Shown {
  readonly dailySends: { readonly cap: number | null; readonly used: number };
  readonly lanes: Readonly<
    Record<'transactional' | 'standard', { readonly limit: number; readonly remaining: number }>
  >;
  readonly emailAllowance: {
    readonly included: number | null;
    readonly used: number;
    readonly reserved: number;
  };
}

/** A fresh org without limits on its lanes; one person has a phone, one a mailbox. */
async function tenant(): Promise<Tenant> {
  const { org, apiKey } = await operator.must('POST /v1/orgs', { name: 'Limited' });
  const set = (to: object) => operator.must(`PATCH /v1/orgs/${org.id}`, to);
  await set({ rateLimits: { standard: null, transactional: null } });
  const api = client(server.url, apiKey.key);
  const { id } = await api.must('POST /v1/apps', { name: 'Limited' });
  const base = `/v1/apps/${id}`;
  for (const [externalUserId, channel, endpoint] of [
    ['phone', 'fcm', 'phone-1'],
    ['mail', 'email', 'mail@example.com'],
  ])
    await api.must(`POST ${base}/subscribers`, {
      externalUserId,
      devices: [{ channel, endpoint }],
    });
  return { api, base, set, shown: () => api.must('GET /v1/org/limits') };
}

const words = { title: 'Hello', body: 'There' };

t.test('both lanes take what is shown as left, and not one more', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 9 }),
      async (a, b) => {
        const one = await tenant();
        await one.set({ rateLimits: { transactional: a } });
        const { transactional } = (await one.shown()).lanes;
        t.same([transactional.limit, transactional.remaining], [a, a], 'from the next request on');
        const line = `POST ${one.base}/notifications/batch`;
        const batch = (count: number) => ({
          ...words,
          recipients: Array.from({ length: count }, () => ({ externalUserId: 'phone' })),
        });
        t.equal((await one.api.call(line, batch(a + 1))).status, 429, 'a batch is all or nothing');
        t.equal((await one.shown()).lanes.transactional.remaining, a, 'and costs nothing');
        t.equal((await one.api.call(line, batch(a))).status, 202);
        t.equal((await one.shown()).lanes.transactional.remaining, 0);
        const single = await one.api.call(`POST ${one.base}/notifications`, {
          externalUserId: 'phone',
          ...words,
        });
        t.match([single.status, single.json.code], [429, 'rate_limited']);
        await one.set({ rateLimits: { transactional: a + 1 } });
        t.equal(
          (await one.shown()).lanes.transactional.remaining,
          1,
          'raised for the next request',
        );

        const { remaining: before } = (await one.shown()).lanes.standard;
        t.equal(before, null, 'unlimited');
        // Calls of the last minute count, so the limit is above them.
        await one.set({ rateLimits: { standard: 60 + b } });
        const { remaining } = (await one.shown()).lanes.standard;
        for (let left = remaining - 1; left >= 0; left--) {
          const { status, headers } = await one.api.call('GET /v1/org');
          t.match([status, headers['x-ratelimit-remaining']], [200, String(left)]);
        }
        const over = await one.api.call('GET /v1/org');
        t.match([over.status, over.json.code], [429, 'rate_limited']);
        t.match(over.headers['retry-after'], /^\d+$/);
      },
    ),
    { numRuns: tries(4) },
  );
});

t.test('the daily cap takes what is shown as left', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 3 }),
      async (a, b) => {
        const one = await tenant();
        const send = () =>
          one.api.call(`POST ${one.base}/notifications`, { externalUserId: 'phone', ...words });
        for (let n = 0; n < b; n++) t.equal((await send()).status, 202);
        await one.set({ dailySendCap: a });
        const { cap, used } = (await one.shown()).dailySends;
        t.same([cap, used], [a, b]);
        for (let left = a - used; left > 0; left--) t.equal((await send()).status, 202);
        const over = await send();
        t.match([over.status, over.json.code], [429, 'daily_cap']);
        t.equal((await one.shown()).dailySends.used, Math.max(a, b), 'a refusal is not counted');
      },
    ),
    { numRuns: tries(6) },
  );
});

t.test('the email allowance takes what is shown as left', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      async (a, n) => {
        const one = await tenant();
        await one.set({ emailAllowance: a });
        t.same((await one.shown()).emailAllowance, { included: a, used: 0, reserved: 0 });
        const statuses: string[] = [];
        for (let i = 0; i < n; i++) {
          const line = `POST ${one.base}/notifications`;
          const { id } = await one.api.must(line, { externalUserId: 'mail', ...words });
          const read = async () => {
            const send = await one.api.must(`GET ${one.base}/notifications/${id}`);
            return send.status === 'pending' ? undefined : send;
          };
          const { status, outcomes } = await eventually(read, 'the mail has no receipt');
          statuses.push(status === 'suppressed' ? outcomes[0].reason : status);
        }
        const wanted = Array.from({ length: n }, (_, i) => (i < a ? 'delivered' : 'email_cap'));
        t.same(statuses, wanted);
        const used = Math.min(a, n);
        t.same((await one.shown()).emailAllowance, { included: a, used, reserved: 0 });
        await one.set({ emailAllowance: null });
        t.equal((await one.shown()).emailAllowance.included, null);
      },
    ),
    { numRuns: tries(4) },
  );
});

t.test('a batch has as many recipients as are shown', async (t) => {
  const one = await tenant();
  const { batchSize } = await one.api.must('GET /v1/org/limits');
  t.equal(batchSize, limits.batchRecipientsMax);
  const recipients = (count: number) =>
    Array.from({ length: count }, () => ({ externalUserId: 'nobody' }));
  const batch = `POST ${one.base}/notifications/batch`;
  const take = await one.api.call(batch, { ...words, recipients: recipients(batchSize) });
  t.equal(take.status, 202);
  const over = await one.api.call(batch, { ...words, recipients: recipients(batchSize + 1) });
  t.match([over.status, over.json.field], [400, 'recipients']);
});
