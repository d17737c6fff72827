// Callbacks in any order, and again and again, through the actor: the same figures, devices,
// opt-outs and events.

import fc from 'fast-check';
import t from 'tap';
import { tries } from '../../../support/tries.ts';
import { Scene } from '../../programs/campaigns/scene.ts';
import { reportStatus, type Sent } from './provider.ts';

const people = 3;

/** A form of the carrier about one of the devices that were sent to. */
interface Form {
  readonly device: number;
  readonly members: Readonly<Record<string, string>>;
}

const form: fc.Arbitrary<Form> = fc.record({
  device: fc.nat(people * 2 - 1),
  members: fc.constantFrom<Readonly<Record<string, string>>[]>(
    { MessageStatus: 'sent' },
    { MessageStatus: 'delivered' },
    { MessageStatus: 'read' },
    { MessageStatus: 'undelivered' },
    { MessageStatus: 'undelivered', ErrorCode: '30003' },
    { MessageStatus: 'undelivered', ErrorCode: '30005' },
    { MessageStatus: 'failed', ErrorCode: '21211' },
    { MessageStatus: 'failed', ErrorCode: '21610' },
  ),
});

/**
 * What is left in the end of a campaign and a notification to everybody, after these callbacks;
 * with how many are early.
 */
async function after(forms: readonly Form[], early: number) {
  const scene = await Scene.open({ available: ['sms'] });
  await scene.people(people, ['sms', 'sms']);
  const { id } = await scene.sentCampaign({ channels: ['sms'] });
  const ofCampaign = scene.sent.splice(0) as readonly Sent[];
  const { id: sendId } = await scene.one.value(scene.app, 'transactional.accept', {
    request: { to: { externalUserId: 'user-0' }, channels: ['sms'], body: 'Hi' },
    claim: null,
  } as never);
  await scene.one.settle();
  const letGo = scene.hold();
  await scene.callGranted();
  const byItself = scene.sent as readonly Sent[];
  for (const [index, { device, members }] of forms.entries()) {
    if (index === early) await letGo();
    for (const sent of [ofCampaign[device], byItself[device]])
      if (sent !== undefined) await reportStatus(scene, 'sms', sent, members);
  }
  await letGo();
  await scene.advance(60_000);
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 10 });
  const suppressed = await scene.one.value(scene.app, 'suppression.list', { limit: 10 });
  const { status, outcomes } = await scene.one.value(scene.app, 'transactional.read', {
    id: sendId,
  });
  const place = (one: { sendId: string | undefined; deviceId: string | undefined }) =>
    `${one.sendId} ${one.deviceId}`;
  t.notOk(scene.firstGap());
  return {
    stats: await scene.stats(id),
    devices: items.flatMap(({ devices }) =>
      devices.map((one) => [one.id, one.enabled, one.disabledReason]),
    ),
    suppressed: suppressed.items.map(({ address, source }) => [address, source]),
    status,
    outcomes: outcomes.map(({ deviceId, status: is, reason }) => [deviceId, is, reason]).sort(),
    bounced: scene.events('bounced').map(place).sort(),
    opened: scene.events('opened').map(place).sort(),
  };
}

t.test(
  'callbacks come to the same end in any order, however often and however early',
  async (t) => {
    const runs = fc.array(form, { minLength: 1, maxLength: 8 }).chain((once) =>
      fc.tuple(
        fc.constant(once),
        fc.shuffledSubarray([...once, ...once], {
          minLength: once.length * 2,
          maxLength: once.length * 2,
        }),
        fc.nat(once.length * 2),
      ),
    );
    await fc.assert(
      fc.asyncProperty(runs, async ([once, often, early]) => {
        t.same(await after(often, early), await after(once, 0));
      }),
      { numRuns: tries(40) },
    );
  },
);
