// What a relay tells of a mail counts once, in any order, however often it comes; opens by machines
// apart.

import fc from 'fast-check';
import t from 'tap';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import { mailFacts } from '../../../../actors/sending/mailboxes/figures.ts';
import { tries } from '../../../support/tries.ts';
import { Scene } from '../../programs/campaigns/scene.ts';
import { addRelay, eventOf, tellRelay } from '../callbacks/relay.ts';

async function figuresOf(scene: Scene): Promise<Record<string, number>> {
  const { relays } = await scene.one.value(scene.app, 'mailboxes.read', { days: 1 });
  const sums: Record<string, number> = {};
  for (const { counts } of relays)
    for (const fact of mailFacts) {
      const sum = counts[fact].reduce((all, one) => all + one, 0);
      if (sum > 0) sums[fact] = (sums[fact] ?? 0) + sum;
    }
  return sums;
}

async function mailed(): Promise<{ scene: Scene; sent: Attempt }> {
  const scene = await Scene.open({ available: ['email'] });
  await addRelay(scene);
  await scene.people(1, ['email']);
  await scene.one.value(scene.app, 'transactional.accept', {
    request: { to: { externalUserId: 'user-0' }, channels: ['email'], title: 'Hi', body: 'Hi' },
    claim: null,
  } as never);
  await scene.run();
  return { scene, sent: scene.sent[0] as Attempt };
}

t.test('events count once, in any order and repetition, also after a restart', async (t) => {
  const kinds = [
    ...(['accepted', 'deferred', 'delivered', 'complained', 'hard_bounce'] as const),
    'unsubscribed' as const,
  ];
  const told = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(told, async (all) => {
      const { scene, sent } = await mailed();
      const before = await figuresOf(scene);
      for (const kind of all) await tellRelay(scene, [eventOf(scene, sent, { kind })]);
      const has = (kind: (typeof kinds)[number]) => all.includes(kind);
      const expected = {
        ...before,
        ...(has('delivered') || has('complained') || has('unsubscribed') ? { delivered: 1 } : {}),
        ...(has('deferred') ? { deferred: 1 } : {}),
        ...(has('hard_bounce') ? { bouncedHard: 1 } : {}),
        ...(has('complained') ? { complained: 1 } : {}),
      };
      t.same(await figuresOf(scene), expected, all.join(' '));
      t.ok(scene.isMemoryOfLog());
    }),
    { numRuns: tries(25) },
  );
});

t.test('an open that a service calls a machine is one, and hides no person', async (t) => {
  const { scene, sent } = await mailed();
  await scene.settings({ emailTracking: false });
  const tell = (more: object) =>
    tellRelay(scene, [eventOf(scene, sent, { kind: 'opened', ...more })]);
  await tell({ byMachine: true });
  await tell({ userAgent: 'Mozilla/5.0' });
  await tell({ userAgent: 'Thunderbird/115.7' });
  t.match(await figuresOf(scene), { openedByMachines: 1, opened: 1 });
  t.same(
    scene.events('opened').map(({ meta }) => (meta as { machine?: true } | null)?.machine === true),
    [true, false],
  );
});
