// Recalled rows are returned unsent; nothing of a shard begins while its recall is on the way.

import t from 'tap';
import type { Adapter, MayBegin } from '../../../../actors/channels/port/adapter.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { Dispatcher } from '../../../../actors/sending/dispatch/dispatcher.ts';
import type { DispatchRecall, DispatchWave } from '../../../../actors/sending/dispatch/protocol.ts';
import type { AttemptReport, DispatchGrant } from '../../../../actors/sending/outbox/protocol.ts';
import { SharedCounts } from '../../../../engine/thread/shared-word.ts';
import { testClock } from '../../../support/partition.ts';

interface Row {
  readonly person: number;
  readonly campaignId?: string;
  readonly journeyId?: string;
}

/** An adapter like the mail relay's: it lets `connections` messages begin, and others wait. */
function aRelay(connections: number) {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const busy: (() => void)[] = [];
  const pump = () => {
    while (busy.length < connections && waiting.length > 0) waiting.shift()?.();
  };
  const adapter: Adapter = {
    send: (attempt: Attempt, _credentials: unknown, mayBegin?: MayBegin) =>
      new Promise<Outcome>((resolve) => {
        waiting.push(() => {
          if (mayBegin?.() === false) return resolve({ outcome: 'retry', reason: 'recalled' });
          begun.push(attempt.sendId);
          busy.push(() => resolve({ outcome: 'accepted' }));
        });
        pump();
      }),
    close: async () => {},
  };
  const answer = async () => {
    for (const done of busy.splice(0)) done();
    pump();
    await settled();
  };
  return { adapter, begun, answer };
}

function aScene({ connections = 2 } = {}) {
  const counts = new SharedArrayBuffer(8);
  const relay = aRelay(connections);
  const reports: AttemptReport[] = [];
  const handedBack: number[] = [];
  const dispatcher = new Dispatcher({
    adapters: new Map([['email', relay.adapter]]),
    clock: testClock(),
    defer: queueMicrotask,
    after: () => {},
    onBug: (error) => t.fail(String(error)),
    report: (_shard, _partition, _app, report) => {
      if (report.kind === 'dispatch.report') reports.push(...report.reports);
      else if (report.kind === 'dispatch.wave_report')
        report.people.forEach((person, row) => {
          if (report.outcomes[report.codes[row] as number] === null) handedBack.push(person);
        });
    },
    unsubscribeUrl: () => '',
    preferencesUrl: () => 'http://engage.test/p/x',
    recalls: counts,
  });
  const grant = (app: number, rows: readonly Row[]) =>
    dispatcher.grant(0, {
      kind: 'dispatch.grant',
      partition: 0,
      app,
      channel: 'email',
      credentials: {},
      attempts: rows.map(({ person, campaignId, journeyId }) => ({
        target: 0,
        person,
        ...(journeyId === undefined ? {} : { journeyId }),
        ...(campaignId === undefined ? {} : { campaignId }),
        attempt: {
          sendId: `to-${person}`,
          lane: (campaignId ?? journeyId) === undefined ? 'express' : 'bulk',
          attempt: 1,
          content: { body: 'Hi', options: {} },
        } as unknown as Attempt,
      })),
    } satisfies DispatchGrant);
  const unsent = () =>
    reports.filter(({ outcome }) => outcome === undefined).map(({ sendId }) => sendId);
  /** As a shard does it; `arrive` is its message. */
  const recall = (what: Omit<DispatchRecall, 'kind'>) => {
    new SharedCounts(counts).raise(0);
    return async () => {
      dispatcher.recall(0, { kind: 'dispatch.recall', ...what });
      await settled();
    };
  };
  return { dispatcher, relay, grant, recall, reports, unsent, handedBack };
}

const settled = async () => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
};

const people = (count: number, campaignId?: string): Row[] =>
  Array.from({ length: count }, (_, person) => ({
    person,
    ...(campaignId === undefined ? {} : { campaignId }),
  }));

