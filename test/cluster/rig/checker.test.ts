import fc from 'fast-check';
import t from 'tap';
import { verdictOf } from './checker.ts';
import type { Call, Delivery, End, FaultWindow, History, StreamFrame } from './history.ts';

const bounds = { outageMsMax: 5_000, inFlightMs: 500 };
const around = { org: 'o', fromMs: 0, untilMs: 10, end: 'acknowledged' } as const;

const event = (eventId: string, end: End = 'acknowledged'): Call => ({
  ...around,
  ...{ kind: 'event', eventId, end },
});
const send = (key: string, sendId: string | undefined, end: End = 'acknowledged'): Call => ({
  ...around,
  ...{ kind: 'send', key, sendId, end },
});

function historyOf(more: Partial<History>): History {
  const readBack = { sends: new Map(), events: new Map(), failedSends: new Map() };
  return {
    ...{ calls: [], deliveries: [], faults: [], readBack, served: new Map(), frames: [] },
    ...{ fromMs: 0, untilMs: 60_000 },
    ...more,
  };
}

const problemsOf = (more: Partial<History>) => verdictOf(historyOf(more), bounds).problems;

const readBack = (
  events: Readonly<Record<string, number>>,
  sends: Readonly<Record<string, string>> = {},
  failed: Readonly<Record<string, string>> = {},
) => ({
  events: new Map(Object.entries(events)),
  sends: new Map(Object.entries(sends)),
  failedSends: new Map(Object.entries(failed)),
});

t.test('an event that was acknowledged must be there once', async (t) => {
  const calls = [event('a'), event('b', 'unknown'), event('c', 'refused'), event('d', 'unknown')];
  t.same(problemsOf({ calls, readBack: readBack({ a: 1, b: 1 }) }), []);
  t.same(problemsOf({ calls, readBack: readBack({}) }), ['the event a is lost']);
  t.same(problemsOf({ calls, readBack: readBack({ a: 2 }) }), ['the event a is there 2 times']);
  t.same(problemsOf({ calls, readBack: readBack({ a: 1, c: 1 }) }), [
    'the event c was refused and is there',
  ]);
  t.same(problemsOf({ calls, readBack: readBack({ a: 1, z: 1 }) }), [
    'nobody sent the event z, and it is there',
  ]);
  const again = [event('e', 'refused'), event('e', 'acknowledged')];
  t.same(problemsOf({ calls: again, readBack: readBack({ e: 1 }) }), [], 'refused, then accepted');
});

t.test('a key gives one send for ever', async (t) => {
  const calls = [send('k', 's'), send('k', 's'), send('u', undefined, 'unknown')];
  const deliveries = [{ key: 'k', atMs: 1 }];
  t.same(problemsOf({ calls, deliveries, readBack: readBack({}, { k: 's' }) }), []);
  t.same(problemsOf({ calls, deliveries }), ['the send of k is lost']);
  t.same(problemsOf({ calls, deliveries, readBack: readBack({}, { k: 'x' }) }), [
    'the key k gave s, and at the end x',
  ]);
  const shared = [send('k', 's'), send('l', 's')];
  const both = [...deliveries, { key: 'l', atMs: 1 }];
  const problems = problemsOf({
    calls: shared,
    deliveries: both,
    readBack: readBack({}, { k: 's', l: 's' }),
  });
  t.match(problems, ['the keys k and l have one send, s']);
  t.same(
    problemsOf({
      calls: [send('k', 's'), send('k', 'z')],
      deliveries,
      readBack: readBack({}, { k: 's' }),
    }),
    ['the key k gave s, and later z'],
  );
});

t.test('what is acknowledged reaches the provider, and nothing else', async (t) => {
  const calls = [send('k', 's'), send('u', undefined, 'unknown'), send('r', undefined, 'refused')];
  const back = readBack({}, { k: 's' }, { k: 'interrupted' });
  t.same(problemsOf({ calls, readBack: back }), [
    'the message of k never reached the provider (interrupted)',
  ]);
  const deliveries = ['k', 'u', 'r'].map((key): Delivery => ({ key, atMs: 1 }));
  t.same(problemsOf({ calls, deliveries, readBack: back }), [
    'the message of r was sent, and no call for it was accepted',
  ]);
});

t.test('a message may be sent twice only around a fault that hides what was sent', async (t) => {
  const calls = [send('k', 's')];
  const fault = (more: Partial<FaultWindow>): FaultWindow => ({
    ...{ kind: 'engine.kill', fromMs: 1_000, untilMs: 1_400, mayRepeatSends: true },
    ...{ isTotal: false, ...more },
  });
  const verdict = (faults: FaultWindow[], first: number, second: number) =>
    verdictOf(
      historyOf({
        ...{ calls, faults, readBack: readBack({}, { k: 's' }) },
        deliveries: [second, first].map((atMs) => ({ key: 'k', atMs })),
      }),
      bounds,
    );
  t.match(verdict([fault({})], 900, 4_000), { problems: [], excused: 1, unexcused: 0 });
  t.match(verdict([fault({})], 400, 4_000), { excused: 0, unexcused: 1 }, 'long before');
  t.match(verdict([fault({})], 1_500, 4_000), { excused: 0, unexcused: 1 }, 'after it');
  t.match(verdict([fault({})], 900, 950), { excused: 0, unexcused: 1 }, 'both before');
  t.match(verdict([fault({ mayRepeatSends: false })], 900, 4_000), { unexcused: 1 });
  t.match(verdict([], 900, 4_000), { unexcused: 1 }, 'without a fault');
});

