// Receipts of test sends are in no trend and no retention, in the log, in history and in a file
// that an erasure wrote again.

import t from 'tap';
import type { Retention, Trends } from '../../../../actors/insight/insights/protocol.ts';
import { InsightWorld } from '../../../support/insight-world.ts';

t.test('trends and retention leave receipts of tests out, wherever they lie', async (t) => {
  const world = await InsightWorld.begin(4);
  const { one, app } = world;
  const content = { title: 'x', body: 'x' };
  const { id } = await one.value(app, 'message.create', { message: { content } });
  const trendOf = async (events?: readonly string[]) => {
    const question = { kind: 'insight.trends', days: 7, interval: 'day' } as const;
    const asked = events === undefined ? question : { ...question, events };
    const { events: found } = await world.ask<Trends>(app, asked);
    return found.map(({ name, counts }) => [name, counts.reduce((sum, one) => sum + one, 0)]);
  };
  const retained = async () => {
    const asked = { kind: 'insight.retention', event: 'delivered', interval: 'week' } as const;
    const { cohorts } = await world.ask<Retention>(app, asked);
    return cohorts.at(-1)?.active.at(-1);
  };
  one.takeGrants();
  for (const name of ['ada', 'ben', 'eve', 'zoe']) {
    const to = { externalUserId: name };
    const devices = [{ channel: 'fcm' as const, endpoint: `token-of-${name}` }];
    await one.value(app, 'subscriber.upsert', { subscriber: { ...to, devices } });
    if (name === 'ada') {
      const request = { to, ...content };
      await one.value(app, 'transactional.accept', { request, claim: null });
    } else await one.value(app, 'message.test', { id, to, claim: null });
    for (const { channel, attempts } of one.takeGrants()) {
      // A provider's words cannot mark a receipt as a test.
      const outcome = { outcome: 'accepted' as const, providerMessageId: '"test":true' };
      const reports = attempts.map(({ target, attempt: { sendId, attempt } }) => {
        return { sendId, target, attempt, outcome };
      });
      await one.ask(app, 'dispatch.report', { channel, reports });
    }
    await one.advance(1_000);
  }
  t.equal(world.raw(app).filter(({ name }) => name === 'delivered').length, 4);
  const holds = async (where: string) => {
    t.same(await trendOf(['delivered']), [['delivered', 1]], where);
    t.same(await trendOf(), [['delivered', 1]], where);
    t.equal(await retained(), 1, where);
  };
  await holds('in the log');
  await world.fold(true);
  await holds('in history');
  await one.value(app, 'subscriber.erase', { ref: { externalUserId: 'zoe' } });
  await one.settle();
  await world.fold(true);
  await holds('in a file that was written again');
  await world.close();
});
