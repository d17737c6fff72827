// What every PartitionLog must do: the twin in memory, JetStream, and what may come. Each case has
// a log of its own, worked through the port alone, by as many processes as it needs.

import t, { type Test } from 'tap';
import { encodeFrame, encodeTurnFrame } from '../../engine/log/frame.ts';
import { beginning } from '../../engine/log/log-reader.ts';
import { Fenced, LogWriter } from '../../engine/log/log-writer.ts';
import type { Appended, LoggedFrame, PartitionLog } from '../../engine/log/partition-log.ts';

interface LogUnderTest {
  /** A new, empty log; each call of `reach` is another process that reaches it. */
  create(): Promise<{ readonly reach: () => Promise<PartitionLog> }>;
}

const bytes = (text: string) => Buffer.from(text);
const texts = (frames: readonly LoggedFrame[] | undefined) =>
  frames?.map((frame) => [frame.position, Buffer.from(frame.bytes).toString()]);
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Until it is known: a server that has just become a leader may not answer. */
async function sure(attempt: () => Promise<Appended>): Promise<Appended> {
  for (let tries = 0; ; tries++) {
    const end = await attempt();
    if (end.state !== 'unknown' || tries > 50) return end;
    await wait(100);
  }
}

/** Runs the suite; `name` goes before every guarantee. */
export function logConformance(name: string, subject: LogUnderTest): void {
  const guarantee = (
    sentence: string,
    body: (t: Test, reach: () => Promise<PartitionLog>) => Promise<void>,
  ) =>
    t.test(`${name}: ${sentence}`, async (t) => {
      const { reach } = await subject.create();
      await body(t, reach);
    });

  guarantee('a new log is empty', async (t, reach) => {
    const log = await reach();
    t.same(await log.read(0, 1_000), []);
    const range = await log.range();
    t.equal(range?.newest, 0);
  });

  guarantee('positions count from one, without gaps', async (t, reach) => {
    const log = await reach();
    for (const position of [1, 2, 3])
      t.same(await sure(() => log.append(bytes(`frame ${position}`), position - 1)), {
        state: 'appended',
        position,
      });
    const whole = [1, 2, 3].map((position) => [position, `frame ${position}`]);
    t.same(texts(await log.read(0, 1_000_000)), whole);
    t.same(texts(await log.read(2, 1_000_000)), whole.slice(2));
    t.same(texts(await log.read(0, 1)), whole.slice(0, 1), 'at least one');
    t.equal((await log.range())?.newest, 3);
  });

  guarantee('a frame that does not go behind the newest is refused', async (t, reach) => {
    const [one, two] = [await reach(), await reach()];
    await sure(() => one.append(bytes('a'), 0));
    for (const after of [0, 2, 7])
      t.same(await two.append(bytes('b'), after), { state: 'refused' });
    t.same(await sure(() => two.appendAnywhere(bytes('c'))), { state: 'appended', position: 2 });
    t.same(await one.append(bytes('d'), 1), { state: 'refused' });
    t.same(texts(await one.read(0, 1_000)), [
      [1, 'a'],
      [2, 'c'],
    ]);
  });

  guarantee('of many at one position one is taken', async (t, reach) => {
    const logs = await Promise.all(Array.from({ length: 5 }, reach));
    await sure(() => (logs[0] as PartitionLog).append(bytes('first'), 0));
    for (let round = 1; round <= 20; round++) {
      const ends = await Promise.all(logs.map((log, by) => log.append(bytes(`${by}`), round)));
      t.equal(ends.filter(({ state }) => state === 'appended').length, 1, `round ${round}`);
      t.equal(ends.filter(({ state }) => state === 'refused').length, 4);
    }
  });

  guarantee('a large frame, and every byte, come back as they were', async (t, reach) => {
    const log = await reach();
    const large = Buffer.alloc(4 * 1024 * 1024, 1).map((_, index) => index);
    await sure(() => log.append(large, 0));
    const [frame] = (await log.read(0, 1)) ?? [];
    t.equal(Buffer.compare(frame?.bytes ?? bytes(''), large), 0);
  });

  guarantee(
    'a tail gives everything once, in order, before and after it began',
    async (t, reach) => {
      const [writer, reader] = [await reach(), await reach()];
      const count = 300;
      for (let at = 0; at < 100; at++) await sure(() => writer.append(bytes(`${at}`), at));
      let wake = () => {};
      const tail = reader.tail(10, () => wake());
      const writing = (async () => {
        for (let at = 100; at < count; at++) await sure(() => writer.append(bytes(`${at}`), at));
      })();
      const seen: LoggedFrame[] = [];
      for (let tries = 0; seen.length < count - 10 && tries < 2_000; tries++) {
        const frames = (await tail.next()) ?? [];
        seen.push(...frames);
        if (frames.length === 0)
          await Promise.race([wait(20), new Promise<void>((resolve) => (wake = resolve))]);
      }
      await writing;
      tail.close();
      t.same(
        seen.map(({ position }) => position),
        Array.from({ length: count - 10 }, (_, index) => index + 11),
      );
      t.ok(seen.every((frame) => Buffer.from(frame.bytes).toString() === `${frame.position - 1}`));
    },
  );

  guarantee('what was trimmed is gone, and says so', async (t, reach) => {
    const log = await reach();
    for (let at = 0; at < 5; at++) await sure(() => log.append(bytes(`${at}`), at));
    await log.trim(3);
    t.match(await log.range(), { oldest: 4, newest: 5 });
    t.equal(await log.read(1, 1_000), undefined);
    t.same(texts(await log.read(3, 1_000)), [
      [4, '3'],
      [5, '4'],
    ]);
    t.same(await sure(() => log.append(bytes('more'), 5)), { state: 'appended', position: 6 });
  });

  guarantee('two owners take it from one another, and nothing is lost', async (t, reach) => {
    const owners = await Promise.all(
      [1, 2].map(
        async (writer) => new LogWriter({ log: await reach(), writer, from: beginning, wait }),
      ),
    );
    const committed: string[] = [];
    const take = async (owner: LogWriter, writer: number, term: number) => {
      const head = { kind: 'claim', term, epoch: 1, seq: 0, writer, before: 0 } as const;
      await owner.claim(encodeFrame(head, bytes('who')), () => {});
    };
    const write = async (owner: LogWriter, text: string) => {
      const head = { kind: 'turn', epoch: 1, ...owner.next('turn') } as const;
      const turn = { seq: head.seq, block: bytes(text), documents: [] };
      await owner.append(encodeTurnFrame(head, turn));
      committed.push(text);
    };
    const [one, two] = owners as [LogWriter, LogWriter];
    await take(one, 1, 1);
    for (let turn = 0; turn < 10; turn++) await write(one, `one ${turn}`);
    const racing = write(one, 'racing').catch((error: unknown) => error);
    await take(two, 2, 2);
    const end = await racing;
    await write(two, 'two');
    t.ok(end === undefined || end instanceof Fenced);
    await t.rejects(write(one, 'late'), Fenced);
    t.equal(two.place.seq, committed.length);
    await t.rejects(take(one, 1, 2), Fenced, 'a term is given once');
    await take(one, 1, 3);
    await write(one, 'again');
    t.equal(one.place.seq, committed.length);
  });
}
