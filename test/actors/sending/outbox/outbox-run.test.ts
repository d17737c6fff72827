// Sends of a batch in the outbox: whatever happens to them, it is as if each had been put in by
// itself.

import fc from 'fast-check';
import t from 'tap';
import type { ChannelId } from '../../../../actors/channels/channel-ids.ts';
import { limits } from '../../../../actors/limits.ts';
import {
  deviceColumns,
  type SendDevice,
} from '../../../../actors/people/audience/device-columns.ts';
import { freshTarget } from '../../../../actors/sending/outbox/job.ts';
import { Outbox } from '../../../../actors/sending/outbox/outbox.ts';
import { OutboxRun } from '../../../../actors/sending/outbox/outbox-run.ts';
import { idInRun, type SendRun } from '../../../../actors/sending/outbox/send-chunk.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { bytesOfWords } from '../../../../engine/base/words.ts';
import { tries } from '../../../support/tries.ts';

const app = 7;
const channels: readonly ChannelId[] = ['email', 'sms', 'fcm'];

/** Sends of one batch: of each its person and the channels of its devices. */
interface Batch {
  readonly number: number;
  readonly sends: readonly { readonly person: number; readonly on: readonly ChannelId[] }[];
}

const people = fc.nat({ max: 5 });
const counts = fc.integer({ min: 1, max: 4 });
const channel = fc.constantFrom(...channels);
const aSend = fc.record({
  person: people,
  on: fc.array(channel, { minLength: 1, maxLength: 3 }),
});
const step = fc.oneof(
  fc.record({
    step: fc.constant('queue' as const),
    sends: fc.array(aSend, { minLength: 1, maxLength: 6 }),
  }),
  fc.record({ step: fc.constant('start' as const), channel, count: counts }),
  fc.record({
    step: fc.constantFrom('finish' as const, 'giveBack' as const, 'wait' as const),
    channel,
    count: counts,
  }),
  fc.record({ step: fc.constant('end unstarted' as const), channel, count: counts }),
  fc.record({ step: fc.constant('wake' as const) }),
  fc.record({ step: fc.constant('forget' as const), person: people }),
  fc.record({ step: fc.constant('merge' as const), person: people, into: people }),
  fc.record({ step: fc.constant('hold' as const), really: fc.nat({ max: 9 }) }),
  fc.record({ step: fc.constant('restart' as const) }),
);

function queueRun(outbox: Outbox, { number, sends }: Batch): void {
  const run: SendRun = { ordinal: app, atMs: 1_000 + number, high16: 3, low32: 1024 * number };
  outbox.addRun({
    run,
    acceptedMs: run.atMs,
    expiresMs: null,
    people: bytesOfWords(Uint32Array.from(sends, ({ person }) => person)),
    targets: deviceColumns(sends.map(({ on }) => on.map(device))),
  });
}

function queueEach(outbox: Outbox, { number, sends }: Batch): void {
  const run: SendRun = { ordinal: app, atMs: 1_000 + number, high16: 3, low32: 1024 * number };
  for (const [place, { person, on }] of sends.entries()) {
    const targets = on.map((one, i) => freshTarget(device(one, i)));
    const [sendId, open] = [idInRun(run, place), targets.length];
    outbox.add({ sendId, person, acceptedMs: run.atMs, expiresMs: null, targets, open });
  }
}

function device(one: ChannelId, index: number): SendDevice {
  const deviceId = formatId('dev', { ordinal: app, atMs: 5, high16: 1, low32: index });
  return { deviceId, channel: one };
}

/** Everything that anybody can see of an outbox. */
function seen(outbox: Outbox): unknown {
  const jobs = [...outbox.jobs.values()].sort((a, b) => (a.sendId < b.sendId ? -1 : 1));
  return {
    jobs,
    size: outbox.jobs.size,
    due: channels.map((one) =>
      [...outbox.due(outbox.queue(one))].map(({ job, index }) => [job.sendId, index]),
    ),
    open: channels.map((one) => outbox.openOn(one)),
    inFlight: channels.map((one) => outbox.queue(one).inFlight),
    of: [0, 1, 2, 3, 4, 5].map((person) =>
      outbox
        .of(person)
        .map(({ sendId }) => sendId)
        .sort(),
    ),
    ready: outbox.readyCount > 0,
    held: outbox
      .held(100)
      .map(({ sendId }) => sendId)
      .sort(),
  };
}

