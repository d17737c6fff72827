import t from 'tap';
import { factSubscribers } from '../../../actors/runtime/subscribers.ts';

t.test('what happened is folded and followed in this order', async (t) => {
  const named = (member: 'fold' | 'follow') =>
    factSubscribers.filter((one) => one[member] !== undefined).map(({ name }) => name);
  t.same(named('fold'), [
    'history',
    'segments',
    'inapp',
    'usage',
    'campaigns',
    'journeys',
    'webhooks',
  ]);
  t.same(named('follow'), ['segments', 'journeys', 'operator']);
});
