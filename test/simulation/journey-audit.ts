// Follows journeys through the log: who is under way in which, where each waits and until when.
// Every move is held against the rules of enrolling, pausing, goals, caps and quiet hours, and what
// a live journey listens for must move people in the very turn that stored it. Like the audit of
// campaigns it never asks the product's own memory.

import { channelIds } from '../../actors/channels/channel-ids.ts';
import type { EventBatch } from '../../actors/events/log/event-batch.ts';
import { deviceIdBytes, readDeviceId } from '../../actors/people/audience/device-ids.ts';
import type { JourneysEntry, Move, RunsMoved } from '../../actors/programs/journeys/entries.ts';
import { Bitset } from '../../engine/base/bitset.ts';
import { hourMs, type Millis } from '../../engine/base/brand.ts';
import { formatId } from '../../engine/base/id.ts';
import { unpackOrdinals } from '../../engine/base/ordinal-list.ts';
import type { AuditedLog, CampaignAudit } from './campaign-audit.ts';
import {
  idsOf,
  type JourneyFact,
  lengthOf,
  type StepFact,
  stepOf,
  strayed,
} from './journey-facts.ts';
import type { AppFact, TargetFact, WrittenPerson } from './log-facts.ts';

/** What the turn at hand still owes: somebody has to be moved so before it ends. */
interface Owed {
  readonly owner: number;
  readonly id: string;
  readonly person: number;
  readonly what: 'enrolls' | 'converts';
  readonly isKeyless?: boolean;
}

interface AppJourneys {
  readonly journeys: Map<string, JourneyFact>;
  nextSend: number;
}

/** The journeys of one world. */
export class JourneyAudit {
  readonly #apps = new Map<number, AppJourneys>();
  readonly #log: AuditedLog;
  /** People, settings and caps are those of campaigns. */
  readonly #marketing: CampaignAudit;
  /** The topic of each. */
  readonly #sends = new Map<string, string | undefined>();
  /** Journeys whose successor went live in this turn, and that have yet to go off in it. */
  readonly #replaced = new Set<string>();
  #owed: Owed[] = [];
  /** Of this turn, as `journey|person|what`. */
  readonly #moved = new Set<string>();
  /**
   * Whose records this turn wrote, as `app|person`: before or after they were sent something,
   * nobody knows.
   */
  #written = new Set<string>();
  #enrolled = 0;

  constructor(log: AuditedLog, marketing: CampaignAudit) {
    this.#log = log;
    this.#marketing = marketing;
  }

  get figures(): { readonly journeyRuns: number; readonly journeySends: number } {
    return { journeyRuns: this.#enrolled, journeySends: this.#sends.size };
  }

  of(owner: number): AppJourneys {
    let app = this.#apps.get(owner);
    if (app === undefined) this.#apps.set(owner, (app = { journeys: new Map(), nextSend: 1 }));
    return app;
  }

  turnBegins(written: readonly WrittenPerson[]): void {
    this.#written = new Set(written.map(({ owner, person }) => `${owner}|${person}`));
  }

  take(entry: JourneysEntry, app: AppFact): void {
    const { journeys } = this.of(entry.owner);
    switch (entry.kind) {
      case 'journey.saved':
        this.#saved(entry, journeys);
        break;
      case 'journey.deleted':
        journeys.delete(entry.id);
        break;
      case 'journey.awaited':
        for (const person of unpackOrdinals(entry.people))
          journeys.get(entry.journeyId)?.awaited.add(person);
        break;
      case 'journey.triggered': {
        const hour = Math.floor(entry.atMs / hourMs);
        for (const person of unpackOrdinals(entry.people))
          journeys.get(entry.journeyId)?.triggered.set(person, hour);
        break;
      }
      case 'journey.moved':
        this.#movedAll(entry, app);
        break;
      case 'journeys.released':
        break;
    }
  }

  /**
   * Events that people tracked: what a live journey listens for moves them before the turn ends.
   */
  tracked(app: AppFact, batch: EventBatch, nowMs: Millis, keyless = false): void {
    const marketing = this.#marketing.of(app.ordinal);
    const hour = Math.floor(nowMs / hourMs);
    const counts = !keyless || marketing.countsKeyless;
    for (const [id, { record, runs, ever, triggered }] of this.of(app.ordinal).journeys)
      for (let row = 0; row < batch.count; row++) {
        const person = marketing.whole(batch.person(row));
        const name = batch.name(row);
        const run = runs.get(person);
        const base = { owner: app.ordinal, id, person };
        const step = stepOf(record, run?.step);
        if (run === undefined) {
          const isOften = keyless && triggered.get(person) === hour;
          const isLetIn =
            record.active && !isOften && !(record.reentry === 'once' && ever.has(person));
          if (name === record.triggerEvent && isLetIn && !marketing.gone.has(person))
            this.#owed.push({ ...base, what: 'enrolls', isKeyless: keyless });
        } else if (counts && step?.type === 'goal' && step.event === name && !run.isLeaving) {
          const atMs = batch.atMs(row);
          const isWithin = atMs >= run.wakeMs - lengthOf(step) && atMs < run.wakeMs;
          if (isWithin && nowMs < run.wakeMs) this.#owed.push({ ...base, what: 'converts' });
        }
      }
  }

  /** The turn is over. */
  turnEnded(): void {
    this.#log.findings.expect(
      this.#replaced.size === 0,
      'journey_once',
      () => `${[...this.#replaced]} is live beside the one that took its place`,
    );
    this.#replaced.clear();
    for (const { owner, id, person, what } of this.#owed) {
      const journey = this.of(owner).journeys.get(id);
      if (journey === undefined || this.#marketing.of(owner).gone.has(person)) continue;
      const isDone = this.#moved.has(`${id}|${person}|${what}`);
      const isLate = what === 'enrolls' && (journey.awaited.has(person) || !journey.record.active);
      const hasLeft = what === 'converts' && !journey.runs.has(person);
      this.#log.findings.expect(
        isDone || isLate || hasLeft,
        'journey_once',
        () => `${person} ${what} in ${id} by an event, and did not in its turn`,
      );
    }
    this.#owed = [];
    this.#moved.clear();
  }

