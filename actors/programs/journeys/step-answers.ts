// What became of the sends of a journey's steps, and what people answered. Of everyone the newest
// send of a step counts, once, by the best result of any device. Steps have numbers, which ids of
// sends name; a number stays with its step's id.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { stepNumberMax } from '../../sending/journey-send-id.ts';
import type { Sender } from '../../sending/mailboxes/figures.ts';
import { MailSenders, type MailSendersSnapshot } from '../../sending/mailboxes/mail-senders.ts';
import type { Mark } from '../campaigns/funnel.ts';
import { Tally, type TallySnapshot } from '../campaigns/tally.ts';
import { type Program, stepsOf } from './program.ts';
import type { StepResults } from './stats.ts';

export interface StepAnswersSnapshot {
  readonly nextNumber: number;
  readonly steps: readonly {
    readonly id: string;
    readonly number: number;
    readonly goals: number;
    readonly tally?: TallySnapshot;
    readonly inRun?: Uint8Array;
    /** Absent before its first email ended, and in checkpoints of earlier builds. */
    readonly senders?: MailSendersSnapshot;
  }[];
}

interface OneStep {
  readonly id: string;
  /** 0: the journey has had more steps than ids can number. */
  readonly number: number;
  goals: number;
  /** Made by the first send. */
  sends?: { readonly tally: Tally; readonly inRun: Bitset; readonly senders: MailSenders };
}

export class StepAnswers {
  #steps = new Map<string, OneStep>();
  #nextNumber = 1;

  constructor(program: Program) {
    this.adopt(program);
  }

  /** Keeps what is known of steps whose id stays. */
  adopt(program: Program): void {
    const before = this.#steps;
    this.#steps = new Map(
      stepsOf(program).map((id) => [
        id,
        before.get(id) ?? { id, number: this.#number(), goals: 0 },
      ]),
    );
  }

  numberOf(step: string): number {
    return this.#steps.get(step)?.number ?? 0;
  }

  /** The id of a step. */
  stepAt(number: number): string | undefined {
    if (number === 0) return undefined;
    for (const one of this.#steps.values()) if (one.number === number) return one.id;
    return undefined;
  }

  /** A person enrolls again: earlier sends take no part in what the new run leads to. */
  enroll(person: PersonOrdinal): void {
    for (const { sends } of this.#steps.values()) sends?.inRun.clear(person);
  }

  sent(step: string, person: PersonOrdinal): void {
    const sends = this.#begin(step, person);
    sends?.tally.mark(person, 'sent', undefined);
    sends?.inRun.set(person);
  }

  suppressed(step: string, person: PersonOrdinal, reason: string): void {
    this.#begin(step, person)?.tally.suppress(person, reason, undefined);
  }

  /** `goal`: the step that the person waited at. */
  converted(goal: string, person: PersonOrdinal): void {
    const at = this.#steps.get(goal);
    if (at !== undefined) at.goals++;
    for (const { sends } of this.#steps.values())
      if (sends?.inRun.test(person)) sends.tally.mark(person, 'converted', undefined);
  }

  /** Counts what a person did with a send of the step; not if it was never sent to them. */
  answered(step: string, person: PersonOrdinal, mark: 'opened' | 'clicked'): void {
    const tally = this.#steps.get(step)?.sends?.tally;
    if (tally?.has(person, 'sent')) tally.mark(person, mark, undefined);
  }

  /** Whether a relay has yet to report on a send of the step. */
  awaits(step: string, person: PersonOrdinal): boolean {
    return this.#steps.get(step)?.sends?.tally.awaits(person) === true;
  }

  /** Who sent a person the step's newest email, and by which relay. */
  senderOf(step: string, person: PersonOrdinal): Sender | undefined {
    return this.#steps.get(step)?.sends?.senders.of(person);
  }

  mailed(step: string, person: PersonOrdinal, sender: Sender): void {
    this.#steps.get(step)?.sends?.senders.note([person], sender);
  }

  /** The tally that receipts of a step's sends change. */
  tallyOf(step: string): Tally | undefined {
    const one = this.#steps.get(step);
    return one && sendsOf(one).tally;
  }

  resultsOf(step: string): StepResults {
    const one = this.#steps.get(step);
    const tally = one?.sends?.tally;
    const count = (mark: Exclude<Mark, 'sent'>) => tally?.people[mark] ?? 0;
    const reasons = [...(tally?.suppressedBy ?? [])].filter(([, people]) => people > 0);
    return {
      delivered: count('delivered'),
      opened: count('opened'),
      clicked: count('clicked'),
      converted: count('converted') + (one?.goals ?? 0),
      bounced: count('bounced'),
      failed: count('failed'),
      suppressed: count('suppressed'),
      suppressedBy: Object.fromEntries(reasons),
    };
  }

  forget(person: PersonOrdinal): void {
    this.enroll(person);
  }

  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    for (const { sends } of this.#steps.values()) {
      if (sends === undefined) continue;
      sends.senders.merge(from, into, !sends.tally.has(into, 'sent'));
      sends.tally.merge(from, into, () => undefined);
      if (sends.inRun.test(from)) sends.inRun.set(into);
      sends.inRun.clear(from);
    }
  }

  snapshot(): StepAnswersSnapshot {
    const steps = [...this.#steps.values()].map(({ id, number, goals, sends }) => ({
      ...{ id, number, goals },
      ...(sends === undefined
        ? {}
        : {
            tally: sends.tally.snapshot(),
            inRun: sends.inRun.snapshot(),
            ...(sends.senders.isEmpty ? {} : { senders: sends.senders.snapshot() }),
          }),
    }));
    return { nextNumber: this.#nextNumber, steps };
  }

  /** Checkpoints of earlier builds have none: counting starts with the next send. */
  static restore(program: Program, from: StepAnswersSnapshot | undefined): StepAnswers {
    if (from === undefined) return new StepAnswers(program);
    const answers = new StepAnswers({ operations: [] });
    answers.#nextNumber = from.nextNumber;
    for (const { id, number, goals, tally, inRun, senders } of from.steps) {
      const sends = tally && {
        tally: Tally.restore(tally, () => undefined),
        inRun: Bitset.restore(inRun ?? new Uint8Array(0)),
        senders: MailSenders.restore(senders),
      };
      answers.#steps.set(id, { id, number, goals, ...(sends === undefined ? {} : { sends }) });
    }
    return answers;
  }

  /** A new send or suppression of a step takes the place of the person's last. */
  #begin(step: string, person: PersonOrdinal): OneStep['sends'] {
    const one = this.#steps.get(step);
    if (one === undefined) return undefined;
    const sends = sendsOf(one);
    sends.tally.renew(person);
    return sends;
  }

  #number(): number {
    return this.#nextNumber > stepNumberMax ? 0 : this.#nextNumber++;
  }
}

function sendsOf(step: OneStep): NonNullable<OneStep['sends']> {
  step.sends ??= { tally: new Tally(), inRun: new Bitset(0), senders: new MailSenders() };
  return step.sends;
}