t.test('an org is served again within its bound', async (t) => {
  const served = (gapFrom: number, gapTo: number) =>
    new Map([
      [
        'o',
        Array.from({ length: 601 }, (_, i) => i * 100).filter((ms) => ms <= gapFrom || ms >= gapTo),
      ],
    ]);
  const fault = { kind: 'engine.kill', fromMs: 10_000, untilMs: 12_000, mayRepeatSends: true };
  const some = { ...fault, isTotal: false };
  t.same(problemsOf({ served: served(10_000, 14_900), faults: [some] }), []);
  t.same(problemsOf({ served: served(10_000, 16_000), faults: [some] }), [
    'o took no write for 6000 ms from 10000 (engine.kill)',
  ]);
  const all = { ...fault, isTotal: true };
  t.same(problemsOf({ served: served(10_000, 16_000), faults: [all, all] }), []);
  t.match(problemsOf({ served: served(20_000, 26_000), faults: [all] }), [/no fault/]);
});

/** A stream as owners write it: terms with some turns each. */
function streamOf(lengths: readonly number[]): StreamFrame[] {
  const frames: StreamFrame[] = [];
  let sum = 0;
  let seq = 0;
  for (const [index, turns] of lengths.entries()) {
    const same = { partition: 3, term: index + 1, writer: 100 + index };
    frames.push({ ...same, kind: 'claim', seq: 0, before: 0, sum: ++sum });
    for (let turn = 0; turn < turns; turn++) {
      const kind = turn % 3 === 2 ? 'idle' : 'turn';
      if (kind === 'turn') seq++;
      frames.push({ ...same, kind, seq, before: sum, sum: ++sum });
    }
  }
  return frames;
}

const terms = fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 2, maxLength: 6 });

t.test('streams of owners one after the other are fine, late frames included', async () => {
  fc.assert(
    fc.property(terms, fc.nat(), (lengths, at) => {
      const frames = streamOf(lengths);
      const late = { ...(frames[1] as StreamFrame), sum: 9_999 };
      const place = frames.length - (at % (frames.length - 1 - (lengths[0] as number)));
      const rival = { ...late, kind: 'claim' };
      return (
        problemsOf({ frames }).length === 0 &&
        problemsOf({ frames: frames.toSpliced(place, 0, late, rival) }).length === 0
      );
    }),
  );
});

t.test('a stream that lost, repeats or mixes frames is found', async () => {
  fc.assert(
    fc.property(terms, fc.nat(), fc.nat(3), (lengths, at, planted) => {
      const frames = streamOf(lengths);
      const inside = frames.flatMap((frame, index) =>
        frame.kind !== 'claim' && frames[index + 1]?.term === frame.term ? [index] : [],
      );
      const place = inside[at % inside.length] as number;
      const frame = frames[place] as StreamFrame;
      const wrong = [
        () => frames.toSpliced(place, 1),
        () => frames.toSpliced(place, 0, frame),
        () => frames.toSpliced(place, 1, { ...frame, writer: 7 }),
        () => frames.toSpliced(place, 1, { ...frame, term: frame.term + 1 }),
      ][planted] as () => StreamFrame[];
      return problemsOf({ frames: wrong() }).length > 0;
    }),
  );
});

t.test('a register whose calls have no order is named', async (t) => {
  const call = (kind: 'read' | 'write', value: number | undefined, fromMs: number): Call => ({
    ...{ kind, value, fromMs, untilMs: fromMs + 1, register: 'tag', org: 'o', end: 'acknowledged' },
  });
  t.same(problemsOf({ calls: [call('write', 1, 0), call('read', 1, 2)] }), []);
  t.match(problemsOf({ calls: [call('write', 1, 0), call('read', undefined, 2)] }), [
    /^the calls on tag have no order/,
  ]);
});

t.test('runs of a sound cluster have no problems, and one planted fault is found', async () => {
  const plants = ['lostEvent', 'lostSend', 'lostMessage', 'otherSend'] as const;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<End>('acknowledged', 'unknown', 'refused'), {
        minLength: 1,
        maxLength: 30,
      }),
      fc.constantFrom(...plants),
      (ends, plant) => {
        const calls = ends.flatMap((end, i) => [
          event(`e${i}`, end),
          send(`k${i}`, end === 'acknowledged' ? `s${i}` : undefined, end),
        ]);
        const kept = ends.flatMap((end, i) => (end === 'refused' ? [] : [i]));
        const sound = {
          calls,
          deliveries: kept.map((i) => ({ key: `k${i}`, atMs: i })),
          readBack: readBack(
            Object.fromEntries(kept.map((i) => [`e${i}`, 1])),
            Object.fromEntries(kept.map((i) => [`k${i}`, `s${i}`])),
          ),
        };
        if (problemsOf(sound).length > 0) return false;
        const victim = ends.indexOf('acknowledged');
        if (victim < 0) return true;
        const { events, sends } = sound.readBack;
        if (plant === 'lostEvent') events.delete(`e${victim}`);
        if (plant === 'lostSend') sends.delete(`k${victim}`);
        if (plant === 'otherSend') sends.set(`k${victim}`, 'other');
        if (plant === 'lostMessage')
          return (
            problemsOf({
              ...sound,
              deliveries: sound.deliveries.filter(({ key }) => key !== `k${victim}`),
            }).length === 1
          );
        return problemsOf(sound).length === 1;
      },
    ),
  );
});
