// What the client workspaces of an agency may store together: a multiple of the agency's own quota,
// or each new workspace would bring its own share of the disk.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { Pair } from './pair.ts';

const kib = 1_024;
const mib = 1_024 * kib;

/** A quota of the agency by which its clients share one mebibyte, and more for the client. */
async function aPair(): Promise<Pair> {
  const pair = await new Pair().begin();
  await pair.pass(minuteMs);
  const shared = { storageQuotaBytes: mib / limits.clientsShare };
  await pair.parent.value(pair.org, 'org.set_limits', shared);
  await pair.client.value(clientOf(pair), 'org.set_limits', { storageQuotaBytes: 100 * mib });
  return pair;
}

const clientOf = (pair: Pair) => pair.clients[0]?.record.ordinal ?? 0;

/** About as many bytes of events, in calls of 100 KiB. */
async function store(pair: Pair, bytes: number): Promise<void> {
  for (let at = 0; at < bytes; at += 100 * kib)
    await pair.client.value(
      pair.app,
      'events.ingest',
      { keyless: false },
      {
        bytes: Buffer.from(
          JSON.stringify({
            events: Array.from({ length: 25 }, (_, i) => ({
              name: 'visit',
              externalUserId: 'ada',
              props: { text: `${at}-${i}`.padEnd(4 * kib, 'x') },
            })),
          }),
        ),
      },
    );
}

const events = (pair: Pair, externalUserId: string) =>
  pair.client.ask(
    pair.app,
    'events.ingest',
    { keyless: false },
    { bytes: Buffer.from(JSON.stringify({ events: [{ name: 'visit', externalUserId }] })) },
  );

t.test('a client stops when all clients together have used up what they share', async (t) => {
  const pair = await aPair();
  await pair.track('ada');
  await pair.pass(minuteMs);
  t.match(await pair.parent.value(pair.org, 'client.stored', {}), {
    usedBytes: mib,
    quotaBytes: mib,
  });
  t.ok((await events(pair, 'eve')).ok, 'rounded up to the quota is not above it');

  await store(pair, 1.2 * mib);
  await pair.pass(minuteMs);
  const refused = await events(pair, 'bob');
  t.match(refused, { ok: false, fault: { code: 'storage_quota', message: /your agency/ } });
  const message = { content: { title: 'News', body: 'x' } };
  const made = await pair.client.ask(
    pair.app,
    'message.create',
    { message },
    { by: clientOf(pair) },
  );
  t.match(made, { ok: false, fault: { code: 'storage_quota' } }, 'content, too');
  t.match(await pair.client.value(clientOf(pair), 'client.stored', {}), { isFull: true });

  await pair.restart('client');
  t.match(await events(pair, 'bob'), { ok: false }, 'also after a restart');
});

t.test('a client goes on a moment after there is room again', async (t) => {
  const pair = await aPair();
  await pair.track('ada');
  await store(pair, 1.2 * mib);
  await pair.pass(minuteMs);
  t.match(await events(pair, 'bob'), { ok: false });
  await pair.restart('parent');
  await pair.parent.value(pair.org, 'org.set_limits', { storageQuotaBytes: 5 * mib });
  await pair.pass(minuteMs);
  t.ok((await events(pair, 'bob')).ok);
});

t.test('without a quota of the agency, or of the client, nobody stops', async (t) => {
  for (const which of ['parent', 'client'] as const) {
    const pair = await aPair();
    const org = which === 'parent' ? pair.org : clientOf(pair);
    await pair[which].value(org, 'org.set_limits', { storageQuotaBytes: null });
    await pair.track('ada');
    await store(pair, 1.2 * mib);
    await pair.pass(minuteMs);
    t.ok((await events(pair, 'bob')).ok, which);
  }
});
