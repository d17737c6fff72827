import fc from 'fast-check';
import t from 'tap';
import type { End, RegisterCall } from './history.ts';
import { isLinearizable } from './linearizable.ts';

type Row = readonly [
  kind: RegisterCall['kind'],
  value: number | undefined,
  fromMs: number,
  untilMs: number,
  end?: End,
];

function callsOf(rows: readonly Row[]): RegisterCall[] {
  return rows.map(([kind, value, fromMs, untilMs, end = 'acknowledged']) => ({
    ...{ kind, value, fromMs, untilMs, end, org: 'o', register: 'r' },
  }));
}

t.test('examples', async (t) => {
  const cases: readonly (readonly [name: string, rows: Row[], isFine: boolean])[] = [
    ['nothing', [], true],
    ['a read of nothing', [['read', undefined, 0, 1]], true],
    ['a read of what was never written', [['read', 7, 0, 1]], false],
    [
      'write, then read',
      [
        ['write', 1, 0, 1],
        ['read', 1, 2, 3],
      ],
      true,
    ],
    [
      'write, then a read of nothing',
      [
        ['write', 1, 0, 1],
        ['read', undefined, 2, 3],
      ],
      false,
    ],
    [
      'a stale read',
      [
        ['write', 1, 0, 1],
        ['write', 2, 2, 3],
        ['read', 1, 4, 5],
      ],
      false,
    ],
    [
      'a read during a write',
      [
        ['write', 1, 0, 9],
        ['read', undefined, 1, 2],
        ['read', 1, 3, 4],
      ],
      true,
    ],
    [
      'a read that goes back',
      [
        ['write', 1, 0, 9],
        ['read', 1, 1, 2],
        ['read', undefined, 3, 4],
      ],
      false,
    ],
    [
      'an unknown write takes effect late',
      [
        ['write', 1, 0, 1, 'unknown'],
        ['read', undefined, 2, 3],
        ['read', 1, 4, 5],
      ],
      true,
    ],
    [
      'an unknown write never does',
      [
        ['write', 1, 0, 1, 'unknown'],
        ['read', undefined, 2, 3],
      ],
      true,
    ],
    [
      'an unknown write that comes and goes',
      [
        ['write', 1, 0, 1],
        ['write', 2, 2, 3, 'unknown'],
        ['read', 2, 4, 5],
        ['read', 1, 6, 7],
      ],
      false,
    ],
    [
      'a refused write that was done',
      [
        ['write', 1, 0, 1, 'refused'],
        ['read', 1, 2, 3],
      ],
      false,
    ],
    ['a read without an answer says nothing', [['read', 5, 0, 1, 'unknown']], true],
  ];
  for (const [name, rows, isFine] of cases) t.equal(isLinearizable(callsOf(rows)), isFine, name);
});

/** Tries each order of each choice of unknown writes. */
function byTrial(calls: readonly RegisterCall[]): boolean {
  const steps = calls.filter(
    ({ kind, end }) => end !== 'refused' && !(end === 'unknown' && kind === 'read'),
  );
  const tried = (left: readonly RegisterCall[], value: number | undefined): boolean => {
    if (left.every(({ end }) => end === 'unknown')) return true;
    return left.some((step) => {
      const others = left.filter((one) => one !== step);
      const tooEarly = others.some(
        ({ end, untilMs }) => end !== 'unknown' && untilMs < step.fromMs,
      );
      if (tooEarly || (step.kind === 'read' && step.value !== value)) return false;
      return tried(others, step.kind === 'write' ? step.value : value);
    });
  };
  return tried(steps, undefined);
}

t.test('small histories are judged as by trying every order', async (t) => {
  const call = fc.record({
    isWrite: fc.boolean(),
    read: fc.integer({ min: -1, max: 4 }),
    fromMs: fc.integer({ min: 0, max: 12 }),
    tookMs: fc.integer({ min: 0, max: 6 }),
    end: fc.constantFrom<End>('acknowledged', 'acknowledged', 'acknowledged', 'unknown', 'refused'),
  });
  let fine = 0;
  let wrong = 0;
  fc.assert(
    fc.property(fc.array(call, { maxLength: 6 }), (rows) => {
      const calls = rows.map(({ isWrite, read, fromMs, tookMs, end }, index): RegisterCall => {
        const value = isWrite ? index : read < 0 ? undefined : read;
        const kind = isWrite ? 'write' : 'read';
        return { kind, value, fromMs, untilMs: fromMs + tookMs, end, org: 'o', register: 'r' };
      });
      const isFine = byTrial(calls);
      if (isFine) fine++;
      else wrong++;
      return isLinearizable(calls) === isFine;
    }),
    { numRuns: 3_000 },
  );
  t.ok(fine > 300 && wrong > 300, `${fine} fine, ${wrong} not`);
});

t.test(
  'a real register with many callers is fine, and not with one planted stale read',
  async () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 30, maxLength: 60 }),
        (gaps) => {
          // Each call takes effect at its own instant, somewhere between beginning and end.
          let value: number | undefined;
          let nowMs = 0;
          const calls = gaps.map((gap, index): RegisterCall => {
            nowMs += gap;
            const isWrite = gap % 2 === 0;
            if (isWrite) value = index;
            const around = { fromMs: nowMs - (gap % 4) * 3, untilMs: nowMs + (gap % 3) * 7 };
            const kind = isWrite ? 'write' : 'read';
            return { kind, value, ...around, end: 'acknowledged', org: 'o', register: 'r' };
          });
          if (!isLinearizable(calls)) return false;
          const writes = calls.filter(({ kind }) => kind === 'write');
          if (writes.length < 2) return true;
          const late = { fromMs: nowMs + 100, untilMs: nowMs + 101 };
          const stale: RegisterCall = {
            ...late,
            ...{
              kind: 'read',
              value: writes[0]?.value,
              end: 'acknowledged',
              org: 'o',
              register: 'r',
            },
          };
          // The first write may come last only if it overlapped all others.
          const mayBeLast = writes.every(({ fromMs }) => fromMs <= (writes[0]?.untilMs ?? 0));
          return mayBeLast || !isLinearizable([...calls, stale]);
        },
      ),
      { numRuns: 200 },
    );
  },
);
