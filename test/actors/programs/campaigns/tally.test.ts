// The counters of an occurrence against a recount from what was said of each person, whatever was
// said, taken back and merged in whatever order, and whenever it was written down and read back.

import fc from 'fast-check';
import t from 'tap';
import type { Leaving, Mark } from '../../../../actors/programs/campaigns/funnel.ts';
import { Tally } from '../../../../actors/programs/campaigns/tally.ts';
import { same } from '../../../support/same.ts';
import { tries } from '../../../support/tries.ts';

/** Few, so that they meet; on two pages. */
const everybody = [0, 1, 2, 4_095, 4_096, 9_000] as const;
const outcomes = ['delivered', 'bounced', 'failed'] as const;
const plain = ['sent', 'opened', 'clicked', 'converted'] as const;
const reasons = ['opt_out', 'no_device', 'frequency_cap'];
const holds = ['quiet_hours', 'daily_cap', 'local_time'];

const person = fc.constantFrom(...everybody);
const mark = fc.constantFrom<Mark>(...outcomes, ...plain);
const step = fc.oneof(
  fc.record({ does: fc.constant('mark' as const), person, mark }),
  fc.record({ does: fc.constant('unmark' as const), person, mark }),
  fc.record({
    does: fc.constant('suppress' as const),
    person,
    reason: fc.constantFrom(...reasons),
  }),
  fc.record({ does: fc.constant('take back' as const), person }),
  fc.record({ does: fc.constant('accept' as const), person }),
  fc.record({
    does: fc.constant('report' as const),
    person,
    result: fc.constantFrom('delivered' as const, 'bounced' as const),
  }),
  fc.record({ does: fc.constant('defer' as const), person, reason: fc.constantFrom(...holds) }),
  fc.record({ does: fc.constant('merge' as const), person, into: person }),
  fc.record({
    does: fc.constant('leave' as const),
    person,
    way: fc.constantFrom<Leaving>('unsubscribed', 'complained'),
  }),
  fc.record({ does: fc.constant('restore' as const) }),
);
const steps = fc.array(step, { minLength: 5, maxLength: 40, size: 'max' });

class PersonTally {
  readonly marks = new Set<Mark>();
  why: string | undefined;
  /** Devices that were reached beside the first. */
  further = 0;
  /** Devices that a relay has yet to report on. */
  awaited = 0;
  readonly deferred = new Set<string>();
  readonly left = new Set<Leaving>();
}

const variantOf = (one: number) => (one % 2 === 0 ? 'even' : 'odd');

function takenBack(theirs: PersonTally): void {
  if (theirs.further > 0) theirs.further--;
  else theirs.marks.delete('delivered');
  theirs.marks.add('bounced');
}

t.test('the counters are what a recount of everybody says', (t) => {
  fc.assert(
    fc.property(steps, (all) => {
      const said = new Map<number, PersonTally>(everybody.map((one) => [one, new PersonTally()]));
      const of = (one: number) => said.get(one) as PersonTally;
      let tally = new Tally();
      for (const one of all) {
        switch (one.does) {
          case 'mark': {
            const isNew = tally.mark(one.person, one.mark, variantOf(one.person));
            same(isNew, !of(one.person).marks.has(one.mark));
            if (!isNew && one.mark === 'delivered') of(one.person).further++;
            of(one.person).marks.add(one.mark);
            break;
          }
          case 'unmark':
            tally.unmark(one.person, one.mark, variantOf(one.person));
            of(one.person).marks.delete(one.mark);
            break;
          case 'take back': {
            tally.takeBack(one.person, variantOf(one.person));
            takenBack(of(one.person));
            break;
          }
          case 'accept':
            tally.accept(one.person, variantOf(one.person));
            of(one.person).awaited++;
            break;
          case 'report': {
            const theirs = of(one.person);
            same(tally.awaits(one.person), theirs.awaited > 0);
            if (theirs.awaited === 0) break;
            tally.reported(one.person, one.result, variantOf(one.person));
            theirs.awaited--;
            if (one.result === 'delivered' && theirs.marks.has('delivered')) theirs.further++;
            theirs.marks.add(one.result);
            break;
          }
          case 'suppress':
            tally.suppress(one.person, one.reason, variantOf(one.person));
            of(one.person).marks.add('suppressed');
            of(one.person).why ??= one.reason;
            break;
          case 'defer':
            tally.defer(one.person, one.reason);
            of(one.person).deferred.add(one.reason);
            break;
          case 'leave':
            tally.leave(one.person, one.way, variantOf(one.person));
            of(one.person).left.add(one.way);
            break;
          case 'merge': {
            if (one.person === one.into) break;
            tally.merge(one.person, one.into, variantOf);
            const [from, into] = [of(one.person), of(one.into)];
            if (from.marks.has('delivered') && into.marks.has('delivered')) into.further++;
            into.further += from.further;
            into.awaited += from.awaited;
            for (const each of from.marks) into.marks.add(each);
            for (const each of from.deferred) into.deferred.add(each);
            for (const each of from.left) into.left.add(each);
            into.why ??= from.why;
            said.set(one.person, new PersonTally());
            break;
          }
          case 'restore':
            tally = Tally.restore(structuredClone(tally.snapshot()), variantOf);
        }
        compare(tally, said);
      }
    }),
    { numRuns: tries(1_000) },
  );
  t.end();
});

