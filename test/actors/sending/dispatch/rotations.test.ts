// Rotated credentials, from the adapter's call to the commit and the next process: the product's
// actor, dispatcher and Zalo adapter against the sandbox, whose refresh tokens can be used once.

import t, { type Test } from 'tap';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import { fingerprintOf } from '../../../../actors/channels/port/fingerprint.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { createZalo } from '../../../../actors/channels/zalo/adapter.ts';
import { limits } from '../../../../actors/limits.ts';
import { allowedWhenFull } from '../../../../actors/runtime/disk-reserve.ts';
import { Dispatcher, type ReportTo } from '../../../../actors/sending/dispatch/dispatcher.ts';
import { Rotations } from '../../../../actors/sending/dispatch/rotations.ts';
import type { Answer, Message } from '../../../../engine/actor/message.ts';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { newId } from '../../../../engine/base/id.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { type Rig as Sandbox, withSandbox } from '../../../sandbox/with-sandbox.ts';
import { anApp, TestPartition, testClock } from '../../../support/partition.ts';

const uploaded = {
  appId: '123456789012',
  appSecret: 'the-secret-of-the-app',
  refreshToken: 'the-first-refresh-token',
};
const user = '4337842264521611405';

/** One run of the process. */
class Life {
  readonly one: TestPartition;
  readonly outcomes: Outcome[] = [];
  /** Whether messages to the shard are lost. */
  losesQuestions = false;
  questions = 0;
  onQuestion = () => {};
  readonly #dispatcher: Dispatcher;
  readonly #rotations: Rotations;
  #timers: (() => void)[] = [];
  readonly #outbound = createOutbound({ allowPrivateNetworks: false });

  constructor(t: Test, sandbox: Sandbox, store: MemoryStore, nowMs?: number) {
    const clock = testClock(nowMs);
    this.one = new TestPartition({
      store,
      clock,
      available: ['zalo'],
      rng: seededRng(store.epoch),
    });
    const after = (_ms: number, task: () => void) => void this.#timers.push(task);
    this.#rotations = new Rotations({
      grantedFrom: (app, name) => this.#dispatcher.grantedFrom(app, name),
      ask: (_shard, _partition, app, message, correlation) => {
        this.questions++;
        this.onQuestion();
        if (this.losesQuestions) return;
        this.#deliver(app, message, (answer) =>
          this.#rotations.answered({ kind: 'dispatch.answer', correlation, answer }),
        );
      },
      after,
    });
    const { rotate } = this.#rotations;
    const config = {
      mode: 'live',
      urls: sandbox.providerUrls,
      vapidSubject: 'mailto:a@example.com',
      publicUrl: 'http://127.0.0.1',
    } as const;
    const zalo = createZalo({ config, outbound: this.#outbound, clock, rotate });
    const report: ReportTo = (_shard, _partition, app, message) => {
      if (message.kind === 'dispatch.report')
        for (const { outcome } of message.reports) if (outcome) this.outcomes.push(outcome);
      this.#deliver(app, message);
    };
    this.#dispatcher = new Dispatcher({
      adapters: new Map([['zalo', zalo]]),
      clock,
      report,
      defer: setImmediate,
      after,
      onBug: (error) => t.error(error),
      unsubscribeUrl: () => '',
      preferencesUrl: () => 'http://engage.test/p/x',
    });
    t.teardown(() => this.#outbound.close(0));
  }

  #deliver(
    to: number,
    message: Message,
    answer?: Parameters<typeof this.one.partition.deliver>[0]['answer'],
  ): void {
    const envelope = {
      to,
      lane: 'express',
      deadlineMs: Number.POSITIVE_INFINITY,
      message,
    } as const;
    this.one.partition.deliverAlways({ ...envelope, bytes: undefined, answer });
  }

  /** Makes granted calls until the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    for (let round = 0; !condition(); round++) {
      if (round > 20_000) throw new Error('what is waited for does not come');
      await this.one.settle();
      for (const grant of this.one.takeGrants()) this.#dispatcher.grant(0, grant);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The outcomes of this many calls. */
  async called(count: number): Promise<Outcome[]> {
    await this.until(() => this.outcomes.length >= count);
    await this.one.settle();
    return this.outcomes.splice(0);
  }

  /** Lets the dispatcher's timers fire. */
  timeOut(): void {
    for (const task of this.#timers.splice(0)) task();
  }

  async send(app: number): Promise<string> {
    const request = { to: { externalUserId: 'ana' }, body: 'there' };
    return (await this.one.value(app, 'transactional.accept', { request, claim: null })).id;
  }
}

async function upload(life: Life, app: number, credential: object = uploaded): Promise<void> {
  const fingerprint = fingerprintOf(credential);
  await life.one.value(app, 'credential.put', { channel: 'zalo', credential, fingerprint });
}