  /** An attempt of a journey's send starts. */
  attempted(sendId: string, target: TargetFact, app: AppFact, person: number, atMs: Millis): void {
    if (!this.#sends.has(sendId)) return;
    const topic = this.#sends.get(sendId);
    this.#marketing.checkHour(app, person, target.channel, atMs, topic);
  }

  erased(owner: number, person: number): void {
    for (const journey of this.of(owner).journeys.values()) {
      if (journey.runs.delete(person)) journey.counts.exited++;
      journey.ever.delete(person);
      journey.awaited.delete(person);
    }
  }

  merged(owner: number, from: number, into: number): void {
    for (const fact of this.of(owner).journeys.values()) {
      const { runs, ever, awaited, counts, triggered } = fact;
      const hour = triggered.get(from);
      if (hour !== undefined) triggered.set(into, Math.max(hour, triggered.get(into) ?? 0));
      if (ever.delete(from)) ever.add(into);
      if (awaited.delete(from)) awaited.add(into);
      const run = runs.get(from);
      if (run === undefined) continue;
      runs.delete(from);
      if (runs.has(into)) counts.exited++;
      else runs.set(into, run);
    }
  }

  /** One took the place of another: nobody is asked twice, and nobody is left between. */
  #tookOver(into: JourneyFact, from: JourneyFact, atMs: Millis): void {
    for (const person of from.ever) into.ever.add(person);
    for (const [person, hour] of from.triggered)
      into.triggered.set(person, Math.max(hour, into.triggered.get(person) ?? 0));
    const isSame =
      into.record.triggerEvent === from.record.triggerEvent &&
      into.record.triggerSegmentId === from.record.triggerSegmentId;
    if (!isSame) return;
    for (const person of from.awaited) into.awaited.add(person);
    const hour = Math.floor(atMs / hourMs);
    this.#owed = this.#owed.flatMap((owed) => {
      const { id, person, what, isKeyless } = owed;
      const isOpen = id === from.record.id && what === 'enrolls';
      if (!isOpen || this.#moved.has(`${id}|${person}|enrolls`)) return [owed];
      const isOften = isKeyless === true && into.triggered.get(person) === hour;
      const isIn =
        into.runs.has(person) || (into.record.reentry === 'once' && into.ever.has(person));
      return isOften || isIn ? [] : [{ ...owed, id: into.record.id }];
    });
  }

  #saved(
    { journey: record, awaited, replaces }: Extract<JourneysEntry, { kind: 'journey.saved' }>,
    journeys: AppJourneys['journeys'],
  ): void {
    let fact = journeys.get(record.id);
    if (fact === undefined) {
      const counts = { enrolled: 0, completed: 0, converted: 0, exited: 0 };
      const none = {
        runs: new Map(),
        ever: new Set<number>(),
        awaited: new Set<number>(),
        triggered: new Map<number, number>(),
      };
      journeys.set(record.id, (fact = { record, ...none, counts, steps: new Map(), nextStep: 1 }));
      fact.steps = adopted(fact, record);
    }
    const isPaused = fact.record.active && !record.active;
    if (isPaused) {
      fact.awaited = new Set();
      for (const [person, run] of fact.runs) fact.runs.set(person, { ...run, isLeaving: true });
    } else if (!fact.record.active) fact.steps = adopted(fact, record);
    fact.record = record;
    if (isPaused && record.replacedBy !== undefined) this.#replaced.delete(record.id);
    const replaced = journeys.get(replaces ?? '');
    if (replaced !== undefined) {
      this.#replaced.add(replaced.record.id);
      this.#tookOver(fact, replaced, record.updatedMs);
    }
    if (awaited === undefined) return;
    const people = Bitset.restore(awaited);
    for (let one = people.nextFrom(0); one >= 0; one = people.nextFrom(one + 1))
      fact.awaited.add(one);
  }

  #movedAll(entry: RunsMoved, app: AppFact): void {
    const { findings } = this.#log;
    const { journeyId, atMs, moves, codes, passed } = entry;
    const mine = this.of(entry.owner);
    const fact = mine.journeys.get(journeyId);
    findings.expect(fact !== undefined, 'journey_once', () => `${journeyId} moves and is gone`);
    if (fact === undefined) return;
    const sends = new SendReader(entry);
    let events = 0;
    unpackOrdinals(entry.people).forEach((person, i) => {
      const move = moves[codes?.[i] ?? 0] as Move;
      events += this.#move(fact, person, move, atMs, app);
      for (const { kind, operation } of move.happened)
        if (kind === 'sent') this.#send(fact, person, operation, sends, atMs, app);
    });
    findings.expect(
      entry.firstSend === mine.nextSend,
      'journey_steps',
      () => `${journeyId} numbers sends from ${entry.firstSend}, expected ${mine.nextSend}`,
    );
    mine.nextSend = entry.firstSend + sends.taken;
    this.#log.number(app, entry.firstEvent, events, entry.kind);
    for (const person of passed === undefined ? [] : unpackOrdinals(passed))
      fact.awaited.delete(person);
  }

  /** One person's move; gives how many events are stored of it. */
  #move(fact: JourneyFact, person: number, move: Move, atMs: Millis, app: AppFact): number {
    const { findings } = this.#log;
    const { record, runs, ever, counts } = fact;
    const { enrolls, happened, outcome } = move;
    const who = `${person} of app ${app.ordinal} in ${record.id}`;
    const said = () => `${who}: ${JSON.stringify(move)}`;
    const run = runs.get(person);
    findings.expect(
      !app.deleted && !this.#marketing.of(app.ordinal).gone.has(person),
      'erased_is_left_alone',
      () => `${who} is gone and moves`,
    );
    if (enrolls) {
      const isLetIn = run === undefined && !(record.reentry === 'once' && ever.has(person));
      findings.expect(record.active && isLetIn, 'journey_once', () => `${who} enrolls again`);
      ever.add(person);
      counts.enrolled++;
      this.#enrolled++;
      this.#moved.add(`${record.id}|${person}|enrolls`);
    } else
      findings.expect(run !== undefined, 'journey_steps', () => `${who} moves and is not there`);
    if (outcome.kind === 'converted') {
      const step = stepOf(record, run?.step);
      const isAtGoal = step?.type === 'goal' && run?.isLeaving === false && happened.length === 0;
      findings.expect(isAtGoal, 'journey_steps', said);
      this.#moved.add(`${record.id}|${person}|converts`);
    } else {
      const isDue = run === undefined || run.wakeMs <= atMs;
      findings.expect(isDue, 'journey_steps', () => `${who} wakes at ${atMs}, not ${run?.wakeMs}`);
      if (run?.isLeaving === true)
        findings.expect(outcome.kind === 'exited' && happened.length === 0, 'journey_steps', said);
      else {
        const wrong = strayed(record, run?.step, move, atMs);
        findings.expect(wrong === undefined, 'journey_steps', () => `${who}: ${wrong}`);
      }
    }
    const ids = idsOf(record.steps);
    let events = enrolls ? 1 : 0;
    for (const one of happened) {
      const step = fact.steps.get(ids[one.operation] ?? '');
      if (one.kind === 'entered' && step !== undefined) step.entered++;
      if (one.kind === 'sent' && step !== undefined) step.sent++;
      if (one.kind === 'suppressed') events++;
      if (one.kind === 'held' && ['quiet_hours', 'daily_cap'].includes(one.reason)) events++;
    }
    if (outcome.kind === 'waits') {
      const step = ids[outcome.operation] ?? '';
      runs.set(person, { step, wakeMs: outcome.wakeMs, isLeaving: false });
      return events;
    }
    runs.delete(person);
    counts[outcome.kind]++;
    return outcome.kind === 'exited' ? events : events + 1;
  }

  /** A step sends: to whom, on what, and whether policy lets it. */
  #send(
    { record, steps }: JourneyFact,
    person: number,
    operation: number,
    reader: SendReader,
    atMs: Millis,
    app: AppFact,
  ): void {
    const { findings, sends } = this.#log;
    const marketing = this.#marketing.of(app.ordinal);
    const stepId = idsOf(record.steps)[operation] ?? '';
    const number = steps.get(stepId)?.number ?? 0;
    const { sendId, devices } = reader.next(record.number, number);
    const who = `${sendId} of ${person} of app ${app.ordinal} in ${record.id}`;
    findings.expect(!sends.has(sendId), 'journey_steps', () => `${who} is there already`);
    const step = stepOf(record, stepId);
    const { channels: named, topic } = step?.type === 'send' ? step : {};
    const row = app.rows.get(marketing.whole(person));
    let isFirst = true;
    const reached = new Set<string>();
    for (const { deviceId, channel } of devices) {
      const isTheirs =
        this.#written.has(`${app.ordinal}|${marketing.whole(person)}`) ||
        row?.devices.some((one) => one.id === deviceId && one.enabled) === true;
      findings.expect(
        isTheirs && (named ?? channelIds).some((one) => one === channel),
        'journey_steps',
        () => `${who} goes to ${deviceId} on ${channel}`,
      );
      if (reached.has(channel)) continue;
      reached.add(channel);
      // One that is quiet goes along, and leaves at its own hour.
      if (!this.#marketing.isHeldAt(app, person, channel, atMs)) {
        const over = marketing.caps.reached(
          { channel, isFirst, atMs },
          (one) => marketing.whole(one) === marketing.whole(person),
        );
        findings.expect(over === undefined, 'policy_holds', () => `${who} has had ${over}`);
        isFirst = false;
      }
    }
    findings.expect(!isFirst, 'policy_holds', () => `${who} has no channel that may send now`);
    const [first] = reached;
    for (const channel of reached)
      marketing.caps.add({ person, channel, isFirst: channel === first, atMs });
    this.#log.count(app, atMs);
    const targets = devices.map(
      ({ deviceId, channel }): TargetFact => ({
        ...{ sendId, deviceId, channel, state: 'due', attempts: 0, starts: 0, dueMs: 0 },
        ...{ status: undefined, redriven: false },
      }),
    );
    const base = { id: sendId, app: app.ordinal, person, atMs, claim: undefined };
    sends.set(sendId, { ...base, targets, job: targets, isCampaign: true });
    this.#sends.set(sendId, topic);
  }
}

