// What an app has to send: whose sends are open, whatever happened to them.

import fc from 'fast-check';
import t from 'tap';
import type { Job } from '../../../../actors/sending/outbox/job.ts';
import { Outbox } from '../../../../actors/sending/outbox/outbox.ts';
import { tries } from '../../../support/tries.ts';

function aJob(sendId: string, person: number, targets = 1): Job {
  return {
    sendId,
    person,
    acceptedMs: 0,
    expiresMs: null,
    targets: Array.from({ length: targets }, (_, index) => ({
      deviceId: `d${index}`,
      channel: 'email',
      state: 'due',
      attempts: 0,
      dueMs: 0,
      ambiguous: 0,
    })),
    open: targets,
  };
}

const small = fc.integer({ min: 0, max: 5 });
const step = fc.oneof(
  fc.record({ step: fc.constant('add' as const), send: small, person: small, targets: small }),
  fc.record({ step: fc.constant('start' as const), send: small, target: small }),
  fc.record({ step: fc.constant('finish' as const), send: small, target: small }),
  fc.record({ step: fc.constant('forget' as const), person: small }),
  fc.record({ step: fc.constant('restart' as const) }),
  fc.record({ step: fc.constantFrom('pause' as const, 'resume' as const) }),
);

t.test('the open sends of a person, and of a channel, are those of all jobs', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let outbox = new Outbox();
      for (const one of steps) {
        if (one.step === 'add') {
          const job = aJob(`s${one.send}`, one.person, one.targets + 1);
          const origin = { copy: 'cmp_1', campaignId: 'cmp_1' };
          outbox.add(one.send % 2 === 0 ? job : { ...job, origin });
        } else if (one.step === 'start') outbox.start(`s${one.send}`, one.target);
        else if (one.step === 'finish') outbox.finish(`s${one.send}`, one.target);
        else if (one.step === 'forget') outbox.forget(one.person);
        else if (one.step === 'pause' || one.step === 'resume') outbox[one.step]('cmp_1');
        else outbox = Outbox.restore(structuredClone(outbox.snapshot()));
        for (let person = 0; person <= 5; person++) {
          const theirs = [...outbox.jobs.values()].filter((job) => job.person === person);
          const found = outbox.of(person);
          if (found.length !== theirs.length || theirs.some((job) => !found.includes(job)))
            throw new Error(`person ${person} has ${theirs.length}, found ${found.length}`);
        }
        const open = [...outbox.jobs.values()]
          .filter(({ paused }) => paused !== true)
          .flatMap(({ targets }) => targets.filter(({ state }) => state !== 'done'));
        if (outbox.openOn('email') !== open.length)
          throw new Error(`${open.length} are open, counted ${outbox.openOn('email')}`);
      }
    }),
    { seed: 15, numRuns: tries(300) },
  );
  t.pass();
});

t.test('a forgotten person leaves nothing in flight and nothing due', async (t) => {
  const outbox = new Outbox();
  outbox.add(aJob('a', 1, 2));
  outbox.add(aJob('b', 2));
  outbox.add(aJob('c', 1));
  outbox.start('a', 0);
  outbox.forget(1);
  t.same(
    [...outbox.jobs.values()].map(({ sendId }) => sendId),
    ['b'],
  );
  t.match(outbox.queue('email'), { inFlight: 0 });
  const due = [...outbox.due(outbox.queue('email'))];
  t.same(
    due.map(({ job }) => job.sendId),
    ['b'],
  );
});

t.test('finding a person’s open sends looks at no one else’s', async (t) => {
  const outbox = new Outbox();
  let looks = 0;
  for (let i = 0; i < 10_000; i++) {
    const job = aJob(`s${i}`, i);
    Object.defineProperty(job, 'person', {
      get: () => {
        looks++;
        return i;
      },
    });
    outbox.add(job);
  }
  looks = 0;
  t.equal(outbox.of(7).length, 1);
  outbox.forget(9_999);
  t.ok(looks <= 10, `${looks} looks`);
});