/** An app with a subscriber on Zalo. */
async function begin(t: Test, store = new MemoryStore()) {
  const sandbox = await withSandbox(t);
  const life = new Life(t, sandbox, store);
  const { app } = await anApp(life.one);
  await upload(life, app);
  await life.one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana', devices: [{ channel: 'zalo', endpoint: user }] },
  });
  const again = (from = life, survivors = 0) =>
    new Life(t, sandbox, from.one.store.crash(survivors, {}), from.one.clock.nowMs + minuteMs);
  const tokens = async () => (await sandbox.call('GET', '/control/zalo-token')).json;
  return { sandbox, life, app, again, tokens };
}

const rotationsOf = (life: Life, app: number) =>
  life.one.product.state.apps.get(app)?.credentials.get('zalo')?.rotations;

t.test('ten sends at once refresh once, and the next process not at all', async (t) => {
  const { sandbox, life, app, again, tokens } = await begin(t);
  for (let i = 0; i < 10; i++) await life.send(app);
  const outcomes = await life.called(10);
  t.same(new Set(outcomes.map(({ outcome }) => outcome)), new Set(['accepted']));
  t.match(await tokens(), { calls: 1, issued: 1, spent: 1 });
  t.equal(life.questions, 1);
  t.equal(rotationsOf(life, app), 1);
  t.equal((await sandbox.messages()).length, 10);

  const next = again();
  await next.send(app);
  t.match(await next.called(1), [{ outcome: 'accepted' }]);
  t.match(await tokens(), { calls: 1 });

  // A day later the last stored token can be used once more.
  next.one.clock.nowMs += 25 * hourMs;
  await next.send(app);
  t.match(await next.called(1), [{ outcome: 'accepted' }]);
  t.match(await tokens(), { calls: 2, spent: 2 });
  t.equal(rotationsOf(next, app), 2);
});

t.test('no message leaves with a token that is not known to be durable', async (t) => {
  const { sandbox, life, app, tokens } = await begin(t);
  life.losesQuestions = true;
  await life.send(app);
  await life.until(() => life.questions === 1);
  t.same(await sandbox.messages(), []);
  life.timeOut();
  t.match(await life.called(1), [{ outcome: 'retry', reason: 'credential_not_kept' }]);
  t.same(await sandbox.messages(), []);

  life.losesQuestions = false;
  await life.one.advance(15 * minuteMs);
  t.match(await life.called(1), [{ outcome: 'accepted' }]);
  t.match(await tokens(), { calls: 1 }, 'what it got was kept in memory, not fetched again');
  t.equal(life.questions, 2);
});

t.test(
  'a kill between the answer and the commit costs the token, and the outcome says so',
  async (t) => {
    const { sandbox, life, app, again } = await begin(t);
    life.losesQuestions = true;
    await life.send(app);
    await life.until(() => life.questions === 1);

    const next = again();
    await next.one.settle(); // which takes up what was in flight
    await next.one.advance(limits.ambiguousWaitMs);
    const [outcome] = await next.called(1);
    t.match(outcome, {
      outcome: 'config',
      reason: 'refresh_token_refused',
      detail:
        /^Zalo no longer accepts this refresh token; get a new one and upload it: error -14014/,
    });
    t.notMatch(JSON.stringify(outcome), uploaded.refreshToken);
    t.same(await sandbox.messages(), []);

    await upload(next, app, { ...uploaded, refreshToken: 'another-refresh-token' });
    await next.one.advance(limits.circuitCapMs);
    t.match(await next.called(1), [{ outcome: 'accepted' }], 'the send waited for it');
  },
);

for (const isWritten of [true, false])
  t.test(
    `a commit that fails lets nothing leave; it was ${isWritten ? '' : 'not '}written`,
    async (t) => {
      const store = new MemoryStore({ settle: 'manual' });
      const commit = store.commit.bind(store);
      let isFailing = false;
      store.commit = (turn, ...told) => {
        commit(turn, ...told);
        queueMicrotask(() => {
          if (!isFailing) store.settleNext();
          else if (store.inFlight > 0) store.failNext(new Error('no disk'), isWritten);
        });
      };
      const { sandbox, life, app, again, tokens } = await begin(t, store);
      life.onQuestion = () => {
        isFailing = true;
      };
      await life.send(app);
      await life.until(() => life.questions === 1);
      await life.one.settle();
      t.same(await sandbox.messages(), []);

      const next = again();
      await next.one.settle(); // which takes up what was in flight
      await next.one.advance(limits.ambiguousWaitMs);
      const [outcome] = await next.called(1);
      if (isWritten) t.match(outcome, { outcome: 'accepted' });
      else t.match(outcome, { outcome: 'config', reason: 'refresh_token_refused' });
      t.match(await tokens(), { calls: isWritten ? 1 : 2, spent: 1 });
    },
  );

t.test('an upload that overtakes a refresh wins', async (t) => {
  const { life, app, tokens } = await begin(t);
  life.losesQuestions = true;
  await life.send(app);
  await life.until(() => life.questions === 1);
  await upload(life, app, { ...uploaded, refreshToken: 'another-refresh-token' });
  life.timeOut();
  t.match(await life.called(1), [{ reason: 'credential_not_kept' }]);
  life.losesQuestions = false;
  await life.one.advance(15 * minuteMs);
  t.match(await life.called(1), [{ outcome: 'accepted' }]);
  t.match(await tokens(), { calls: 2, spent: 2 });
  t.equal(rotationsOf(life, app), 1, 'that of the upload alone');
});

