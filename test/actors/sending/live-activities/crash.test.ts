// The process dies at every durable turn of an activity's life, whatever it granted having been
// called or not. Whoever was cut off asks again, with the key they had, and in the end everything
// is as if nothing had happened.

import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import type { IdempotencyClaim } from '../../../../actors/sending/transactional/idempotency-claim.ts';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { endAfter } from '../../../support/end-after.ts';
import { ActivityScene, type Client, tokenOf } from './scene.ts';

/** What is left of a life: the row, and what became of each push. */
interface Left {
  readonly state: string | undefined;
  readonly rotations: number | undefined;
  readonly statuses: readonly string[];
  /** The newest content that a phone was handed, and how often each send was. */
  readonly shows: number;
  readonly calls: ReadonlyMap<string, number>;
}

/** A life, killed after so many turns; `undefined` when it is over before. */
async function lived(killAfter: number, isCalled: boolean): Promise<Left | undefined> {
  const scene = await ActivityScene.open();
  const client: Client = await scene.logIn();
  const first = scene.one.store.durableSeq;
  if (killAfter > 0) endAfter(scene.one.store, first + killAfter);
  const calls = new Map<string, number>();
  const sends: string[] = [];
  let shows = { timestamp: 0, n: 0 };
  let isKilled = false;
  let failsLeft = 1;

  const call = () => {
    const grants = scene.grants();
    for (const { attempt } of grants) {
      calls.set(attempt.sendId, (calls.get(attempt.sendId) ?? 0) + 1);
      const push = attempt.content?.liveActivity;
      if (push !== undefined && push.timestamp > shows.timestamp)
        shows = { timestamp: push.timestamp, n: Number(push.contentState['n']) };
    }
    return grants;
  };
  /** Does a step, and once more after the kill when it was cut off. */
  const step = async <Value>(does: () => Promise<Value>): Promise<Value> => {
    try {
      return await does();
    } catch (error) {
      if (!(error instanceof Error) || !/was not answered/.test(error.message)) throw error;
      await restart();
      return does();
    }
  };
  const restart = async () => {
    isKilled = true;
    if (isCalled) call();
    scene.grants();
    await scene.crash();
  };
  const answerAll = async () => {
    const grants = call();
    for (const grant of grants) {
      const outcome: Outcome =
        failsLeft-- > 0
          ? { outcome: 'retry', reason: 'http_503' }
          : { outcome: 'accepted', providerMessageId: 'm' };
      try {
        await scene.answer(grant, outcome);
      } catch {
        await restart(); // the report is lost with the process that should have had it
        return;
      }
    }
  };
  let claims = 0;
  const push = async (id: string, n: number, event: 'update' | 'end') => {
    const claim: IdempotencyClaim = { key: [7, 7, 7, ++claims], fingerprint: [1, 1] };
    const change = { event, contentState: { n } } as const;
    const reply = await step(() =>
      scene.one.value(scene.app, 'live_activity.push', { id, change, claim }),
    );
    sends.push(reply.id);
  };

  const id = await step(() => scene.register(client, tokenOf(1)));
  await push(id, 1, 'update');
  await answerAll();
  await step(() => scene.rotate(client, id, tokenOf(2)));
  await scene.one.advance(minuteMs);
  await answerAll();
  await push(id, 2, 'update');
  await push(id, 3, 'end');
  await answerAll();
  for (let round = 0; round < 4; round++) {
    await scene.one.advance(minuteMs);
    await answerAll();
  }
  if (killAfter > 0 && !isKilled) {
    if (scene.one.store.durableSeq < first + killAfter) return undefined;
    await restart();
    for (let round = 0; round < 4; round++) {
      await scene.one.advance(minuteMs);
      await answerAll();
    }
  }
  const row = scene.row(id);
  const statuses: string[] = [];
  for (const send of sends) statuses.push((await scene.status(send)).status);
  return { state: row?.state, rotations: row?.rotations, statuses, shows: shows.n, calls };
}

t.test('a kill after any turn changes nothing but how often a phone was told', async (t) => {
  const whole = await lived(0, true);
  t.match(whole, { state: 'ended', rotations: 1, shows: 3 });
  t.same(whole?.statuses, ['delivered', 'delivered', 'delivered']);
  for (const isCalled of [false, true])
    for (let turns = 1; ; turns++) {
      const left = await lived(turns, isCalled);
      if (left === undefined) {
        t.ok(turns > 8, `it has ${turns} turns`);
        break;
      }
      const at = `killed after ${turns} turns, ${isCalled ? 'called' : 'not called'}`;
      t.match(left, { state: 'ended', rotations: 1, shows: 3 }, at);
      t.equal(left.statuses[2], 'delivered', at);
      for (const status of left.statuses)
        t.ok(status === 'delivered' || status === 'suppressed', `${at}: ${status}`);
      for (const [send, count] of left.calls)
        t.ok(count <= 3, `${at}: ${send} was called ${count}`);
    }
});
