// What every channel adapter must do. An adapter's test hands in its subject: a stand-in of the
// provider on loopback, its answers, and the outcome of each. Time limits are real here, so
// subjects open their adapters with the short one that is given.

import type { Test } from 'tap';
import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import type { Adapter } from '../../actors/channels/port/adapter.ts';
import type { Attempt } from '../../actors/channels/port/attempt.ts';
import type { Outcome } from '../../actors/channels/port/outcome.ts';

/** A stand-in with an adapter that talks to it. */
interface ChannelRig {
  adapter: Adapter;
  credentials: unknown;
  /**
   * What the next calls meet; a key of the subject's `outcomes`, or `accept`, `hang`, `cut`,
   * `echo`.
   */
  meet(behavior: string): void;
  /** Messages that reached the stand-in. */
  calls(): number;
  /** Lets calls that hang be answered with success. */
  release(): void;
  /** Closes the adapter and its client, in the product's order. */
  shutDown(): Promise<void>;
  close(): Promise<void>;
}

export interface ExpectedOutcome {
  outcome: Outcome['outcome'];
  reason: string;
  /** Another device of the same tenant is reached first. */
  afterSuccess?: true;
}

export interface ChannelSubject {
  name: ChannelId;
  /**
   * Opens both. `down`: nothing listens. `bare`: in live mode with nothing configured by tenant or
   * operator.
   */
  open(options: { timeoutMs: number; down?: true; bare?: true }): Promise<ChannelRig>;
  attempt(): Attempt;
  /** Every answer the provider can give, but success, and what it means. */
  outcomes: Readonly<Record<string, ExpectedOutcome>>;
  /** An attempt that is too large for the provider. */
  tooLarge(): Attempt;
  tooLargeReason: string;
  /**
   * Behaviors that carry a delay: for `Retry-After: 7`, for a date 90 s ahead, for one far beyond
   * 15 minutes.
   */
  delays?: Readonly<Record<string, number>>;
  /** What must never be in a detail, though the behavior `echo` repeats it. */
  secrets: readonly string[];
}

