// The curve against a plain model that walks day by day, and room, forecast and what leaves against
// each other.

import fc from 'fast-check';
import t from 'tap';
import type { MailboxGroup } from '../../../../actors/channels/email/mailbox-groups.ts';
import {
  defaultCurve,
  endDay,
  held,
  numberOn,
  repeated,
  stepOn,
  type WarmUpRecord,
} from '../../../../actors/sending/warm-up/warm-up.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { hash32 } from '../../../../engine/base/hash.ts';
import { tries } from '../../../support/tries.ts';
import { days, nextDay, peopleAt, single, warming, warmth, warmUp } from './warm-up-scene.ts';

t.test('the default goes up every day, at most by a half from a thousand on', async (t) => {
  t.equal(defaultCurve.length, 30);
  for (const [at, { max }] of defaultCurve.entries()) {
    const before = defaultCurve[at - 1]?.max ?? 0;
    t.ok(max > before && (before < 1_000 || max <= before * 1.5), `day ${at + 1}: ${max}`);
  }
});

const change = fc.constantFrom('hold', 'go', 'trouble', 'nothing');

t.test('a curve is at the step that a walk through its days comes to', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: -3, max: 3 }),
      fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 20 }),
      (length, start, changes) => {
        const first = 100;
        const begin = first + start;
        let record: WarmUpRecord = {
          ...{ domain: 'a.example', startMs: begin * dayMs, days: defaultCurve.slice(0, length) },
          ...{ sinceDay: begin, step: 0, createdMs: 0, updatedMs: 0 },
        };
        let step = Math.max(0, first - begin);
        let isHeld = false;
        for (const [at, ofDay] of changes.entries()) {
          const day = first + at;
          const has = () => day >= begin && step < length;
          if (stepOn(record, day) !== (has() ? step : undefined)) return false;
          let isTrouble = false;
          for (const one of ofDay) {
            if (one === 'trouble') record = repeated(record, day);
            else if (one !== 'nothing') record = held(record, one === 'hold', day);
            if (one === 'trouble' && has() && !isHeld) isTrouble = true;
            if ((one === 'hold' || one === 'go') && step < length) {
              // Letting it go on the day itself is no trouble any more.
              if (isHeld !== (one === 'hold')) isTrouble = false;
              isHeld = one === 'hold';
            }
          }
          if (day >= begin && !isHeld && !isTrouble) step++;
        }
        const day = first + changes.length;
        const end = endDay(record);
        return (
          numberOn(record, day) === (day >= begin ? record.days[step] : undefined) &&
          (end === undefined ? isHeld : numberOn(record, Math.max(end, begin)) === undefined)
        );
      },
    ),
    { numRuns: tries(2_000) },
  );
});

t.test('a dry run says on which days the emails will leave, and so they do', async (t) => {
  const scene = await warming(100, { days: days(7, 11, 30) });
  const { id } = await scene.campaign({ channels: ['email'] });
  const run = await scene.one.value(scene.app, 'dry_run.begin', { id });
  const slice = await scene.one.value(scene.app, 'dry_run.slice', { ...run, id, part: 0, from: 0 });
  t.same(slice.warmUp?.mails, [7, 11, 30, 52]);
  const midnight = (day: number) => (Math.floor(scene.one.clock.nowMs / dayMs) + day) * dayMs;
  const deferred = slice.counts.flatMap(([{ verdict, reason, untilMs }, count]) =>
    verdict === 'defer' ? [[reason, untilMs, count]] : [],
  );
  t.same(deferred, [
    ['warm_up', midnight(1), 11],
    ['warm_up', midnight(2), 30],
    ['warm_up', midnight(3), 52],
  ]);
  await scene.send(id);
  for (const expected of [7, 18, 48, 100]) {
    t.equal(scene.sent.length, expected);
    await nextDay(scene);
  }
});

/** Whose mailboxes each domain has; the first two are known by their mail exchangers alone. */
const hosts = {
  'acme.io': 'gmail',
  'shop.io': 'microsoft',
  'gmail.com': 'gmail',
  'outlook.com': 'microsoft',
  'post.example': 'others',
} as const;
const host = fc.constantFrom(...(Object.keys(hosts) as (keyof typeof hosts)[]));
const ofProvider = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined });
const dayOfAll = fc.record({
  max: fc.integer({ min: 6, max: 12 }),
  perProvider: fc.record({ gmail: ofProvider, microsoft: ofProvider, others: ofProvider }),
});

