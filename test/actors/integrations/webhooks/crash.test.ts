import fc from 'fast-check';
import t from 'tap';
import type { WebhookResult } from '../../../../actors/integrations/webhooks/call/attempt.ts';
import { tries } from '../../../support/tries.ts';
import { bad, good, WebhookWorld } from './webhook-world.ts';

const hour = 3_600_000;

type Step =
  | { readonly step: 'send' | 'crash' | 'checkpoint' | 'up' | 'down' | 'hang' }
  | { readonly step: 'wait'; readonly minutes: number };

const send = { step: 'send' } as const;
const down = { step: 'down' } as const;
const hang = { step: 'hang' } as const;

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant({ step: 'send' } as const) },
    { weight: 2, arbitrary: fc.constant({ step: 'crash' } as const) },
    { weight: 1, arbitrary: fc.constantFrom('up', 'down', 'hang').map((step) => ({ step })) },
    {
      weight: 2,
      arbitrary: fc.integer({ min: 1, max: 90 }).map((minutes) => ({ step: 'wait', minutes })),
    },
  ) as fc.Arbitrary<Step>,
  { maxLength: 40 },
);

t.test('whatever happens, every event gets through once it can, under one id', async (t) => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (list, concurrency) => {
      const world = await WebhookWorld.withPerson('ada');
      await world.put('webhook', { concurrency, events: ['message.delivered'] });
      let sends = 0;
      let crashes = 0;
      /** Calls before this one were of an earlier life. */
      let lifeBegan = 0;
      const inOrder = () => {
        const seqs = world.received.slice(lifeBegan).map(({ body }) => JSON.parse(body).seq);
        const passed = seqs.findIndex((seq, i) => i > 0 && seq < seqs[i - 1]);
        if (concurrency === 1 && passed > 0)
          throw new Error(`event ${seqs[passed]} was passed by ${seqs[passed - 1]}`);
        lifeBegan = world.received.length;
      };
      let receiver: () => WebhookResult | Promise<WebhookResult> = () => good;
      world.receiver = () => receiver();
      for (const one of list) {
        if (one.step === 'send') {
          sends++;
          await world.send('ada');
        } else if (one.step === 'wait') await world.advance(one.minutes * 60_000);
        else if (one.step === 'crash') {
          crashes++;
          inOrder();
          world.restart();
          await world.run();
        } else if (one.step === 'up') receiver = () => good;
        else if (one.step === 'down') receiver = () => bad;
        else receiver = () => new Promise(() => {});
      }
      receiver = () => good;
      inOrder();
      world.restart();
      await world.run();
      for (let i = 0; i < 9; i++) await world.advance(hour);
      inOrder();
      const { items } = await world.list();
      const states = items.map(({ state }) => state);
      if (items.length !== sends) throw new Error(`${items.length} rows for ${sends} events`);
      if (states.some((state) => state !== 'delivered' && state !== 'dead'))
        throw new Error(`still ${states}`);
      const bodies = new Map<string, string>();
      const calls = new Map<string, number>();
      for (const { id, body } of world.received) {
        if ((bodies.get(id) ?? body) !== body) throw new Error(`${id} changed its bytes`);
        bodies.set(id, body);
        calls.set(id, (calls.get(id) ?? 0) + 1);
      }
      if (bodies.size !== sends) throw new Error(`${bodies.size} ids for ${sends} events`);
      for (const [id, count] of calls)
        if (count > 6 + crashes + 1) throw new Error(`${id} was called ${count} times`);
    }),
    {
      numRuns: tries(40),
      // In strict order: a crash while the first is tried again, with a newer one behind it.
      examples: [[[down, send, send, hang, { step: 'wait', minutes: 1 }, send], 1]],
    },
  );
  t.pass('held');
});

t.test('memory is a fold of the log: a restart changes nothing of it', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put();
  world.receiver = () => bad;
  for (let i = 0; i < 3; i++) await world.send('ada');
  await world.advance(hour);
  const before = webhooksOf(world);
  world.restart();
  t.same(webhooksOf(world), before);
  await world.run();
  t.same(webhooksOf(world), before);
});

t.test('what happens while the disk is nearly full is written once there is room', async (t) => {
  let isLow = false;
  const world = await WebhookWorld.withPerson('ada', { diskLow: () => isLow });
  await world.put('webhook', { events: ['message.delivered'] });
  await world.accept('ada');
  isLow = true;
  await world.run();
  t.equal(world.received.length, 0);
  world.restart();
  await world.run();
  t.same((await world.list()).items, []);
  isLow = false;
  await world.advance(1_000);
  t.equal(world.received.length, 1);
  t.match((await world.list()).items, [{ state: 'delivered' }]);
});

function webhooksOf({ one, app }: WebhookWorld): unknown {
  return structuredClone(one.product.state.apps.get(app)?.webhooks.snapshot());
}
