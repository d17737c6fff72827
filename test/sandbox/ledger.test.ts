// The ring: bounded by count and by bytes, newest first, ids that never come back, and news that do
// not flood.

import t from 'tap';
import { Ledger, type LedgerChange } from '../../sandbox/ledger.ts';
import type { Content, ReceivedMessage } from '../../sandbox/message.ts';

const bytesHeldMax = 64 * 1024 * 1024;
const clock = { now: () => 1_700_000_000_000, monotonic: () => 0 };

function aMessage(to: string, more: Partial<ReceivedMessage> = {}): ReceivedMessage {
  return {
    channel: 'fcm',
    look: 'phone',
    to,
    outcome: 'accepted',
    exchange: { request: 'POST /', requestHeaders: [], requestBody: Buffer.alloc(0) },
    read: () => ({ title: to }),
    ...more,
  };
}

const recipients = (ledger: Ledger) => [...ledger.newestFirst()].map(({ to }) => to);

t.test('past its capacity the ring drops the oldest', async (test) => {
  const ledger = new Ledger(clock, 3);
  for (const to of ['a', 'b', 'c', 'd', 'e']) void ledger.record(aMessage(to));
  test.same(recipients(ledger), ['e', 'd', 'c']);
  test.equal(ledger.held, 3);
  test.equal(ledger.get(2), undefined, 'dropped');
  test.equal(ledger.get(3)?.to, 'c');
  test.equal(ledger.get(6), undefined, 'not yet');
  test.same(
    [...ledger.newestFirst(4)].map(({ id }) => id),
    [5],
  );
});

t.test('bodies are bounded by bytes too, and the newest is always held', async (test) => {
  const ledger = new Ledger(clock);
  const withBody = (bytes: number) => ({
    exchange: { request: '', requestHeaders: [], requestBody: Buffer.alloc(bytes) },
  });
  for (let i = 0; i < 10; i++) void ledger.record(aMessage(String(i), withBody(bytesHeldMax / 4)));
  test.equal(ledger.held, 3);
  void ledger.record(aMessage('huge', withBody(bytesHeldMax + 1)));
  test.same(recipients(ledger), ['huge']);
});

t.test('clearing forgets messages but not how far ids have come', async (test) => {
  const ledger = new Ledger(clock, 3);
  for (const to of ['a', 'b']) void ledger.record(aMessage(to));
  ledger.clear();
  test.same(recipients(ledger), []);
  void ledger.record(aMessage('c'));
  test.equal(ledger.get(3)?.to, 'c');
  test.equal(ledger.get(1), undefined);
});

t.test('with recording off calls are counted and nothing is kept', async (test) => {
  const ledger = new Ledger(clock);
  ledger.recording = false;
  void ledger.record(aMessage('a', { sendId: 'ntf_1', deviceId: 'dev_1' }));
  test.equal(ledger.held, 0);
  test.match(ledger.counts.channels(), { fcm: { calls: 1 } });
  test.equal(ledger.counts.repeats().pairs, 0);
});

t.test('a content is read once', async (test) => {
  const ledger = new Ledger(clock);
  let reads = 0;
  const read = (): Content => ({ title: `read ${++reads}` });
  void ledger.record(aMessage('a', { read }));
  const message = ledger.get(1);
  if (!message) throw new Error('held');
  test.same(await ledger.contentOf(message), { title: 'read 1' });
  test.same(await ledger.contentOf(message), { title: 'read 1' });
});

t.test('a burst is one piece of news', async (test) => {
  const ledger = new Ledger(clock);
  void ledger.record(aMessage('before'));
  // The announcement alone would not keep the process waiting for it.
  const waiting = setInterval(() => undefined, 1_000);
  const news = await new Promise<LedgerChange>((resolve) => {
    ledger.listen(resolve);
    for (let i = 0; i < 100; i++) void ledger.record(aMessage(String(i)));
  });
  clearInterval(waiting);
  test.same(news, { kind: 'arrived', afterId: 1 }, 'all hundred are after the one before');
  ledger.close();
});