t.test('sends of a run are as if each had been added by itself', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let [run, each] = [new Outbox(), new Outbox()];
      let batches = 0;
      const started: [string, number, ChannelId][] = [];
      for (const one of steps) {
        const both = (what: (outbox: Outbox) => void) => [run, each].forEach(what);
        switch (one.step) {
          case 'queue': {
            const batch = { number: batches++, sends: one.sends };
            queueRun(run, batch);
            queueEach(each, batch);
            break;
          }
          case 'start':
          case 'end unstarted': {
            const due = [...each.due(each.queue(one.channel))].slice(0, one.count);
            for (const { job, index } of due.map(({ job, index }) => ({ job, index }))) {
              const isStart = one.step === 'start';
              both((outbox) => outbox[isStart ? 'start' : 'finish'](job.sendId, index));
              if (isStart) started.push([job.sendId, index, one.channel]);
            }
            break;
          }
          case 'finish':
          case 'giveBack':
          case 'wait':
            for (const [id, index] of started.splice(0, one.count))
              both((outbox) => {
                const why = { dueMs: 9, counted: true, ambiguous: false };
                if (one.step === 'wait') outbox.wait(id, index, why, 8);
                else outbox[one.step](id, index);
              });
            break;
          case 'wake':
            for (const { sendId } of [...each.jobs.values()])
              both((outbox) => outbox.wake(sendId, 10));
            break;
          case 'forget':
            both((outbox) => outbox.forget(one.person));
            break;
          case 'merge':
            if (one.person !== one.into) both((outbox) => outbox.reassign(one.person, one.into));
            break;
          case 'hold':
            if (one.really === 0) both((outbox) => outbox.hold());
            break;
          case 'restart':
            run = Outbox.restore(structuredClone(run.snapshot()));
            each = Outbox.restore(structuredClone(each.snapshot()));
        }
        const [found, expected] = [seen(run), seen(each)].map((state) => JSON.stringify(state));
        if (found !== expected) throw new Error(`${found}\nexpected ${expected}`);
      }
    }),
    { seed: 31, numRuns: tries(500) },
  );
  t.pass();
});

t.test('a run leaves nothing behind once all of it has been sent', async (t) => {
  const outbox = new Outbox();
  const sends = [1, 2, 3].map((person) => ({ person, on: channels }));
  queueRun(outbox, { number: 0, sends });
  for (const one of channels)
    for (const { job, index } of [...outbox.due(outbox.queue(one))]) {
      outbox.start(job.sendId, index);
      outbox.finish(job.sendId, index);
    }
  t.match(outbox.snapshot(), { jobs: [], runs: [] });
  t.equal(outbox.jobs.size, 0);
});

t.test(
  'however many small batches wait, there are no more runs than somebody can be looked for in',
  async (t) => {
    const outbox = new Outbox();
    const more = 3;
    const queue = (number: number) =>
      queueRun(outbox, { number, sends: [{ person: number, on: ['email'] }] });
    for (let number = 0; number < limits.outboxRunsMax + more; number++) queue(number);
    const { runs, jobs } = outbox.snapshot() as { runs: unknown[]; jobs: unknown[] };
    t.equal(runs.length, limits.outboxRunsMax);
    t.equal(jobs.length, more);
    t.equal(outbox.jobs.size, limits.outboxRunsMax + more);
    t.equal(outbox.openOn('email'), limits.outboxRunsMax + more);
    t.equal([...outbox.due(outbox.queue('email'))].length, limits.outboxRunsMax + more);
    t.equal(outbox.of(limits.outboxRunsMax + 1).length, 1);
  },
);

t.test('whoever asks for held sends does not make those of runs that are not', async (t) => {
  const outbox = new Outbox();
  for (let number = 0; number < 3; number++)
    queueRun(outbox, { number, sends: [1, 2].map((person) => ({ person, on: ['email'] })) });
  let made = 0;
  const { jobAt } = OutboxRun.prototype;
  OutboxRun.prototype.jobAt = function (place) {
    made++;
    return jobAt.call(this, place);
  };
  t.teardown(() => {
    OutboxRun.prototype.jobAt = jobAt;
  });
  outbox.hold('marketing'); // looks at the head of its line alone
  made = 0;
  t.same(outbox.held(10), []);
  t.equal(made, 0);
  outbox.hold();
  t.equal(outbox.held(5).length, 5);
});
