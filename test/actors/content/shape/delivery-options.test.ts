import t from 'tap';
import {
  type OptionSources,
  readDeliveryOptions,
  withoutDeliveryOptions,
} from '../../../../actors/content/shape/delivery-options.ts';

function problem(sources: OptionSources, when: 'accept' | 'rendered' = 'accept'): string {
  const read = readDeliveryOptions(sources, when);
  return 'fault' in read ? read.fault.message : '';
}

t.test('top level wins over payload, payload over data', async (t) => {
  const read = readDeliveryOptions(
    {
      top: { ttlSeconds: 1 },
      payload: { ttlSeconds: 2, sound: 'p' },
      data: { ttlSeconds: 3, sound: 'd', priority: 'high' },
    },
    'accept',
  );
  t.same(read, { options: { ttlSeconds: 1, sound: 'p', priority: 'high' } });
});

t.test(
  'a value of another type is refused under its name, also where a stronger place wins',
  async (t) => {
    t.equal(
      problem({ payload: { ttlSeconds: '60' } }),
      'payload.ttlSeconds: expected an integer from 0',
    );
    t.equal(problem({ data: { badgeCount: '3' } }), 'data.badgeCount: expected an integer from 0');
    t.equal(problem({ top: { priority: 'urgent' } }), 'priority: expected "normal" or "high"');
    t.equal(problem({ payload: { sound: 5 } }), 'payload.sound: expected a string');
    t.equal(
      problem({ top: { ttlSeconds: 5 }, data: { ttlSeconds: -1 } }),
      'data.ttlSeconds: expected an integer from 0',
    );
    for (const value of [-1, 1.5, Number.NaN, 2 ** 31, null, true, {}, []]) {
      t.equal(
        problem({ payload: { badgeCount: value } }),
        'payload.badgeCount: expected an integer from 0',
        String(value),
      );
    }
    for (const value of [0, 1, 2 ** 31 - 1])
      t.equal(problem({ payload: { badgeCount: value } }), '');
  },
);

t.test('a template waits for its rendering, and is then judged', async (t) => {
  t.equal(problem({ data: { badgeCount: '{{ n }}', priority: '{{ p }}' } }), '');
  t.same(readDeliveryOptions({ data: { badgeCount: '3', priority: 'high' } }, 'rendered'), {
    options: { badgeCount: 3, priority: 'high' },
  });
  for (const value of ['03', '+3', '3.0', '1e3', ' 3', '-1', 'three', '99999999999']) {
    t.equal(
      problem({ data: { badgeCount: value } }, 'rendered'),
      'data.badgeCount: expected an integer from 0',
      value,
    );
  }
  t.equal(
    problem({ payload: { priority: 'urgent' } }, 'rendered'),
    'payload.priority: expected "normal" or "high"',
  );
  t.same(readDeliveryOptions({ data: { badgeCount: '', sound: '' } }, 'rendered'), { options: {} });
});

t.test('options never stay in custom data', async (t) => {
  t.same(withoutDeliveryOptions({ orderId: '1', sound: 'x', priority: 'high' }), { orderId: '1' });
  const own = { orderId: '1' };
  t.equal(withoutDeliveryOptions(own), own);
});