/** The steps of a journey that is saved: those it had keep their counts and numbers. */
function adopted(fact: JourneyFact, { steps }: JourneyFact['record']): JourneyFact['steps'] {
  const last = 255; // further ones have none
  const counted = (id: string): StepFact =>
    fact.steps.get(id) ?? {
      ...{ entered: 0, sent: 0 },
      number: fact.nextStep > last ? 0 : fact.nextStep++,
    };
  return new Map(idsOf(steps).map((id) => [id, counted(id)] as const));
}

/** Written a second time, so that the ids of the product have a witness. */
function sendIdOf(
  ordinal: number,
  atMs: Millis,
  count: number,
  { journey, step }: { readonly journey: number; readonly step: number },
): string {
  const high16 = step * 256 + (Math.floor(journey / 4096) % 16) * 16 + 15;
  const low32 = (journey % 4096) * 2 ** 20 + (count % 2 ** 20);
  return formatId('ntf', { ordinal, atMs, high16, low32 });
}

/** The sends of an entry, one after another. */
class SendReader {
  taken = 0;
  #device = 0;
  readonly #entry: RunsMoved;

  constructor(entry: RunsMoved) {
    this.#entry = entry;
  }

  next(journey: number, step: number) {
    const { owner, atMs, firstSend, sends } = this.#entry;
    const sendId = sendIdOf(owner, atMs, firstSend + this.taken, { journey, step });
    const count = sends?.counts[this.taken++] ?? 0;
    const devices = Array.from({ length: count }, () => {
      const i = this.#device++;
      const { channels = new Uint8Array(), devices: ids = new Uint8Array() } = sends ?? {};
      const isThere = (i + 1) * deviceIdBytes <= ids.length;
      const deviceId = isThere ? readDeviceId(owner, ids, i) : '';
      return { deviceId, channel: channelIds[channels[i] ?? 0] as string };
    });
    return { sendId, devices };
  }
}
