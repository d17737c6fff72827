// Runs the clients of a world: hands what they yield to the process that is alive, and resumes them
// with what came of it.

import type { Message } from '../../engine/actor/message.ts';
import { fraction, type Rng } from '../../engine/base/rng.ts';
import type { Client, Reply } from './client.ts';
import type { Findings } from './invariants.ts';
import type { ProcessThreads } from './process-threads.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

interface ClientRunnerOptions {
  readonly timeline: Timeline;
  readonly rng: Rng;
  readonly findings: Findings;
  readonly weather: Pick<Weather, 'jumpedAheadMs'>;
  /** The process that is alive; `undefined` between two lives. */
  readonly process: () => Pick<ProcessThreads, 'ask'> | undefined;
  readonly note: (text: string) => void;
}

/** Every client of one world. */
export class ClientRunner {
  readonly #options: ClientRunnerOptions;
  #running = 0;

  constructor(options: ClientRunnerOptions) {
    this.#options = options;
  }

  /** Clients that have not ended. */
  get running(): number {
    return this.#running;
  }

  /** Runs a client until it ends. */
  run(client: Client): void {
    this.#running++;
    this.#options.timeline.after(0, () => this.#resume(client, undefined));
  }

  #resume(client: Client, value: Reply<unknown> | undefined): void {
    const { timeline, rng, note, process } = this.#options;
    const next = client.next(value);
    if (next.done) {
      this.#running--;
      return;
    }
    const step = next.value;
    if (step.step === 'pause') {
      timeline.after(step.ms, () => this.#resume(client, undefined));
      return;
    }
    const { to, kind, body, by, bytes, lane } = step;
    const answer = (reply: Reply<unknown>) => {
      note(`${kind} ${to} -> ${reply === 'lost' ? 'lost' : reply.ok ? 'ok' : reply.fault.code}`);
      this.#resume(client, reply);
    };
    const alive = process();
    if (alive === undefined) {
      // refused to connect; to a client that is one more lost answer
      timeline.after(100, () => answer('lost'));
      return;
    }
    const askedMs = timeline.nowMs;
    alive.ask(to, { ...body, kind, by } as Message, { lane, bytes }, (reply) => {
      if (reply === 'lost') timeline.after(fraction(rng) * 50, () => answer('lost'));
      else {
        this.#checkExpiry(kind, askedMs, reply);
        answer(reply);
      }
    });
  }

  /** Deadlines are wall-clock instants: only a jump ahead brings one closer. */
  #checkExpiry(kind: string, askedMs: number, reply: Exclude<Reply<unknown>, 'lost'>): void {
    const { timeline, findings, weather } = this.#options;
    if (reply.ok || reply.fault.code !== 'not_started') return;
    const waitedMs = timeline.nowMs - askedMs;
    findings.expect(
      waitedMs >= 10_000 || weather.jumpedAheadMs >= askedMs,
      'expires_late',
      () => `${kind} was given up on after ${Math.round(waitedMs)} ms`,
    );
  }
}