t.test('a funnel never widens, whatever comes in whatever order', (t) => {
  const some = fc.record({ person, does: fc.constantFrom('open', 'click', 'bounce', 'send') });
  fc.assert(
    fc.property(fc.array(some, { maxLength: 40 }), (all) => {
      const tally = new Tally();
      for (const { person: one, does } of all) {
        if (does === 'send') for (const mark of ['delivered', 'sent'] as const) put(one, mark);
        else if (does === 'bounce') tally.takeBack(one, variantOf(one));
        else put(one, does === 'open' ? 'opened' : 'clicked');
      }
      for (const { sent, delivered, opened, clicked } of [tally.people, ...tally.variants.values()])
        same(sent >= delivered && delivered >= opened && opened >= clicked, true);
      function put(one: number, mark: Mark) {
        tally.mark(one, mark, variantOf(one));
      }
    }),
    { numRuns: tries(1_000) },
  );
  t.end();
});

t.test('clicks that an earlier build counted without opens count as opens', (t) => {
  const now = new Tally();
  for (const one of everybody) {
    for (const mark of ['delivered', 'sent'] as const) now.mark(one, mark, variantOf(one));
    if (one < 9_000) now.mark(one, 'clicked', variantOf(one));
  }
  now.takeBack(1, variantOf(1));
  const { implied: _later, ...rest } = now.snapshot();
  const { even = now.people, odd = now.people } = Object.fromEntries(now.variants);
  const before = {
    ...rest,
    people: { ...now.people, opened: 0, delivered: 5, bounced: 1 },
    variants: [
      ['even', { ...even, opened: 0 }],
      ['odd', { ...odd, opened: 0, delivered: odd.delivered - 1, bounced: 1 }],
    ] as const,
  };
  const restored = Tally.restore(structuredClone(before), variantOf);
  t.match(restored.people, { sent: 6, delivered: 6, opened: 5, clicked: 5, bounced: 0 });
  t.strictSame(restored.snapshot(), now.snapshot());
  restored.mark(2, 'opened', variantOf(2));
  t.match(restored.people, { opened: 5, clicked: 5 }, 'an open of who clicked adds nobody');
  t.end();
});

t.test('a tally in which nobody left is written as before', (t) => {
  const tally = new Tally();
  tally.mark(3, 'sent', 'odd');
  const { left, implied: more, people, variants } = tally.snapshot();
  t.strictSame([left, more], [undefined, undefined]);
  for (const counts of [people, variants[0]?.[1]])
    t.strictSame(Object.keys(counts ?? {}).length, 8, 'no count of who left');
  t.end();
});

function compare(tally: Tally, said: ReadonlyMap<number, PersonTally>): void {
  same({ ...tally.people }, recount([...said.values()]));
  for (const variant of ['even', 'odd']) {
    const theirs = [...said].filter(([one]) => variantOf(one) === variant).map(([, what]) => what);
    const counts = tally.variants.get(variant);
    if (counts !== undefined) same({ ...counts }, recount(theirs));
  }
  for (const reason of reasons)
    same(
      tally.suppressedBy.get(reason) ?? 0,
      [...said.values()].filter((one) => one.why === reason && isSuppressed(one)).length,
    );
  for (const reason of holds)
    same(
      tally.deferredBy.get(reason) ?? 0,
      [...said.values()].filter(({ deferred }) => deferred.has(reason)).length,
    );
  for (const [one, { marks, awaited }] of said) {
    same(tally.isEngaged(one), marks.has('opened') || marks.has('clicked'));
    same(tally.hasOutcome(one), awaited > 0 || outcomes.some((each) => marks.has(each)));
  }
}

/** Who clicked has opened it, who opened it has got it, and who got it was sent it. */
function implied({ marks }: PersonTally): ReadonlySet<Mark> {
  const all = new Set(marks);
  if (all.has('clicked')) all.add('opened');
  if (all.has('opened')) all.add('delivered');
  if (all.has('delivered')) all.add('sent');
  return all;
}

/** A person counts once, by the best; whoever was sent something is not suppressed. */
function recount(all: readonly PersonTally[]) {
  const best = (one: PersonTally) => outcomes.find((each) => implied(one).has(each));
  const having = (each: Mark) => all.filter((one) => implied(one).has(each)).length;
  const leaving = (each: Leaving) => all.filter(({ left }) => left.has(each)).length;
  const at = (outcome: string) => all.filter((one) => best(one) === outcome).length;
  const accepted = all.filter((one) => one.awaited > 0 && best(one) === undefined).length;
  return {
    sent: having('sent'),
    delivered: at('delivered'),
    opened: having('opened'),
    clicked: having('clicked'),
    bounced: at('bounced'),
    suppressed: all.filter(isSuppressed).length,
    failed: at('failed'),
    converted: having('converted'),
    unsubscribed: leaving('unsubscribed'),
    complained: leaving('complained'),
    ...(accepted === 0 ? {} : { accepted }),
  };
}

function isSuppressed(one: PersonTally): boolean {
  const marks = implied(one);
  return marks.has('suppressed') && ![...outcomes, 'sent' as const].some((one) => marks.has(one));
}