/** Runs the suite. */
export async function channelConformance(t: Test, subject: ChannelSubject): Promise<void> {
  const { name } = subject;
  const open = async (t: Test, options: Parameters<ChannelSubject['open']>[0]) => {
    const rig = await subject.open(options);
    t.teardown(() => rig.close());
    return rig;
  };
  const patient = { timeoutMs: 5_000 };

  await t.test(`${name}: what the provider takes is accepted, with its id`, async (t) => {
    const rig = await open(t, patient);
    const outcome = await rig.adapter.send(subject.attempt(), rig.credentials);
    t.equal(outcome.outcome, 'accepted');
    t.ok(outcome.providerMessageId, 'an id to find it by');
    t.equal(rig.calls(), 1);
  });

  for (const [behavior, wanted] of Object.entries(subject.outcomes)) {
    await t.test(`${name}: ${behavior} is ${wanted.outcome} (${wanted.reason})`, async (t) => {
      const rig = await open(t, patient);
      if (wanted.afterSuccess) {
        rig.meet('accept');
        await rig.adapter.send(subject.attempt(), rig.credentials);
      }
      rig.meet(behavior);
      const outcome = await rig.adapter.send(subject.attempt(), rig.credentials);
      t.match(outcome, { outcome: wanted.outcome, reason: wanted.reason });
    });
  }

  await t.test(`${name}: what is too large is refused before it is sent`, async (t) => {
    const rig = await open(t, patient);
    const outcome = await rig.adapter.send(subject.tooLarge(), rig.credentials);
    t.match(outcome, { outcome: 'permanent', reason: subject.tooLargeReason });
    t.equal(rig.calls(), 0);
  });

  await t.test(`${name}: a message whose life is over is not sent`, async (t) => {
    const rig = await open(t, patient);
    const attempt = subject.attempt();
    const options = { ttlSeconds: 60 };
    const outcome = await rig.adapter.send(
      {
        ...attempt,
        acceptedMs: attempt.acceptedMs - 61_000,
        content: { ...attempt.content, options },
      },
      rig.credentials,
    );
    t.match(outcome, { outcome: 'permanent', reason: 'expired' });
    t.equal(rig.calls(), 0);
  });

  await t.test(`${name}: what is recalled before it begins is not sent`, async (t) => {
    const rig = await open(t, patient);
    let asked = 0;
    await rig.adapter.send(subject.attempt(), rig.credentials, () => {
      asked++;
      return false;
    });
    t.equal(asked, 1);
    t.equal(rig.calls(), 0);
    const outcome = await rig.adapter.send(subject.attempt(), rig.credentials, () => true);
    t.equal(outcome.outcome, 'accepted');
  });

  await t.test(`${name}: what nobody configured is config, not_configured`, async (t) => {
    const rig = await open(t, { ...patient, bare: true });
    const outcome = await rig.adapter.send(subject.attempt(), undefined);
    t.match(outcome, { outcome: 'config', reason: 'not_configured' });
  });

  await t.test(`${name}: a refused connection is a retry`, async (t) => {
    const rig = await open(t, { ...patient, down: true });
    const outcome = await rig.adapter.send(subject.attempt(), rig.credentials);
    t.match(outcome, { outcome: 'retry', reason: 'connection_refused' });
  });

  await t.test(`${name}: a connection cut after the message went out is ambiguous`, async (t) => {
    const rig = await open(t, patient);
    rig.meet('cut');
    const outcome = await rig.adapter.send(subject.attempt(), rig.credentials);
    t.match(outcome, { outcome: 'ambiguous', reason: 'connection_lost' });
    t.equal(rig.calls(), 1, 'and is not repeated by the adapter');
  });

  await t.test(`${name}: silence after the message went out is ambiguous, in time`, async (t) => {
    const rig = await open(t, { timeoutMs: 200 });
    rig.meet('hang');
    const startMs = performance.now();
    const outcome = await rig.adapter.send(subject.attempt(), rig.credentials);
    t.match(outcome, { outcome: 'ambiguous', reason: 'timeout' });
    t.ok(performance.now() - startMs < 2_000, 'within the time-out and a little');
  });

  for (const [behavior, wantedMs] of Object.entries(subject.delays ?? {})) {
    await t.test(`${name}: ${behavior} asks for ${wantedMs} ms`, async (t) => {
      const rig = await open(t, patient);
      rig.meet(behavior);
      const outcome = await rig.adapter.send(subject.attempt(), rig.credentials);
      if (outcome.outcome === 'accepted') throw new Error('it is refused');
      t.equal(outcome.retryAfterMs ?? outcome.atLeastMs ?? 0, wantedMs);
    });
  }

  await t.test(`${name}: a detail holds no secret and no address`, async (t) => {
    const rig = await open(t, patient);
    rig.meet('echo');
    const outcome = await rig.adapter.send(subject.attempt(), rig.credentials);
    const detail = 'detail' in outcome ? (outcome.detail ?? '') : '';
    t.ok(detail.length > 0 && detail.length <= 500, 'there is a detail to look at');
    for (const secret of subject.secrets)
      t.ok(!detail.includes(secret), `not ${secret.slice(0, 6)}…`);
  });

  await t.test(`${name}: closing lets calls in flight end`, async (t) => {
    const rig = await open(t, patient);
    rig.meet('hang');
    const pending = rig.adapter.send(subject.attempt(), rig.credentials);
    while (rig.calls() === 0) await new Promise((resolve) => setImmediate(resolve));
    const closing = rig.shutDown();
    rig.release();
    t.equal((await pending).outcome, 'accepted');
    await closing;
    const late = await rig.adapter.send(subject.attempt(), rig.credentials);
    t.match(late, { outcome: 'retry', reason: 'closed' });
  });
}
