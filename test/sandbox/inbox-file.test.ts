// The inbox over a kill: what it showed is shown again, oldest out first, and what a kill cut short
// spoils nothing.

import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { InboxFile } from '../../sandbox/inbox-file.ts';
import { Ledger } from '../../sandbox/ledger.ts';
import type { ReceivedMessage } from '../../sandbox/message.ts';

const inboxFileBytesMax = 16 * 1024 * 1024;
let nowMs = 1_700_000_000_000;
const clock = { now: () => nowMs++, monotonic: () => 0 };

function aMessage(to: string, more: Partial<ReceivedMessage> = {}): ReceivedMessage {
  return {
    channel: 'fcm',
    look: 'phone',
    to,
    sendId: `ntf_${to}`,
    deviceId: `dev_${to}`,
    outcome: 'accepted',
    exchange: {
      request: 'POST /',
      requestHeaders: ['accept', '*/*'],
      requestBody: Buffer.from([0, 255, 10]),
      answer: { status: 200, headers: {}, body: '{}' },
    },
    read: () => ({ title: to }),
    ...more,
  };
}

/** A ledger over a directory, as a start makes it; nothing of the one before it was closed. */
function start(directory: string, capacity?: number): Ledger {
  return new Ledger(clock, capacity, new InboxFile(directory, (line) => t.fail(line)));
}

async function shown(ledger: Ledger) {
  return Promise.all(
    [...ledger.newestFirst()].map(async (message) => {
      const { read: _read, ...rest } = message;
      return { ...rest, content: await ledger.contentOf(message) };
    }),
  );
}

t.test('after a kill the inbox shows what it showed, and counts go on', async (test) => {
  const directory = join(test.testdir(), 'sandbox');
  const before = start(directory);
  void before.record(aMessage('a'));
  void before.record(aMessage('b', { outcome: 'refused', fault: 'dead' }));
  void before.record(aMessage('c', { channel: 'email', read: async () => ({ html: '<p>é</p>' }) }));
  await before.contentOf(before.get(3) as never);
  const after = start(directory);
  test.same(await shown(after), await shown(before));
  void after.record(aMessage('a'));
  test.match(after.counts.repeats(), { pairs: 3, calledAgain: 1, acceptedAgain: 1 });
  test.same(
    (await shown(start(directory))).map(({ id, to }) => [id, to]),
    [
      [4, 'a'],
      [3, 'c'],
      [2, 'b'],
      [1, 'a'],
    ],
  );
});

t.test('a line that a kill cut short is left out, and none after it', async (test) => {
  const directory = test.testdir();
  void start(directory).record(aMessage('a'));
  appendFileSync(join(directory, 'inbox.jsonl'), '\n{"channel":"fc');
  void start(directory).record(aMessage('b'));
  test.same(
    (await shown(start(directory))).map(({ to }) => to),
    ['b', 'a'],
  );
});

t.test('what is forgotten stays forgotten; what is not recorded is not kept', async (test) => {
  const directory = test.testdir();
  const before = start(directory);
  void before.record(aMessage('a'));
  before.clear();
  before.recording = false;
  void before.record(aMessage('b'));
  test.equal(start(directory).held, 0);
});

t.test('no more is kept than two files, and no more shown than is held', async (test) => {
  const directory = test.testdir();
  writeFileSync(join(directory, 'inbox.jsonl'), `\n${' '.repeat(inboxFileBytesMax)}`);
  const before = start(directory);
  for (const to of ['a', 'b', 'c']) void before.record(aMessage(to));
  test.equal(statSync(join(directory, 'inbox-before.jsonl')).size > inboxFileBytesMax, true);
  test.equal(readFileSync(join(directory, 'inbox.jsonl'), 'utf8').split('\n').length, 3);
  test.same(
    (await shown(start(directory, 2))).map(({ to }) => to),
    ['c', 'b'],
  );
});

t.test('a disk that takes nothing keeps no call from its answer', async (test) => {
  const directory = test.testdir();
  mkdirSync(join(directory, 'inbox.jsonl'));
  const said: string[] = [];
  const file = new InboxFile(directory, (line) => said.push(line));
  const ledger = new Ledger(clock, 10, file);
  for (const to of ['a', 'b']) void ledger.record(aMessage(to));
  test.equal(ledger.held, 2);
  test.equal(said.length, 1, 'and that is said once');
});
