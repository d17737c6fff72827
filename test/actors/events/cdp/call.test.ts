import fc from 'fast-check';
import t from 'tap';
import { type CallType, callTypes, mapCall } from '../../../../actors/events/cdp/call.ts';
import { tries } from '../../../support/tries.ts';

const receivedMs = Date.parse('2026-03-01T12:00:00.000Z');
const zoneNamed = (text: string) => (text === 'asia/saigon' ? 'Asia/Saigon' : undefined);
const around = { index: 3, type: undefined, receivedMs, sentAtMs: undefined, zoneNamed };
const iso = (ms: number) => new Date(ms).toISOString();
const map = (call: unknown, more: object = {}) => mapCall(call, { ...around, ...more });
const track = (more: object = {}) => ({ type: 'track', userId: 'u', event: 'Paid', ...more });

t.test('each call of a platform becomes what it means here', async (t) => {
  const base = { index: 3, userId: 'u' };
  const event = (name: string, props?: object) => ({
    outcome: 'accepted',
    skipped: [],
    call: {
      ...base,
      kind: 'event',
      name,
      atMs: receivedMs,
      ...(props === undefined ? {} : { propsJson: JSON.stringify(props) }),
    },
  });
  const identify = (traits: object, more: object = {}) => ({
    outcome: 'accepted',
    skipped: [],
    call: { ...base, kind: 'identify', traits, ...more },
  });
  const rows: readonly (readonly [call: object, mapped: object, type?: CallType])[] = [
    [
      { type: 'identify', userId: 'u', traits: { plan: 'pro', old: null } },
      identify({ plan: 'pro', old: null }),
    ],
    [{ userId: 'u', traits: { a: 1 } }, identify({ a: 1 }), 'identify'],
    [{ type: 'identify', userId: 'u', context: { traits: { a: [] } } }, identify({ a: [] })],
    [{ type: 'identify', userId: 'u' }, identify({})],
    [
      { type: 'identify', userId: 'u', traits: {}, messageId: 'm' },
      identify({}, { messageId: 'm' }),
    ],
    [track(), event('Paid')],
    [track({ properties: { total: 1 } }), event('Paid', { total: 1 })],
    [track({ properties: {} }), event('Paid')],
    [{ userId: 'u', event: 'Paid' }, event('Paid'), 'track'],
    [{ type: 'page', userId: 'u', name: 'Home' }, event('page', { name: 'Home' })],
    [
      { type: 'page', userId: 'u', name: 'Home', properties: { name: 'Start' } },
      event('page', { name: 'Start' }),
    ],
    [
      { type: 'screen', userId: 'u', properties: { x: 1 }, category: 'c' },
      event('screen', { x: 1, category: 'c' }),
    ],
    [
      { type: 'group', userId: 'u', groupId: 'g', traits: { size: 3 } },
      event('group', { size: 3, groupId: 'g' }),
    ],
    [{ type: 'alias', userId: 'u', previousId: 'x' }, event('alias', { previousId: 'x' })],
    [track({ userId: 42 }), { outcome: 'accepted', call: { userId: '42' } }],
  ];
  for (const [call, mapped, type] of rows)
    t.match(map(call, { type }), mapped, JSON.stringify(call));
});

t.test(
  'without a person, calls that only tell of one are errors, and others are fine',
  async (t) => {
    for (const type of callTypes) {
      for (const userId of [undefined, null, '']) {
        const mapped = map({ type, userId, anonymousId: 'a', event: 'Paid' });
        if (type === 'identify' || type === 'track')
          t.match(mapped, { outcome: 'ignored', error: /^userId: .*anonymousId/ }, type);
        else t.same(mapped, { outcome: 'acknowledged' }, type);
      }
    }
  },
);

