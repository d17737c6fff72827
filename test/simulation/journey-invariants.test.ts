// The invariants about journeys can fail: each is broken here by a planted log, and reported by its
// name.

import t from 'tap';
import type { Move } from '../../actors/programs/journeys/entries.ts';
import { compileProgram } from '../../actors/programs/journeys/program.ts';
import type { Step } from '../../actors/programs/journeys/steps.ts';
import type { Entry } from '../../engine/actor/message.ts';
import { ordinalIn } from '../../engine/actor/placement.ts';
import { hourMs, minuteMs } from '../../engine/base/brand.ts';
import { packOrdinals } from '../../engine/base/ordinal-list.ts';
import { Findings, type Invariant, journeyInvariants } from './invariants.ts';
import { checkJourneys, endJourneys } from './journey-work.ts';
import { LogAudit } from './log-audit.ts';
import { newAppModel } from './model.ts';
import type { Worker } from './worker.ts';

type Planted = Entry & Record<string, unknown>;

const shown = new Set<Invariant>();
const owner = ordinalIn(7, 2);
const org = ordinalIn(7, 1);
const startMs = Date.UTC(2026, 0, 31, 21);
const steps: readonly Step[] = [
  { id: 'w', type: 'wait', minutes: 5 },
  { id: 'g', type: 'goal', event: 'order', timeoutHours: 1 },
  { id: 'v', type: 'wait', minutes: 1 },
];
const id = 'jrn_planted';
const entered = (operation: number) => ({ kind: 'entered', operation }) as const;
const waits = (operation: number, wakeMs: number) =>
  ({ kind: 'waits', operation, wakeMs }) as const;

/** A log with an app, a person, and a journey that is live. */
function aLog(more: object = {}) {
  const findings = new Findings();
  const audit = new LogAudit(findings, 1);
  let nextEvent = 1;
  const say = (...entries: Planted[]) => audit.durable(0, startMs, entries);
  const saved = (change: object = {}): Planted => {
    const journey = { id, number: 1, active: true, reentry: 'always', steps, ...more, ...change };
    return {
      kind: 'journey.saved',
      owner,
      journey: { ...journey, program: compileProgram(steps) },
    };
  };
  const moved = (atMs: number, move: Move, events = 1): Planted => {
    const of = { kind: 'journey.moved', owner, journeyId: id, atMs, firstSend: 1 };
    const firstEvent = nextEvent;
    nextEvent += events;
    return { ...of, people: packOrdinals([0]), moves: [move], firstEvent };
  };
  const enrolls = (atMs = startMs) =>
    moved(atMs, { enrolls: true, happened: [entered(0)], outcome: waits(0, atMs + 5 * minuteMs) });
  say(
    { kind: 'org.created', owner: org, org: { dailySendCap: null } },
    { kind: 'app.created', owner, app: { org, timezone: 'UTC' } },
    { kind: 'subscriber.created', owner, person: 0, externalUserId: 'ana' },
    saved(),
  );
  const reported = () => {
    const invariant = findings.first?.invariant;
    if (invariant !== undefined) shown.add(invariant);
    return invariant;
  };
  return { audit, findings, say, saved, moved, enrolls, reported };
}

const atGoal: Move = {
  happened: [entered(1)],
  outcome: waits(1, startMs + 5 * minuteMs + hourMs),
};

t.test('a way as the steps say is reported by nobody', (t) => {
  const { say, moved, enrolls, saved, findings } = aLog();
  const goalMs = startMs + 5 * minuteMs;
  say(enrolls(), moved(goalMs, atGoal, 0));
  say(moved(goalMs + minuteMs, { happened: [], outcome: { kind: 'converted' } }));
  say(enrolls(goalMs), saved({ active: false }));
  say(moved(goalMs + hourMs, { happened: [], outcome: { kind: 'exited' } }, 0));
  t.same(findings.all, []);
  t.end();
});

t.test('whoever enrolls twice, again, or in a journey that is not live is reported', (t) => {
  const twice = aLog();
  twice.say(twice.enrolls(), twice.enrolls());
  t.equal(twice.reported(), 'journey_once');
  const again = aLog({ reentry: 'once', steps: steps.slice(0, 1) });
  const ends: Move = { happened: [], outcome: { kind: 'completed' } };
  again.say(again.enrolls(), again.moved(startMs + 5 * minuteMs, ends));
  again.say(again.enrolls(startMs + hourMs));
  t.equal(again.reported(), 'journey_once');
  const paused = aLog({ active: false });
  paused.say(paused.enrolls());
  t.equal(paused.reported(), 'journey_once');
  t.end();
});

