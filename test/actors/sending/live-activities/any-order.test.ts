// Any order of registrations, rotations, updates, ends, outcomes (late ones too), waits and
// crashes, against a model that keeps one small record an activity. Beside the registry it is asked
// what a phone shows: the newest state, once all is quiet.

import fc from 'fast-check';
import t from 'tap';
import type { LiveActivityContent } from '../../../../actors/channels/port/live-activity.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { ActivityScene, type Client, tokenOf } from './scene.ts';

interface Modeled {
  readonly id: string;
  readonly client: Client;
  state: 'active' | 'ended' | 'closed';
  token: number;
  timestamp: number;
  /** The number in the newest state that was pushed, and its send. */
  newest: { readonly n: number; readonly send: string } | undefined;
}

/** What a phone shows: it drops whatever is not newer. */
interface Shown {
  timestamp: number;
  n: number;
}

type Grant = ReturnType<ActivityScene['grants']>[number];

const outcomes: readonly (Outcome | undefined)[] = [
  { outcome: 'accepted', providerMessageId: 'm' },
  { outcome: 'accepted', providerMessageId: 'm' },
  { outcome: 'dead', reason: 'unregistered' },
  { outcome: 'retry', reason: 'http_503' },
  { outcome: 'rate', reason: 'throttled', retryAfterMs: 5_000 },
  { outcome: 'ambiguous', reason: 'timeout' },
  { outcome: 'permanent', reason: 'payload_too_large' },
  undefined,
];

const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('register' as const), who: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('rotate' as const),
      at: fc.nat(9),
      token: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      at: fc.nat(9),
      alert: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), at: fc.nat(9) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      at: fc.nat(9),
      outcome: fc.constantFrom(...outcomes),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 999, 1_000, 30_000, 600_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A scene and its model, side by side. */
class Race {
  readonly scene: ActivityScene;
  readonly #people: readonly Client[];
  readonly #activities: Modeled[] = [];
  readonly #shown = new Map<string, Shown>();
  #underWay: Grant[] = [];
  #count = 0;

  constructor(scene: ActivityScene, people: readonly Client[]) {
    this.scene = scene;
    this.#people = people;
  }

  async take(one: Step): Promise<void> {
    const { scene } = this;
    if (one.do === 'register') await this.#register(one.who);
    else if (one.do === 'answer') await this.#answer(one.at, one.outcome);
    else if (one.do === 'wait') await scene.one.advance(one.ms);
    else if (one.do === 'crash') {
      // Whether a call that was under way arrived is anybody's guess: here it did not.
      this.#underWay = [];
      scene.grants();
      await scene.crash();
    } else {
      const activity = this.#activities[one.at % Math.max(1, this.#activities.length)];
      if (activity === undefined) return;
      if (one.do === 'rotate') await this.#rotate(activity, one.token);
      else await this.#push(activity, one.do, one.do === 'update' && one.alert);
    }
    this.#collect();
    this.compare();
  }

  /** Everything that waits arrives. */
  async comeToRest(): Promise<void> {
    for (let round = 0; round < 200; round++) {
      this.#collect();
      while (this.#underWay.length > 0) {
        await this.#answer(0, outcomes[0]);
        this.#collect();
      }
      if (this.scene.one.product.state.apps.get(this.scene.app)?.outbox.jobs.size === 0) break;
      await this.scene.one.advance(minuteMs);
    }
    this.compare();
    for (const { id, newest } of this.#activities) {
      if (newest === undefined) continue;
      const { status, reason } = await this.scene.status(newest.send);
      const isGivenUp = status === 'bounced' || status === 'failed' || reason === 'activity_closed';
      if (!isGivenUp && (status !== 'delivered' || this.#shown.get(id)?.n !== newest.n))
        throw new Error(`${status}: the phone shows ${this.#shown.get(id)?.n}, not ${newest.n}`);
    }
  }

  compare(): void {
    for (const { id, state, token, timestamp } of this.#activities) {
      const row = this.scene.row(id);
      const found = { state: row?.state, token: row?.pushToken, timestamp: row?.timestamp };
      const wanted = { state, token: tokenOf(token), timestamp };
      if (JSON.stringify(found) !== JSON.stringify(wanted))
        throw new Error(`${id}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
    }
  }

  async #register(who: number): Promise<void> {
    const client = this.#people[who] as Client;
    const token = 100 + this.#activities.length;
    const id = await this.scene.register(client, tokenOf(token));
    this.#activities.push({ id, client, state: 'active', token, timestamp: 0, newest: undefined });
  }

  async #rotate(activity: Modeled, token: number): Promise<void> {
    const answer = await this.scene.rotate(activity.client, activity.id, tokenOf(token));
    const isRefused = activity.token === token && activity.state === 'closed';
    if (answer.ok === isRefused) throw new Error(`rotating said ${JSON.stringify(answer)}`);
    if (activity.token === token) return;
    activity.token = token;
    if (activity.state === 'closed') activity.state = 'active';
  }

  async #push(activity: Modeled, event: 'update' | 'end', isAlert: boolean): Promise<void> {
    const n = ++this.#count;
    const alert = isAlert ? { alert: { title: 'T', body: 'B' } } : {};
    const answer = await this.scene.ask(activity.id, { event, contentState: { n }, ...alert });
    if (answer.ok !== (activity.state === 'active'))
      throw new Error(`a push to one that is ${activity.state}: ${JSON.stringify(answer)}`);
    if (!answer.ok) return;
    const seconds = Math.floor(this.scene.one.clock.nowMs / 1000);
    activity.timestamp = Math.max(seconds, activity.timestamp + 1);
    activity.newest = { n, send: (answer.value as { id: string }).id };
    if (event === 'end') activity.state = 'ended';
  }

  /** What is granted goes to the token of this moment, and never to one that is closed. */
  #collect(): void {
    for (const grant of this.scene.grants()) {
      const activity = this.#activities.find(({ id }) => id === grant.attempt.deviceId);
      if (activity === undefined || activity.state === 'closed') throw new Error('sent to nobody');
      if (grant.attempt.endpoint !== tokenOf(activity.token)) throw new Error('an old token');
      this.#underWay.push(grant);
    }
  }

  async #answer(at: number, outcome: Outcome | undefined): Promise<void> {
    const [grant] = this.#underWay.splice(at % Math.max(1, this.#underWay.length), 1);
    if (grant === undefined) return;
    const { deviceId: id, endpoint, content } = grant.attempt;
    const activity = this.#activities.find((one) => one.id === id) as Modeled;
    const push = content?.liveActivity as LiveActivityContent;
    await this.scene.answer(grant, outcome);
    if (outcome?.outcome === 'accepted') {
      const shown = this.#shown.get(id);
      if (shown === undefined || push.timestamp > shown.timestamp)
        this.#shown.set(id, { timestamp: push.timestamp, n: Number(push.contentState['n']) });
    }
    if (outcome?.outcome !== 'dead') return;
    const isCurrent = grant.attempt.activity?.rotations === this.scene.row(id)?.rotations;
    if (isCurrent !== (endpoint === tokenOf(activity.token)) && isCurrent)
      throw new Error('a rotation was not counted');
    if (!isCurrent) return;
    if (activity.state === 'active') activity.state = 'closed';
  }
}

t.test('the registry is what a naive model says, and phones come to show the newest', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const scene = await ActivityScene.open();
      const race = new Race(scene, [await scene.logIn(), await scene.logIn()]);
      await race.take({ do: 'register', who: 0 });
      for (const one of steps) await race.take(one);
      await race.comeToRest();
    }),
    { numRuns: tries(150) },
  );
  t.pass('all of them');
});
