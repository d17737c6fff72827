// Decisions that move people: on an event, a segment entry, or a wake. Each covers one journey and
// a bounded number of people. A person who moved is not decided again before that is folded; their
// next event goes into a further message of the same turn.

import { accepted, type Context, type Decision, type Tell } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { packOrdinals } from '../../../engine/base/ordinal-list.ts';
import type { MembershipProtocol } from '../../audiences/segments/protocol.ts';
import type { SendDevice } from '../../people/audience/device-columns.ts';
import type { CredentialRules } from '../../sending/outbox/open-credentials.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { enter, type Surroundings, type WalkResult } from './advance.ts';
import type { JourneysEntry } from './entries.ts';
import { type Journey, sliceOf } from './journeys.ts';
import { LiveRun } from './live-run.ts';
import type { JourneysMemory, JourneysView } from './memory.ts';
import { MoveBatch } from './move-batch.ts';
import { type JourneyEvent, type JourneysInside, journeyTell } from './protocol.ts';

type MovingKind = 'journey.hear' | 'journey.enter' | 'journey.admit' | 'journey.wake';
type MovingProtocol = Pick<JourneysInside, MovingKind> &
  Pick<MembershipProtocol, 'segment.membership'>;

/** `rules`: the operator's settings for channels. */
export function movingDecisions(rules: CredentialRules): Decisions<MovingProtocol, JourneysMemory> {
  const withMoves = (
    state: JourneysMemory,
    id: string,
    context: Context,
    decide: (moves: Moves) => Decision<null>,
  ) =>
    withApp(state, context, (app) => {
      const journey = app.journeys.get(id);
      if (journey === undefined) return accepted(null);
      return decide(new Moves(state, app, journey, rules, context));
    });
  return {
    'journey.hear': (state, { id, heard }, context) =>
      withMoves(state, id, context, (moves) => moves.handleEvents(heard)),

    'journey.enter': (state, { id, people }, context) =>
      withMoves(state, id, context, (moves) => moves.enter(people)),

    'journey.admit': (state, { id, count }, context) =>
      withMoves(state, id, context, (moves) => moves.admit(count)),

    'journey.wake': (state, { id, people }, context) =>
      withMoves(state, id, context, (moves) => moves.wake(people)),

    'segment.membership': (state, { segmentId, entered }, context) =>
      withApp(state, context, (app) => {
        if (entered.length === 0) return accepted(null);
        const tells = app.journeys
          .liveOfSegment(segmentId)
          .map(({ record: { id } }) =>
            journeyTell(context.owner, { kind: 'journey.enter', id, people: entered }),
          );
        return accepted(null, { tells });
      }),
  };
}

class Moves {
  readonly #app: JourneysView;
  readonly #journey: Journey;
  readonly #context: Context;
  readonly #live: LiveRun;
  readonly #batch: MoveBatch;
  /** How many people one decision enrolls; others are awaited. */
  readonly #slice: number;
  /** What was on its way here as another journey took this one's place goes to that one. */
  readonly #successor: string | undefined;

