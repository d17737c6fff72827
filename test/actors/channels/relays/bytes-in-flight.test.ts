// What the calls of a dispatch thread hold of mails: never more than the bound, in order, and no
// relay keeps the others from sending.

import fc from 'fast-check';
import t from 'tap';
import type { RelayAccount, RelayMail } from '../../../../actors/channels/email/relay-mail.ts';
import { boundedAccount } from '../../../../actors/channels/relays/bounded-account.ts';
import { BytesInFlight } from '../../../../actors/channels/relays/bytes-in-flight.ts';
import { aRelayMail } from '../../../conformance/relay.ts';
import { testClock } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const bounds = { bytesMax: 100, shareMax: 40, waitMs: 60_000 };
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Tasks that end when they are told to. */
class Tasks {
  readonly begun: number[] = [];
  readonly ended: number[] = [];
  readonly #ends = new Map<number, () => void>();

  task(name: number) {
    return () => {
      this.begun.push(name);
      return new Promise<number>((resolve) => {
        this.#ends.set(name, () => {
          this.ended.push(name);
          resolve(name);
        });
      });
    };
  }

  get running(): readonly number[] {
    return [...this.#ends.keys()];
  }

  end(name: number): void {
    this.#ends.get(name)?.();
    this.#ends.delete(name);
  }
}

const job = fc.record({
  relay: fc.constantFrom('a', 'b', 'c', 'd'),
  bytes: fc.integer({ min: 1, max: 120 }),
});

t.test('never more than the bound, each relay in its order, and all end', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(job, { maxLength: 40 }),
      fc.infiniteStream(fc.nat()),
      async (jobs, dice) => {
        const bytes = new BytesInFlight(bounds, testClock());
        const tasks = new Tasks();
        const all = jobs.map(({ relay, bytes: own }, n) => bytes.run(relay, own, tasks.task(n)));
        const sizeOf = (names: readonly number[]) =>
          names.reduce((sum, name) => sum + (jobs[name]?.bytes ?? 0), 0);
        while (tasks.ended.length < jobs.length) {
          const { running } = tasks;
          if (running.length === 0) throw new Error('everybody waits');
          if (running.length > 1 && sizeOf(running) > bounds.bytesMax) throw new Error('too many');
          for (const relay of ['a', 'b', 'c', 'd']) {
            const own = running.filter((name) => jobs[name]?.relay === relay);
            if (own.length > 1 && sizeOf(own) > bounds.shareMax)
              throw new Error('too large a share');
          }
          const { value } = dice.next();
          tasks.end(running[Number(value) % running.length] ?? 0);
          await turn();
        }
        for (const relay of ['a', 'b', 'c', 'd']) {
          const own = tasks.begun.filter((name) => jobs[name]?.relay === relay);
          if (own.some((name, i) => name < (own[i - 1] ?? -1))) throw new Error('overtaken');
        }
        await Promise.all(all);
      },
    ),
    { numRuns: tries(100) },
  );
  t.pass('held');
});

t.test('a slow relay leaves room for the others', async (t) => {
  const bytes = new BytesInFlight(bounds, testClock());
  const tasks = new Tasks();
  const slow = Array.from({ length: 20 }, (_, n) => bytes.run('slow', 20, tasks.task(n)));
  const other = bytes.run('other', 40, tasks.task(20));
  await turn();
  t.same(tasks.begun, [0, 1, 20]);
  while (tasks.ended.length < 21) {
    for (const name of tasks.running) tasks.end(name);
    await turn();
  }
  await Promise.all([...slow, other]);
});

t.test('what gets no room in time is not begun', async (t) => {
  const clock = testClock();
  const bytes = new BytesInFlight(bounds, clock);
  const tasks = new Tasks();
  const all = [0, 1, 2].map((n) => bytes.run('a', 100, tasks.task(n)));
  clock.nowMs += bounds.waitMs;
  tasks.end(0);
  t.equal(await all[0], 0);
  t.same(tasks.begun, [0, 1], 'the first that waited had room when it gave up');
  t.equal(await all[2], 'full');
  const fourth = bytes.run('a', 100, tasks.task(3));
  tasks.end(1);
  await all[1];
  await turn();
  tasks.end(3);
  t.equal(await fourth, 3, 'there is room again');
});

t.test('a task that fails gives its room back', async (t) => {
  const bytes = new BytesInFlight(bounds, testClock());
  await t.rejects(bytes.run('a', 100, () => Promise.reject(new Error('a bug'))));
  t.equal(await bytes.run('a', 100, () => Promise.resolve('sent')), 'sent');
});

t.test(
  'a mail is not encoded before there is room, and not at all if it is recalled',
  async (t) => {
    const sent: string[] = [];
    let end = () => {};
    const account: RelayAccount = {
      send: ({ mark }) => {
        sent.push(mark);
        return new Promise((resolve) => {
          end = () => resolve({ outcome: 'accepted' });
        });
      },
      check: () => Promise.resolve({ checked: true, ok: true }),
      close: () => Promise.resolve(),
    };
    const bounded = boundedAccount(account, 'rel_1', new BytesInFlight(bounds, testClock()));
    const content = new Uint8Array(100);
    const large = (n: number): RelayMail =>
      aRelayMail(
        { attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', content }] },
        n,
      );
    const first = bounded.send(large(1));
    let isRecalled = false;
    const second = bounded.send(large(2), () => !isRecalled);
    const third = bounded.send(large(3));
    isRecalled = true;
    await turn();
    t.same(sent, [large(1).mark]);
    end();
    t.match(await first, { outcome: 'accepted' });
    t.match(await second, { outcome: 'retry', reason: 'recalled' });
    await turn();
    t.same(sent, [large(1).mark, large(3).mark]);
    end();
    t.match(await third, { outcome: 'accepted' });
  },
);