t.test('a journey that takes the place of another is alone, and asks nobody again', (t) => {
  const off = { active: false, replacedBy: 'jrn_next' };
  const beside = aLog();
  beside.say(beside.saved({ id: 'jrn_next', number: 2 }));
  beside.say({ ...beside.saved({ id: 'jrn_next', number: 2 }), replaces: id });
  t.equal(beside.reported(), 'journey_once');
  const again = aLog({ reentry: 'once' });
  again.say(again.enrolls());
  const next = again.saved({ id: 'jrn_next', number: 2 });
  again.say({ ...next, replaces: id }, again.saved(off));
  t.equal(again.reported(), undefined);
  again.say({ ...again.enrolls(), journeyId: 'jrn_next' });
  t.equal(again.reported(), 'journey_once');
  const between = aLog({ triggerEvent: 'order' });
  const batch = { count: 1, person: () => 0, name: () => 'order', atMs: () => startMs } as never;
  between.say(between.saved({ id: 'jrn_next', number: 2, active: false }));
  const { journeys, apps } = between.audit;
  journeys.tracked(apps.get(owner) as never, batch, startMs);
  const app = apps.get(owner) as never;
  journeys.take({ ...between.saved({ id: 'jrn_next', number: 2 }), replaces: id } as never, app);
  journeys.take(between.saved(off) as never, app);
  journeys.turnEnded();
  t.equal(between.reported(), 'journey_once', 'who came as they changed place is in neither');
  t.end();
});

t.test('whoever an event should have moved in its turn, and did not, is reported', (t) => {
  const { audit, reported } = aLog({ triggerEvent: 'order' });
  const batch = (name: string, atMs: number) =>
    ({ count: 1, person: () => 0, name: () => name, atMs: () => atMs }) as never;
  const app = audit.apps.get(owner) as never;
  audit.journeys.tracked(app, batch('visit', startMs), startMs);
  audit.journeys.turnEnded();
  t.equal(reported(), undefined);
  audit.journeys.tracked(app, batch('order', startMs), startMs);
  audit.journeys.turnEnded();
  t.equal(reported(), 'journey_once');
  const goal = aLog();
  goal.say(goal.enrolls(), goal.moved(startMs + 5 * minuteMs, atGoal, 0));
  const nowMs = startMs + 6 * minuteMs;
  goal.audit.journeys.tracked(goal.audit.apps.get(owner) as never, batch('order', nowMs), nowMs);
  goal.audit.journeys.turnEnded();
  t.equal(goal.reported(), 'journey_once');
  t.end();
});

t.test('a move that the steps do not have is reported', (t) => {
  const moves: readonly (readonly [string, number, Move])[] = [
    ['too early', 4 * minuteMs, atGoal],
    ['a step left out', 5 * minuteMs, { happened: [entered(2)], outcome: waits(2, startMs) }],
    ['another instant', 5 * minuteMs, { ...atGoal, outcome: waits(1, startMs + hourMs) }],
    ['no goal there', minuteMs, { happened: [], outcome: { kind: 'converted' } }],
    ['the rest forgotten', 5 * minuteMs, { happened: [], outcome: { kind: 'completed' } }],
    ['nobody paused it', 5 * minuteMs, { happened: [], outcome: { kind: 'exited' } }],
  ];
  for (const [what, afterMs, move] of moves) {
    const { say, enrolls, moved, reported } = aLog();
    say(enrolls(), moved(startMs + afterMs, move));
    t.equal(reported(), 'journey_steps', what);
  }
  const gone = aLog();
  gone.say(gone.moved(startMs, atGoal));
  t.equal(gone.reported(), 'journey_steps', 'who is not under way');
  const left = aLog();
  left.say(left.enrolls(), left.saved({ active: false }), left.saved());
  left.say(left.moved(startMs + 5 * minuteMs, atGoal, 0));
  t.equal(left.reported(), 'journey_steps', 'who was under way when it was paused');
  t.end();
});

t.test('stats that are no recount, and a run that never ends, are reported', (t) => {
  const stats = { enrolled: 2, inFlow: 1, completed: 0, converted: 0, exited: 0, bySteps: {} };
  const counted = aLog();
  counted.say(counted.enrolls());
  const client = checkJourneys(counted, newAppModel(id, owner, org));
  client.next();
  client.next({ ok: true, value: stats } as never);
  t.equal(counted.reported(), 'journey_counts');
  const { findings, reported } = aLog();
  let nowMs = startMs;
  const worker = { app: newAppModel(id, owner, org), findings, latestMs: () => nowMs };
  const end = endJourneys(worker as unknown as Worker);
  const answer = (value: unknown) => end.next({ ok: true, value } as never);
  end.next();
  answer({ items: [{ id }] });
  nowMs += 100 * hourMs;
  answer(stats);
  t.equal(reported(), 'journey_ends');
  t.end();
});

t.test('every invariant about journeys has been shown to fail', (t) => {
  t.same([...shown].sort(), [...journeyInvariants].sort());
  t.end();
});