t.test('what cannot be stored says which member is why', async (t) => {
  const rows: readonly (readonly [call: unknown, error: RegExp])[] = [
    [null, /^event: expected an object/],
    [[], /^event: /],
    ['x', /^event: /],
    [{ userId: 'u' }, /^type: expected one of identify, track/],
    [{ type: 'delete', userId: 'u' }, /^type: /],
    [{ type: 'batch', userId: 'u' }, /^type: /],
    [track({ userId: {} }), /^userId: expected a string/],
    [track({ userId: 1.5 }), /^userId: expected a string/],
    [track({ userId: 'x'.repeat(257) }), /^userId: expected 1 to 256/],
    [track({ userId: '€'.repeat(200) }), /^userId: .*512 bytes/],
    [track({ userId: 'a\nb' }), /^userId: .*control/],
    [track({ userId: '\ud800' }), /^userId: .*Unicode/],
    [track({ messageId: '' }), /^messageId: /],
    [track({ messageId: 7 }), /^messageId: /],
    [track({ messageId: 'x'.repeat(129) }), /^messageId: .*128/],
    [track({ event: undefined }), /^event: /],
    [track({ event: '' }), /^event: expected 1 to 128/],
    [track({ event: 'delivered' }), /^event: "delivered" is recorded by the service/],
    [track({ event: 'journey_x' }), /^event: /],
    [track({ properties: [] }), /^properties: expected an object/],
    [track({ properties: 'x' }), /^properties: /],
    [track({ properties: { x: 'y'.repeat(8_192) } }), /^properties: .*8192 bytes/],
    [track({ properties: { x: '\udc00' } }), /^properties: .*Unicode/],
    [{ type: 'group', userId: 'u', traits: 1 }, /^traits: expected an object/],
  ];
  for (const [call, error] of rows)
    t.match(map(call), { outcome: 'ignored', error }, JSON.stringify(call)?.slice(0, 80));
  t.equal(
    map(track({ properties: { x: '\\ud800' } })).outcome,
    'accepted',
    'it only looks like one',
  );
});

t.test('a trait that can be no tag is left out by itself, by the rules of tags', async (t) => {
  const traits = {
    plan: 'pro',
    age: 41,
    vip: true,
    likes: ['a', 'b'],
    gone: null,
    address: { city: 'Riga' },
    scores: [1, 2],
    $secret: 'x',
    '': 'x',
    long: 'x'.repeat(2_000),
    bell: 'a\u0007b',
    half: '\ud800',
  };
  const mapped = map({ type: 'identify', userId: 'u', traits });
  if (mapped.outcome !== 'accepted' || mapped.call.kind !== 'identify')
    throw new Error('not accepted');
  t.strictSame(mapped.call.traits, {
    plan: 'pro',
    age: 41,
    vip: true,
    likes: ['a', 'b'],
    gone: null,
  });
  t.equal(mapped.skipped.length, 7);
  t.ok(mapped.skipped.every((error) => error.startsWith('traits.')));
  t.match(map({ type: 'identify', userId: 'u', traits: 'x' }), {
    outcome: 'accepted',
    skipped: ['traits: expected an object'],
  });
});

t.test('the traits name addresses, and the context a device, a zone and a language', async (t) => {
  const call = (more: object) => {
    const mapped = map({ type: 'identify', userId: 'u', ...more });
    return mapped.outcome === 'accepted' ? { ...mapped.call, skipped: mapped.skipped } : mapped;
  };
  t.match(call({ traits: { email: 'a@x.example', phone: 14155550123 } }), {
    contact: { email: 'a@x.example', phone: '14155550123' },
  });
  t.match(call({ traits: { email: null, phone: ' ' } }), { contact: { email: null, phone: null } });
  t.match(call({ traits: {}, context: { traits: { email: 'a@x.example' } } }), {
    contact: { email: 'a@x.example' },
    traits: { email: 'a@x.example' },
  });
  t.notOk('contact' in call({ traits: { plan: 'pro' } }));
  const token = 'ab'.repeat(32);
  const kinds: readonly (readonly [context: object, platform: string | undefined])[] = [
    [{ device: { type: 'ios', token } }, 'apple'],
    [{ device: { type: 'iOS', token } }, 'apple'],
    [{ device: { type: 'Android', token } }, 'android'],
    [{ device: { token }, os: { name: 'iPhone OS' } }, 'apple'],
    [{ device: { token }, os: { name: 'iPadOS' } }, 'apple'],
    [{ device: { type: 'mobile', token }, os: { name: 'Android' } }, 'android'],
    [{ device: { type: 'ios', token }, os: { name: 'Android' } }, 'apple'],
    [{ device: { type: 'ios' } }, undefined],
    [{ device: { type: 'ios', token: '' } }, undefined],
    [{ device: { type: 'ios', token: null } }, undefined],
    [{ device: { token }, os: { name: 'Windows' } }, undefined],
    [{ device: 'ios' }, undefined],
  ];
  for (const [context, platform] of kinds) {
    const push = platform === undefined ? undefined : { platform, token };
    for (const mapped of [call({ context }), map(track({ context }))])
      t.same(
        'call' in mapped ? mapped.call.push : 'push' in mapped ? mapped.push : undefined,
        push,
      );
  }
  const context = { timezone: 'asia/saigon', locale: 'vi-VN' };
  t.match(call({ context }), { timezone: 'Asia/Saigon', traits: { language: 'vi-VN' } });
  for (const own of ['language', 'locale'])
    t.same(call({ context, traits: { [own]: 'en' } }), {
      ...call({ context }),
      traits: { [own]: 'en' },
    });
  // Segment's library for Android leaves the country out where the phone has none.
  for (const locale of ['vi-', 'vi_', 'zh_TW_#Hant', 'sr_RS@latin', 'en_US.UTF-8'])
    t.match(call({ context: { locale } }), { traits: { language: locale }, skipped: [] }, locale);
  t.match(call({ context: { timezone: '+07:00', locale: 'Deutsch!' } }), {
    traits: {},
    skipped: [/^context\.timezone: expected an IANA/, /^context\.locale: expected a language/],
  });
  t.notOk('timezone' in call({ context: { timezone: 'Mars' } }));
});

