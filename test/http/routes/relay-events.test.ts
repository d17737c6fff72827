// The call of a mail service: what proves nothing changes nothing, and each app gets its own
// events.

import t from 'tap';
import type { ReadRelayCall, RelayEvent } from '../../../actors/channels/port/relay-events.ts';
import { notFound } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { formatId } from '../../../engine/base/id.ts';
import { receiveRelay } from '../../../http/routes/webhooks/relay.ts';

const org = 7;
let relays = 0;

const eventOf = (app: number, n = 1): RelayEvent => ({
  kind: 'delivered',
  sendId: formatId('ntf', { ordinal: app, atMs: n, high16: 0, low32: n }),
  deviceId: formatId('dev', { ordinal: app, atMs: n, high16: 0, low32: n }),
  atMs: 1,
});

interface Asked {
  readonly owner: number;
  readonly kind: string;
  readonly events: readonly RelayEvent[];
  readonly items: readonly object[];
}

/** What the route answers and asks, when the service's call reads so. */
async function called(
  read: ReadRelayCall | undefined,
  { gone = -1, busy = -1, isProven = true } = {},
) {
  const asked: Asked[] = [];
  const refused: string[] = [];
  const id = formatId('rel', { ordinal: org, atMs: ++relays, high16: 0, low32: 0 });
  const call = {
    bytes: new Uint8Array(3),
    target: `/v1/webhooks/relay/${id}?a=1&b=2`,
    param: () => id,
    header: () => 'x',
    edge: {
      clock: { now: () => 1_790_000_000_000 },
      countRelayRefusal: (kind: string, reason: string) => refused.push(`${kind} ${reason}`),
      readRelayCall: async (_kind: string, _config: unknown, { query }: { query: string }) => {
        t.equal(query, 'a=1&b=2');
        return read;
      },
    },
    to: (owner: number) => ({
      ask: async (kind: string, { events = [], items = [] }: Partial<Asked>) => {
        asked.push({ owner, kind, events, items });
        if (kind === 'relay.open')
          return { relay: { id, kind: 'ses', config: {} }, channel: 'email' };
        if (kind === 'callback.proof') return isProven;
        if (owner === gone) throw new FaultError(notFound('app'));
        if (owner === busy) throw new FaultError({ code: 'overloaded', message: 'busy' });
        return { taken: events.length + items.length, repeated: 0, ignored: 0 };
      },
    }),
  };
  let answer: unknown;
  try {
    answer = (await receiveRelay.handle(call as never)).body;
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    answer = error.fault.code;
  }
  const of = (kind: string) => asked.filter((one) => one.kind === kind);
  const texts = of('callback.gateway');
  return {
    ...{ answer, refused, texts },
    told: of('callback.relay'),
    proofs: of('callback.proof'),
    heard: of('relay.reported'),
  };
}

t.test('each app gets its own events, in parts, and the owner hears that it reports', async (t) => {
  const many = Array.from({ length: limits.callbackItemsMax + 1 }, (_, i) => eventOf(8, i + 1));
  const events = [eventOf(9), ...many];
  const { answer, told, heard } = await called({ state: 'read', events, ignored: 2 });
  t.same(answer, { taken: events.length, repeated: 0, ignored: 2 });
  t.same(
    told.map((one) => [one.owner, one.events.length]),
    [
      [9, 1],
      [8, limits.callbackItemsMax],
      [8, 1],
    ],
  );
  t.match(heard, [{ owner: org }]);
});

t.test('what proves nothing is refused and counted, and nobody is told', async (t) => {
  for (const reason of ['signature', 'too_old', 'unreadable'] as const) {
    const { answer, refused, told, heard } = await called({ state: 'refused', reason });
    t.equal(answer, 'invalid_signature');
    t.same(refused, [`ses ${reason}`]);
    t.same([...told, ...heard], []);
  }
  t.equal((await called({ state: 'unavailable' })).answer, 'proof_unavailable');
  t.equal((await called(undefined)).answer, 'not_found', 'such a relay reports nothing');
});

t.test('a proof that covers no body holds if the owner of the relay says so', async (t) => {
  const proof = { token: 'captured', bodyHash: 'of-the-body' };
  const read = { state: 'read', events: [eventOf(8)], ignored: 0, proof } as const;
  const first = await called(read);
  t.match(first, { answer: { taken: 1 }, refused: [], proofs: [{ owner: org }] });
  const forged = await called(read, { isProven: false });
  t.match(forged, { answer: 'invalid_signature', refused: ['ses signature'] });
  t.same([...forged.told, ...forged.heard], []);
});

t.test('a confirmation, and a call without events of ours, mark nothing', async (t) => {
  for (const read of [
    { state: 'confirmed' } as const,
    { state: 'read', events: [], ignored: 3 } as const,
  ]) {
    const { told, heard } = await called(read);
    t.same([...told, ...heard], []);
  }
});

t.test(
  'an app that is gone is told nothing; one that is busy makes the service repeat',
  async (t) => {
    const events = [eventOf(8), eventOf(9)];
    const gone = await called({ state: 'read', events, ignored: 0 }, { gone: 8 });
    t.same(gone.answer, { taken: 1, repeated: 0, ignored: 1 });
    const busy = await called({ state: 'read', events, ignored: 0 }, { busy: 9 });
    t.equal(busy.answer, 'overloaded');
    t.same(busy.heard, []);
  },
);

t.test("a gateway's items go to the apps they name, the others to the relay's owner", async (t) => {
  const news = { kind: 'arrived' } as const;
  const item = { kind: 'status', name: 'a', addresses: ['+84901234567'], news } as const;
  const items = [{ item }, { app: 9, item }, { item }];
  const { answer, texts, heard } = await called({ state: 'read', events: [], ignored: 1, items });
  t.same(answer, { taken: 3, repeated: 0, ignored: 1 });
  t.same(
    texts.map((one) => [one.owner, one.items.length]),
    [
      [org, 2],
      [9, 1],
    ],
  );
  t.equal(heard.length, 1, 'it reports');
  const written = {
    kind: 'inbound',
    id: '1',
    from: '+84901234567',
    atMs: 1,
    keyword: 'stop',
  } as const;
  const replies = await called({
    state: 'read',
    events: [],
    ignored: 0,
    items: [{ item: written }],
  });
  t.equal(replies.heard.length, 0, 'a reply is no report');
  const gone = await called({ state: 'read', events: [], ignored: 0, items }, { gone: 9 });
  t.same(gone.answer, { taken: 2, repeated: 0, ignored: 1 });
});