  constructor(
    state: JourneysMemory,
    app: JourneysView,
    journey: Journey,
    rules: CredentialRules,
    context: Context,
  ) {
    this.#app = app;
    this.#journey = journey;
    this.#slice = sliceOf(journey);
    this.#successor = journey.record.active ? undefined : journey.record.replacedBy;
    this.#context = context;
    this.#live = new LiveRun(state, app, journey.record, rules, context);
    this.#batch = new MoveBatch({
      owner: context.owner,
      journeyId: journey.record.id,
      atMs: context.nowMs,
      firstSend: app.journeys.nextSend,
    });
  }

  /** Converts runs that wait for the event; enrolls people without a run if it is the trigger. */
  handleEvents(events: readonly JourneyEvent[]): Decision<null> {
    const { flow, record } = this.#journey;
    const rest: JourneyEvent[] = [];
    const onward: JourneyEvent[] = [];
    const late: PersonOrdinal[] = [];
    const unvouched: PersonOrdinal[] = [];
    for (const event of events) {
      const { person, name, mayEnroll, isVouched } = event;
      if (this.#batch.has(person)) {
        rest.push(event);
        continue;
      }
      const run = flow.runs.find(person);
      const converted =
        run && event.mayConvert !== false
          ? flow.handleEvent(record.program, run, event)
          : undefined;
      if (converted !== undefined) this.#batch.add(person, converted, []);
      if (run !== undefined || !mayEnroll || name !== record.triggerEvent) continue;
      if (this.#successor !== undefined) onward.push({ ...event, mayConvert: false });
      if (!this.#mayEnroll(person)) continue;
      if (!isVouched) {
        if (this.#journey.triggered.has(person, this.#context.nowMs)) continue;
        unvouched.push(person);
      }
      if (this.#batch.size < this.#slice) this.#enroll(person);
      else late.push(person);
    }
    const tells = [...this.#hears(record.id, rest), ...this.#hears(this.#successor, onward)];
    return this.#decided(late, tells, unvouched);
  }

  enter(people: readonly PersonOrdinal[]): Decision<null> {
    const late: PersonOrdinal[] = [];
    for (const person of people) {
      if (this.#batch.has(person) || !this.#mayEnroll(person)) continue;
      if (this.#batch.size < this.#slice) this.#enroll(person);
      else late.push(person);
    }
    return this.#decided(late, this.#enters(people));
  }

  #hears(id: string | undefined, heard: readonly JourneyEvent[]): readonly Tell[] {
    if (id === undefined || heard.length === 0) return [];
    return [journeyTell(this.#context.owner, { kind: 'journey.hear', id, heard })];
  }

  /** The people, without those who were under way here, for a successor of the same segment. */
  #enters(people: readonly PersonOrdinal[]): readonly Tell[] {
    const { record, flow } = this.#journey;
    const successor = this.#app.journeys.get(this.#successor ?? '');
    if (successor === undefined || successor.record.triggerSegmentId !== record.triggerSegmentId)
      return [];
    const { id } = successor.record;
    const entering = people.filter((person) => !flow.runs.has(person));
    const enter = { kind: 'journey.enter', id, people: entering };
    return [journeyTell(this.#context.owner, enter)];
  }

  /** Enrolls the first `count` awaited people, if they still may. */
  admit(count: number): Decision<null> {
    const { awaited } = this.#journey;
    let left = count;
    for (
      let person = awaited.nextFrom(0);
      person >= 0 && left > 0;
      person = awaited.nextFrom(person + 1), left--
    ) {
      this.#batch.pass(person);
      if (this.#mayEnroll(person)) this.#enroll(person);
    }
    return this.#decided([]);
  }

  wake(people: readonly PersonOrdinal[]): Decision<null> {
    const { flow, record } = this.#journey;
    for (const person of people) {
      const run = flow.runs.find(person);
      if (run === undefined || run.wakeMs > this.#context.nowMs || this.#batch.has(person))
        continue;
      this.#walk(person, (around) => flow.wake(record.program, run, around));
    }
    return this.#decided([]);
  }

  #mayEnroll(person: PersonOrdinal): boolean {
    const { flow, record } = this.#journey;
    return (
      record.active &&
      this.#app.traits.alive.test(person) &&
      !flow.runs.has(person) &&
      flow.mayEnroll(person, record.reentry)
    );
  }

  #enroll(person: PersonOrdinal): void {
    const { program } = this.#journey.record;
    this.#walk(person, (around) => ({ enrolls: true, ...enter(program, around) }));
  }

  #walk(person: PersonOrdinal, way: (around: Surroundings) => WalkResult): void {
    const sends: SendDevice[][] = [];
    this.#batch.add(person, way(this.#live.around(person, sends)), sends);
  }

  /** `late`: people beyond the slice, stored as awaited. */
  #decided(
    late: readonly PersonOrdinal[],
    tells: readonly Tell[] = [],
    unvouched: readonly PersonOrdinal[] = [],
  ): Decision<null> {
    const { owner } = this.#context;
    const entries = [...this.#batch.entries()];
    const { id: journeyId } = this.#journey.record;
    if (unvouched.length > 0) {
      const atMs = this.#context.nowMs;
      const people = packed(unvouched);
      const triggered: JourneysEntry = {
        kind: 'journey.triggered',
        owner,
        journeyId,
        atMs,
        people,
      };
      entries.push(triggered);
    }
    if (late.length > 0) {
      const people = packed(late);
      const awaited: JourneysEntry = { kind: 'journey.awaited', owner, journeyId, people };
      entries.push(awaited);
    }
    return accepted(null, { entries, tells });
  }
}

function packed(people: readonly PersonOrdinal[]): Uint8Array {
  return packOrdinals([...new Set(people)].sort((one, other) => one - other));
}