t.test(
  'the time of an event is corrected for the sender’s clock, and by nothing else',
  async (t) => {
    const at = (call: object, sentAtMs?: number) => {
      const mapped = map(track(call), { sentAtMs });
      return mapped.outcome === 'accepted' && mapped.call.kind === 'event'
        ? mapped.call.atMs - receivedMs
        : Number.NaN;
    };
    const hour = 3_600_000;
    const when = (ms: number) => iso(receivedMs + ms);
    t.equal(at({}), 0, 'none: as it arrives');
    t.equal(at({ timestamp: when(-5_000) }), -5_000);
    t.equal(at({ originalTimestamp: when(-5_000) }), -5_000);
    t.equal(at({ timestamp: when(hour - 5_000) }, receivedMs + hour), -5_000, 'an hour ahead');
    t.equal(
      at({ originalTimestamp: when(-hour - 5_000) }, receivedMs - hour),
      -5_000,
      'an hour behind',
    );
    t.equal(at({ timestamp: when(hour - 5_000), sentAt: when(hour) }), -5_000, 'its own sentAt');
    t.equal(
      at({ timestamp: when(-9), sentAt: when(0) }, receivedMs + hour),
      -9,
      'over the batch’s',
    );
    t.equal(
      at({ timestamp: when(-9), originalTimestamp: when(hour) }, receivedMs + hour),
      -9,
      'corrected, or chosen, already',
    );
    t.equal(at({ timestamp: when(-9), receivedAt: when(-8) }, receivedMs - hour), -9, 'forwarded');
    for (const timestamp of ['yesterday', 17, {}, null, '2026-02-30T00:00:00Z'])
      t.equal(at({ timestamp }), 0, 'unreadable');
    t.equal(at({ timestamp: 'yesterday', originalTimestamp: when(-9) }), -9);
  },
);

t.test('any JSON whatever is mapped, and what is taken keeps the bounds', async () => {
  const value = fc.jsonValue();
  const call = fc.record(
    {
      type: fc.oneof(fc.constantFrom(...callTypes), value),
      userId: fc.oneof(fc.string({ unit: 'binary' }), value),
      messageId: fc.oneof(fc.string(), value),
      event: fc.oneof(fc.string({ unit: 'binary' }), value),
      properties: fc.oneof(fc.dictionary(fc.string({ unit: 'binary' }), value), value),
      traits: fc.oneof(fc.dictionary(fc.string({ unit: 'binary' }), value), value),
      context: value,
      timestamp: fc.oneof(fc.date({ noInvalidDate: true }).map(String), value),
      sentAt: value,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(call, value), (one) => {
      const mapped = map(one);
      if (mapped.outcome !== 'accepted') return;
      const { userId, messageId } = mapped.call;
      if (userId.length < 1 || userId.length > 256) throw new Error('userId');
      if (messageId !== undefined && (messageId.length < 1 || messageId.length > 128))
        throw new Error('messageId');
      if (mapped.call.kind === 'identify') return;
      const { name, atMs, propsJson } = mapped.call;
      if (name.length < 1 || name.length > 128 || !Number.isFinite(atMs)) throw new Error('event');
      if (propsJson !== undefined && typeof JSON.parse(propsJson) !== 'object')
        throw new Error('props');
    }),
    { seed: 16, numRuns: tries(2_000) },
  );
});

t.test('names of events and traits are in NFC, user ids stay as they are', async (t) => {
  const apart = (text: string) => text.normalize('NFD');
  t.match(map(track({ event: apart('mua_hàng'), userId: apart('người') })), {
    call: { name: 'mua_hàng', userId: apart('người') },
  });
  const traits = { [apart('họ')]: apart('Nguyễn'), [apart('sở_thích')]: [apart('cờ')], n: 1 };
  t.match(map({ type: 'identify', userId: 'u', traits }), {
    call: { traits: { họ: 'Nguyễn', sở_thích: ['cờ'], n: 1 } },
    skipped: [],
  });
  const twice = { họ: 'a', [apart('họ')]: 'b' };
  t.match(map({ type: 'identify', userId: 'u', traits: twice }), {
    call: { traits: { họ: 'a' } },
    skipped: ['traits.họ: this tag appears twice, in two normal forms of Unicode'],
  });
});