t.test('what a review says of the days is what leaves, by provider, of hosted domains, too', (t) =>
  fc
    .assert(
      fc.asyncProperty(
        fc.array(dayOfAll, { minLength: 1, maxLength: 4 }),
        fc.array(host, { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        async (numbers, domains, isRestarted) => {
          const mailbox = (domain: string) => {
            const group = hosts[domain as keyof typeof hosts];
            return group === 'others' ? { group } : { group, hosted: hash32(domain) };
          };
          const input = JSON.parse(JSON.stringify({ days: [{ max: 99 }, ...numbers] }));
          const scene = await warming(0, input, { mailbox });
          await peopleAt(scene, domains);
          for (const name of new Set(domains)) await single(scene, `at-${domains.indexOf(name)}`);
          if (isRestarted) await scene.crash();
          await nextDay(scene);
          scene.sent.length = 0;
          const { id } = await scene.campaign({ channels: ['email'] });
          const begun = await scene.one.value(scene.app, 'dry_run.begin', { id });
          const asked = { ...begun, id, part: 0, from: 0 };
          const { warmUp } = await scene.one.value(scene.app, 'dry_run.slice', asked);
          if (warmUp === undefined) throw new Error('the domain warms up');
          await scene.send(id);
          for (const [at, said] of warmUp.mails.entries()) {
            t.equal(scene.sent.length, said, `day ${at}`);
            const counts = new Map<MailboxGroup, number>();
            for (const { endpoint } of scene.sent) {
              const group = hosts[String(endpoint).split('@')[1] as keyof typeof hosts];
              counts.set(group, (counts.get(group) ?? 0) + 1);
            }
            for (const [group, max] of Object.entries(numbers[at]?.perProvider ?? {}))
              t.ok((counts.get(group as MailboxGroup) ?? 0) <= (max ?? said), `${group} of ${at}`);
            scene.sent.length = 0;
            await nextDay(scene);
          }
          t.match(await scene.stats(id), { state: 'completed', delivered: domains.length });
        },
      ),
      { numRuns: tries(60) },
    )
    .then(() => t.pass('all')),
);

const action = fc.oneof(
  fc.constantFrom('day', 'crash', 'pause', 'resume', 'single', 'hold', 'go', 'checkpoint'),
  fc.constant('day'),
);

t.test('no day has more than its number, whatever happens, and everybody is reached once', (t) =>
  fc
    .assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
        fc.array(action, { maxLength: 12 }),
        fc.boolean(),
        async (numbers, actions, isTwo) => {
          const scene = await warming(60, { days: days(...numbers) });
          const ids = [(await scene.sentCampaign({ channels: ['email'] })).id];
          if (isTwo) ids.push((await scene.sentCampaign({ channels: ['email'] })).id);
          let singles = 0;
          let before = 0;
          const check = async () => {
            const { today } = await warmth(scene);
            const mails = scene.sent.length - before;
            // A single send may go above it, and campaigns send nothing then.
            if (today !== null && mails > Math.max(today.number.max, singles))
              throw new Error(`${mails} of ${today.number.max} on day ${today.day}`);
            if (today !== null && today.mails !== mails)
              throw new Error(`${mails} left, ${today.mails} are counted`);
          };
          for (const one of actions) {
            if (one === 'day') {
              await check();
              before = scene.sent.length;
              singles = 0;
              const { nowMs } = scene.one.clock;
              scene.one.clock.nowMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
              await scene.advance(0);
            } else if (one === 'crash') await scene.crash();
            else if (one === 'checkpoint') await scene.moveByCheckpoint();
            else if (one === 'pause' || one === 'resume')
              await scene.refusal(one, ids[0] as string);
            else if (one === 'hold' || one === 'go')
              await warmUp(scene, { isHeld: one === 'hold' });
            else {
              singles = scene.sent.length - before + 1;
              const to = { externalUserId: 'user-1' };
              const request = { to, channels: ['email' as const], title: 'Hi', body: 'there' };
              await scene.one.value(scene.app, 'transactional.accept', { request, claim: null });
              await scene.run();
            }
            await check();
          }
          await scene.refusal('resume', ids[0] as string);
          await warmUp(scene, { isHeld: false });
          for (let day = 0; day < 8; day++) await nextDay(scene);
          for (const id of ids) {
            const { state, delivered } = await scene.stats(id);
            if (state !== 'completed' || delivered !== 60) throw new Error(`${state} ${delivered}`);
          }
          return true;
        },
      ),
      { numRuns: tries(20) },
    )
    .then(() => t.pass('all')),
);