t.test('a credential that is removed takes its rotation along', async (t) => {
  const { life, app, sandbox } = await begin(t);
  life.onQuestion = () => {
    void life.one.ask(app, 'credential.delete', { channel: 'zalo' });
  };
  await life.send(app);
  t.match(await life.called(1), [{ outcome: 'retry', reason: 'credential_superseded' }]);
  t.same(await sandbox.messages(), []);
});

t.test('a token that Zalo takes back is replaced once', async (t) => {
  const { sandbox, life, app, tokens } = await begin(t);
  await life.send(app);
  await life.called(1);
  life.one.clock.nowMs += hourMs;
  await sandbox.call('POST', '/control/zalo-token', { revoke: true });
  for (let i = 0; i < 5; i++) await life.send(app);
  t.same(
    (await life.called(5)).map(({ outcome }) => outcome),
    Array(5).fill('accepted'),
  );
  t.match(await tokens(), { calls: 2 });

  // If the new one is refused as well, the token is not the cause.
  await sandbox.call('POST', '/control/zalo-token', { revoke: true });
  await life.send(app);
  t.match(await life.called(1), [{ outcome: 'config', reason: 'access_token_invalid' }]);
  t.match(await tokens(), { calls: 2 });
});

t.test('an upload of the body that was rotated brings no spent token back', async (t) => {
  const { life, app, again, tokens } = await begin(t);
  await life.send(app);
  await life.called(1);
  const before = await life.one.value(app, 'credential.list', {});
  await upload(life, app);
  t.same(await life.one.value(app, 'credential.list', {}), before);
  const next = again();
  next.one.clock.nowMs += 25 * hourMs;
  await next.send(app);
  t.match(await next.called(1), [{ outcome: 'accepted' }]);
  t.match(await tokens(), { calls: 2, spent: 2 });
});

t.test(
  'a hand-back that comes twice is kept once, and one that is too old not at all',
  async (t) => {
    const { life, app } = await begin(t);
    const { one } = life;
    const second = { ...uploaded, refreshToken: 'the-second-refresh-token' };
    const third = { ...uploaded, refreshToken: 'the-third-refresh-token' };
    const rotate = (credential: typeof uploaded, replaces: object) =>
      one.value(app, 'credential.rotate', {
        channel: 'zalo',
        credential,
        replaces: fingerprintOf(replaces),
      });
    const shown = await one.value(app, 'credential.list', {});
    t.equal(await rotate(second, uploaded), 'kept');
    t.equal(await rotate(second, uploaded), 'kept');
    t.equal(rotationsOf(life, app), 1);
    t.equal(await rotate(third, uploaded), 'superseded');
    t.equal(await rotate(third, second), 'kept');
    t.same(await one.value(app, 'credential.list', {}), shown, 'its owner sees what was uploaded');
    await life.send(app);
    t.match(one.takeGrants(), [{ credentials: third }]);
    for (const { block } of one.store.blocks(1, Number.POSITIVE_INFINITY))
      for (const { refreshToken } of [uploaded, second, third])
        t.notOk(Buffer.from(block).includes(refreshToken), 'nothing of it lies open');
    t.ok(allowedWhenFull({ kind: 'credential.rotate' }), 'the reserve of the disk is for it, too');
  },
);

t.test('nobody waits for ever, and what nobody granted goes nowhere', async (t) => {
  const timers: (() => void)[] = [];
  const asked: number[] = [];
  let isGranted = true;
  const rotations = new Rotations({
    grantedFrom: () => (isGranted ? { shard: 0, partition: 0 } : undefined),
    ask: (_shard, _partition, _app, _message, correlation) => void asked.push(correlation),
    after: (_ms, task) => void timers.push(task),
  });
  const appId = newId('app', 4097, 1, seededRng(1));
  const rotation = { credential: uploaded, replaces: '' };
  const waiting = Array.from({ length: limits.rotationsWaitingMax }, () =>
    rotations.rotate(appId, 'zalo', rotation),
  );
  t.equal(await rotations.rotate(appId, 'zalo', rotation), 'unavailable', 'one too many');
  t.equal(asked.length, limits.rotationsWaitingMax);
  const answered = (correlation: number, answer: Answer) =>
    rotations.answered({ kind: 'dispatch.answer', correlation, answer });
  answered(1, { ok: true, value: 'kept' });
  answered(1, { ok: true, value: 'superseded' });
  answered(2, { ok: false, fault: { code: 'not_found', message: 'app not found' } });
  answered(3, { ok: false, fault: { code: 'internal', message: 'a bug' } });
  for (const task of timers) task();
  const rotated = await Promise.all(waiting);
  t.same(rotated.slice(0, 4), ['kept', 'superseded', 'unavailable', 'unavailable']);
  isGranted = false;
  t.equal(await rotations.rotate(appId, 'zalo', rotation), 'unavailable');
  t.equal(await rotations.rotate('no id', 'zalo', rotation), 'unavailable');
});