t.test('a recalled row is returned, wherever it waits, and others are sent', async (t) => {
  const { grant, recall, relay, unsent, reports, dispatcher } = aScene();
  grant(1, people(70)); // 2 begun, 62 in the adapter, 6 here
  await recall({ app: 1, people: [1, 5, 69] as never })();
  t.same(unsent(), ['to-69']);
  for (let i = 0; i < 40; i++) await relay.answer();
  t.same(unsent(), ['to-69', 'to-5'], 'the first two had begun');
  t.equal(relay.begun.length, 68);
  t.notOk(relay.begun.includes('to-5') || relay.begun.includes('to-69'));
  t.equal(reports.length, 70, 'every row is reported once');
  t.equal(dispatcher.figures.recalled, 2);
});

t.test('nothing of a shard begins between its count and its message', async (t) => {
  const { grant, recall, relay, unsent } = aScene();
  grant(1, people(4)); // two begun, two in the adapter
  const arrive = recall({ app: 2, people: [0] as never });
  grant(1, [{ person: 7 }]);
  await relay.answer();
  t.same(relay.begun, ['to-0', 'to-1']);
  t.same(unsent(), ['to-2', 'to-3'], 'nobody knows whether they may begin: the shard asks again');
  await arrive();
  await relay.answer();
  t.same(relay.begun, ['to-0', 'to-1', 'to-7'], 'what had not reached the adapter just waited');
});

t.test('a journey is recalled as a whole, and nothing else', async (t) => {
  const { grant, recall, relay, unsent } = aScene({ connections: 1 });
  const journeyId = 'jrn_1';
  grant(1, [
    { person: 100 },
    ...[0, 1, 2].map((person) => ({ person, journeyId })),
    { person: 200, journeyId: 'jrn_2' },
    { person: 300, campaignId: 'cmp_1' },
  ]);
  await recall({ app: 1, journeyId })();
  for (let i = 0; i < 8; i++) await relay.answer();
  t.same(unsent().sort(), ['to-0', 'to-1', 'to-2']);
  t.same(relay.begun.sort(), ['to-100', 'to-200', 'to-300']);
});

t.test('a campaign, or an app, is recalled as a whole, and no other', async (t) => {
  for (const what of [{ app: 1, campaignId: 'cmp_1' }, { app: 1 }]) {
    const { grant, recall, relay, unsent } = aScene({ connections: 1 });
    grant(1, [{ person: 100 }, ...people(3, 'cmp_1'), { person: 200, campaignId: 'cmp_2' }]);
    grant(2, [{ person: 300, campaignId: 'cmp_1' }]);
    await recall(what)();
    for (let i = 0; i < 8; i++) await relay.answer();
    const isApp = what.campaignId === undefined;
    const ofCampaign = ['to-0', 'to-1', 'to-2'];
    t.same(unsent().sort(), isApp ? [...ofCampaign, 'to-200'] : ofCampaign);
    t.same(relay.begun.sort(), isApp ? ['to-100', 'to-300'] : ['to-100', 'to-200', 'to-300']);
  }
});

t.test('rows of a wave are recalled by person or by campaign', async (t) => {
  const wave = (campaignId: string) =>
    ({
      kind: 'dispatch.wave',
      partition: 0,
      app: 1,
      channel: 'email',
      wave: 1,
      campaignId,
      credentials: {},
      contents: [], // so that a row that is tried ends at once, with an outcome
      people: Uint32Array.from({ length: 4 }, (_, person) => person),
      records: new Uint8Array(0),
      ends: new Uint32Array(4),
    }) as unknown as DispatchWave;
  const { dispatcher, grant, recall, relay, handedBack } = aScene({ connections: 64 });
  grant(1, people(64)); // the waves come after these
  dispatcher.grant(0, wave('cmp_1'));
  dispatcher.grant(0, wave('cmp_2'));
  await recall({ app: 1, people: [2] as never })();
  await recall({ app: 1, campaignId: 'cmp_2' })();
  t.same(handedBack, [0, 1, 2, 3], 'all of the one campaign');
  await relay.answer();
  t.same(handedBack.slice(4), [2], 'one of the other');
});
