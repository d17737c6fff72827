// What one slice of a lane hands to dispatch.

import t from 'tap';
import { type FanOutPlan, fanOut } from '../../../actors/campaigns/fan-out.ts';
import type { DispatchWave } from '../../../actors/dispatch/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { DailyRoom } from '../../../actors/policy/judge.ts';
import { EmailAllowance } from '../../../actors/transactional/email-allowance.ts';
import type { PumpContext } from '../../../engine/actor/machine.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { Scene } from './scene.ts';

t.test('people with long records are handed on in slices of bounded size', async (t) => {
  const scene = await Scene.open();
  await scene.people(500);
  const { id } = await scene.campaign();
  await scene.one.value(scene.app, 'campaign.send', { id });
  const { clock, product } = scene.one;
  const record = new Uint8Array(limits.subscriberBytesMax);
  const context: PumpContext = {
    nowMs: clock.nowMs,
    rng: seededRng(1),
    quarantined: new Map(),
    isShared: false,
    documentsOf: () => ({
      get: () => undefined,
      range: () => [],
      lend: (_table: unknown, _key: unknown, use: (record: Uint8Array) => void) => {
        use(record);
        return true;
      },
    }),
  } as unknown as PumpContext;
  const plan: FanOutPlan = {
    partition: 0,
    dispatchers: 1,
    credentialsOf: () => ({ state: 'ready', value: {} }),
    roomOn: () => Number.POSITIVE_INFINITY,
    emails: new EmailAllowance(product.state, clock.nowMs),
    daily: new DailyRoom(product.state.orgs.get(scene.org), clock.nowMs),
  };
  const left = scene.state.sending.of(id)[0]?.unitsLeft ?? 0;
  t.ok(left > 400, `${left} people have no turn yet`);
  let people = 0;
  for (;;) {
    const fanned = fanOut(scene.state, plan, context, limits.sliceMax, scene.state.nextEvent);
    if (fanned === undefined) break;
    for (const { message } of fanned.effects) {
      const { records, ends } = message as unknown as DispatchWave;
      t.ok(records.byteLength < limits.sliceBytesMax + limits.subscriberBytesMax);
      t.equal(ends.at(-1), records.byteLength);
      people += ends.length;
    }
    for (const entry of fanned.entries) product.apply(entry);
  }
  t.equal(people, left);
});
