// The bound of a thread: when all its calls are taken, destinations take turns.

import t from 'tap';
import type {
  WebhookAttempt,
  WebhookResult,
} from '../../../../actors/integrations/webhooks/call/attempt.ts';
import { WebhookCalls } from '../../../../actors/integrations/webhooks/calls.ts';
import { noIds } from '../../../../actors/integrations/webhooks/event.ts';
import { encodeChunk } from '../../../../actors/integrations/webhooks/event-chunk.ts';
import type { WebhookGrant } from '../../../../actors/integrations/webhooks/protocol.ts';
import { good } from './webhook-world.ts';

/** Of a thread, of a destination that asks for the most, and of one at its first calls. */
const callsMax = 2_048;
const slots = 64;
const slotsFirst = 16;

interface Open {
  readonly call: WebhookAttempt;
  readonly end: (result: WebhookResult) => void;
}

class Thread {
  readonly open: Open[] = [];
  /** The URLs of all calls, in order. */
  readonly begun: string[] = [];
  readonly #tasks: (() => void)[] = [];
  /** Whether the partition's lease holds. */
  hasLease = true;
  /** Deliveries that came back unsent. */
  returned = 0;
  readonly calls = new WebhookCalls({
    deliver: (call) => {
      this.begun.push(call.receiver.url);
      return new Promise((end) => this.open.push({ call, end }));
    },
    bodyOf: () => Buffer.from('{}'),
    onBug: (error) => {
      throw error;
    },
    now: () => 0,
    defer: (task) => this.#tasks.push(task),
    mayCall: () => this.hasLease,
    report: (_shard, _partition, _app, { reports }) => {
      this.returned += reports.filter(({ result }) => result === undefined).length;
    },
  });

  grant(app: number, url: string, count: number, partition = 0): void {
    const event = {
      kind: 'webhook.test',
      ...noIds,
      atMs: 0,
      seq: 1,
      metaJson: '{}',
    } as const;
    const grant: WebhookGrant = {
      kind: 'webhook.grant',
      partition,
      app,
      destination: 1,
      type: 'webhook',
      url,
      headers: {},
      secrets: [],
      concurrency: slots,
      atMs: 0,
      chunk: 0,
      isReplayed: false,
      events: encodeChunk(
        app,
        0,
        Array.from({ length: count }, () => event),
      ),
      places: Array.from({ length: count }, (_, place) => place),
    };
    this.calls.grant(0, grant);
  }

  /** Ends the oldest calls to this address. */
  async end(url: string, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const at = this.open.findIndex(({ call }) => call.receiver.url === url);
      this.open.splice(at, 1)[0]?.end(good);
    }
    for (let i = 0; i < 8; i++) await Promise.resolve();
    for (const task of this.#tasks.splice(0)) task();
  }
}

t.test('an org makes as many calls as are free, and its destinations take turns', async (t) => {
  const thread = new Thread();
  const ofOrg = (n: number) => 7 + 4_096 * n;
  for (let n = 0; n < 200; n++) thread.grant(ofOrg(n), 'https://hog.example', 256);
  t.equal(thread.calls.inFlight, callsMax / 2);
  for (const [i, name] of ['a', 'b', 'c'].entries())
    thread.grant(ofOrg(1_000 + i), `https://${name}.example`, 4);
  t.equal(thread.begun.length, callsMax / 2, 'there is no room for more of that org');
  thread.grant(8, 'https://other.example', 4);
  t.equal(thread.begun.at(-1), 'https://other.example', 'and room for another');
  t.equal(thread.calls.inFlight, callsMax / 2 + 4);
  await thread.end('https://other.example', 4);

  const before = thread.begun.length;
  await thread.end('https://hog.example', 300);
  const later = thread.begun.slice(before);
  t.equal(thread.calls.inFlight, callsMax / 2);
  const shareOf = (name: string) => later.filter((url) => url.includes(name)).length;
  for (const name of ['a.example', 'b.example', 'c.example'])
    t.ok(shareOf(name) >= 2, `${name} has ${shareOf(name)} of 300`);
});

t.test('a few orgs that take all they can leave room for the next', async (t) => {
  const thread = new Thread();
  for (let org = 1; org <= 5; org++)
    for (let n = 0; n < 200; n++) thread.grant(org + 4_096 * n, `https://${org}.example`, 256);
  t.equal(thread.calls.inFlight, callsMax - callsMax / 32);
  thread.grant(6, 'https://next.example', 1);
  t.equal(thread.begun.at(-1), 'https://next.example');
});

t.test('a destination has no more calls at once than its own bound', async (t) => {
  const thread = new Thread();
  thread.grant(1, 'https://a.example', 200);
  thread.grant(2, 'https://b.example', 10);
  t.equal(thread.begun.length, slotsFirst + 10, 'and nobody else waits for it');
  let most = 0;
  while (thread.open.some(({ call }) => call.receiver.url === 'https://a.example')) {
    await thread.end('https://a.example', 1);
    most = Math.max(most, thread.open.length - 10);
  }
  t.equal(most, slots);
  t.equal(thread.begun.length, 210);
});

t.test('what is remembered of a receiver ends when it changes', async (t) => {
  const thread = new Thread();
  thread.grant(1, 'https://a.example', 1);
  thread.grant(1, 'https://a.example', 1);
  thread.grant(1, 'https://b.example', 1);
  const [first, again, other] = thread.open.map(({ call }) => call.receiver);
  t.equal(again, first);
  t.not(other, first);
  t.equal(other?.url, 'https://b.example');
});

t.test('what was granted in a term that is over does not begin', async (t) => {
  const thread = new Thread();
  const url = 'https://a.example';
  thread.grant(1, url, 40);
  t.equal(thread.calls.inFlight, slotsFirst);
  thread.calls.disown(0);
  await thread.end(url, slotsFirst);
  t.equal(thread.calls.inFlight, 0);
  t.equal(thread.begun.length, slotsFirst);

  // It owns the partition again, and nobody said that it had lost it.
  thread.grant(1, url, 40, 8);
  thread.grant(1, url, 2, 16);
  t.equal(thread.calls.inFlight, slotsFirst + 2, 'the line of before holds nothing up');
  await thread.end(url, slotsFirst + 2);
  t.equal(thread.calls.inFlight, 0, 'and is gone');
  thread.grant(1, url, 3, 16);
  t.equal(thread.calls.inFlight, 3);
});

t.test('without a lease no call begins', async (t) => {
  const thread = new Thread();
  const url = 'https://a.example';
  thread.grant(1, url, slotsFirst + 4);
  t.equal(thread.calls.inFlight, slotsFirst);
  thread.hasLease = false;
  await thread.end(url, 2);
  t.equal(thread.calls.inFlight, slotsFirst - 2);
  thread.grant(1, url, 3);
  await thread.end(url, slotsFirst - 2);
  t.equal(thread.begun.length, slotsFirst);
  t.equal(thread.returned, 4 + 3);
});
