// Days in the life of two apps, at random but the same for a seed: events in batches, some of them
// late, sends and what providers say, people erased, an app deleted, time passing. For tests of
// what remains of it at rest.

import type { Outcome } from '../../actors/channels/port/outcome.ts';
import type { DispatchGrant } from '../../actors/sending/outbox/protocol.ts';
import { dayMs, hourMs } from '../../engine/base/brand.ts';
import { below, type Rng } from '../../engine/base/rng.ts';
import { anApp, type TestPartition } from './partition.ts';

const names = ['purchase', 'session', 'product_viewed', 'ปุ่ม'];
const people = 12;

export class RandomDays {
  readonly one: TestPartition;
  readonly #rng: Rng;
  /** Ordinals of the apps that have not been deleted. */
  readonly apps: number[] = [];
  #ids = 0;

  private constructor(one: TestPartition, rng: Rng) {
    this.one = one;
    this.#rng = rng;
  }

  /** An org with two apps on a partition of its own. */
  static async begin(one: TestPartition, rng: Rng): Promise<RandomDays> {
    const days = new RandomDays(one, rng);
    const { org, app } = await anApp(one);
    const second = await one.value(org, 'app.create', {
      name: 'Club',
      timezone: 'UTC',
      vapid: { publicKey: 'public', privateKey: 'private' },
    });
    days.apps.push(app, second.ordinal);
    return days;
  }

  /** Does something `steps` times. */
  async live(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.#step();
  }

  async #step(): Promise<void> {
    const app = this.apps[below(this.#rng, this.apps.length)];
    const dice = below(this.#rng, 100);
    if (dice < 12 || app === undefined) await this.one.advance(below(this.#rng, 2 * dayMs));
    else if (dice < 60) await this.#track(app);
    else if (dice < 75) await this.#send(app);
    else if (dice < 88) await this.#report();
    else if (dice < 97) await this.#erase(app);
    else if (this.apps.length === 2) {
      this.apps.splice(this.apps.indexOf(app), 1);
      await this.one.ask(app, 'app.delete', {});
    }
  }

  async #track(app: number): Promise<void> {
    const events = Array.from({ length: 1 + below(this.#rng, 8) }, () => {
      const lateMs = below(this.#rng, 4) === 0 ? below(this.#rng, 3 * dayMs) : 0;
      return {
        name: names[below(this.#rng, names.length)],
        externalUserId: `user-${below(this.#rng, people)}`,
        at: new Date(this.one.clock.nowMs - lateMs).toISOString(),
        ...(below(this.#rng, 3) === 0 ? {} : { id: `e${this.#ids++}` }),
        ...(below(this.#rng, 2) === 0 ? {} : { props: { n: below(this.#rng, 1000), sku: 'a-1' } }),
        ...(below(this.#rng, 4) === 0 ? { deviceId: 'phone' } : {}),
      };
    });
    const bytes = Buffer.from(JSON.stringify({ events }));
    await this.one.value(app, 'events.ingest', { keyless: false }, { bytes });
  }

  async #send(app: number): Promise<void> {
    const externalUserId = `user-${below(this.#rng, people)}`;
    const devices = [
      { channel: 'email' as const, endpoint: `${externalUserId}@example.com` },
      { channel: 'fcm' as const, endpoint: `token-${app}-${externalUserId}` },
    ];
    await this.one.value(app, 'subscriber.upsert', {
      subscriber: { externalUserId, devices: devices.slice(0, below(this.#rng, 3)) },
    });
    await this.one.ask(app, 'transactional.accept', {
      request: { to: { externalUserId }, title: 'Hello', body: 'There' },
      claim: null,
    });
  }

  /** Providers answer some of what was granted; the rest is forgotten, as in a crash. */
  async #report(): Promise<void> {
    for (const grant of this.one.takeGrants()) await this.#answer(grant);
  }

  async #answer({ app, channel, attempts }: DispatchGrant): Promise<void> {
    if (!this.apps.includes(app)) return;
    // A token that is taken is another from then on, without a draw of its own.
    const movedOf = (from: unknown) =>
      typeof from === 'string' && /^token-[^+]*$/.test(from)
        ? { moved: { from, endpoint: `${from}+` } }
        : {};
    const outcomesOf = (endpoint: unknown): readonly (Outcome | undefined)[] => [
      { outcome: 'accepted', providerMessageId: 'm-1', ...movedOf(endpoint) },
      { outcome: 'permanent', reason: 'too_large' },
      { outcome: 'retry', reason: 'http_503' },
      undefined,
    ];
    const reports = attempts.map(({ target, attempt }) => ({
      sendId: attempt.sendId,
      target,
      attempt: attempt.attempt,
      outcome: outcomesOf(attempt.endpoint)[below(this.#rng, 4)],
    }));
    await this.one.ask(app, 'dispatch.report', { channel, reports });
    await this.one.advance(below(this.#rng, hourMs));
  }

  async #erase(app: number): Promise<void> {
    const externalUserId = `user-${below(this.#rng, people)}`;
    await this.one.ask(app, 'subscriber.erase', { ref: { externalUserId } });
  }
}
