import fc from 'fast-check';
import t from 'tap';
import { checkTags } from '../../../actors/people/audience/tags.ts';
import { type EndpointLine, readEndpoint } from '../../../cli/import/endpoint-line.ts';
import { tries } from '../../support/tries.ts';

const apnsToken = '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f809';
const whole = {
  Id: '5142d7a5-1a2b-4c3d-9e0f-112233445566',
  ApplicationId: '4fd13a408f274f10b4ec06fbc8d6e8b1',
  ChannelType: 'APNS',
  Address: apnsToken.toUpperCase(),
  EndpointStatus: 'ACTIVE',
  OptOut: 'NONE',
  RequestId: '7f546cac-6858-11e8-adcd-2b5a07aab338',
  CohortId: '63',
  CreationDate: '2018-05-01T17:31:01.046Z',
  EffectiveDate: '2018-05-07T19:03:29.963Z',
  Location: { City: 'Seattle', Country: 'US', Region: 'WA', Latitude: 47.61, Longitude: -122.33 },
  Demographic: { Locale: 'en_US', Make: 'apple', Timezone: 'America/Los_Angeles' },
  Attributes: { Interests: ['Technology', 'Music'] },
  Metrics: { technology_interest_level: 9.0 },
  User: { UserId: 'example_user', UserAttributes: { FirstName: ['Wang'], Age: ['39'] } },
};

function read(change: object): EndpointLine {
  return readEndpoint(JSON.stringify({ ...whole, ...change }));
}

t.test(
  'the documented line becomes an endpoint, with all that a subscriber can carry',
  async (t) => {
    t.same(read({}), {
      left: [],
      endpoint: {
        channel: 'apns',
        environment: 'production',
        user: 'example_user',
        address: apnsToken,
        isActive: true,
        isOptedOut: false,
        isVoip: false,
        wasVoice: false,
        atMs: Date.UTC(2018, 4, 7, 19, 3, 29, 963),
        timezone: 'America/Los_Angeles',
        language: 'en_US',
        attributes: { Interests: ['Technology', 'Music'] },
        userAttributes: { FirstName: 'Wang', Age: '39' },
      },
    });
  },
);

t.test('every channel goes where the specification says', async (t) => {
  const table: [type: string, address: string, expected: object][] = [
    ['GCM', 'a-token', { channel: 'fcm', address: 'a-token', isVoip: false }],
    ['APNS_SANDBOX', apnsToken, { channel: 'apns', environment: 'sandbox', isVoip: false }],
    ['APNS_VOIP', apnsToken, { channel: 'apns', environment: 'production', isVoip: true }],
    ['APNS_VOIP_SANDBOX', apnsToken, { channel: 'apns', environment: 'sandbox', isVoip: true }],
    ['EMAIL', 'Ada@Example.COM', { channel: 'email', address: 'Ada@example.com' }],
    ['SMS', '+1 206 555 0182', { channel: 'sms', address: '+12065550182', wasVoice: false }],
    ['VOICE', '12065550182', { channel: 'sms', address: '+12065550182', wasVoice: true }],
    ['email', 'ada@example.com', { channel: 'email' }],
  ];
  for (const [ChannelType, Address, endpoint] of table)
    t.match(read({ ChannelType, Address }), { endpoint }, ChannelType);
});

t.test('a line that gives nothing says why, in one word', async (t) => {
  const table: [reason: string, text: string][] = [
    ['malformed_json', '{"ChannelType":"EMAIL"'],
    ['not_an_object', '[1]'],
    ['not_an_object', 'null'],
    ['channel_missing', '{}'],
    ['channel_missing', '{"ChannelType":7}'],
    ...['ADM', 'BAIDU', 'CUSTOM', 'IN_APP', 'PUSH'].map((type): [string, string] => [
      `channel_${type.toLowerCase()}`,
      JSON.stringify({ ChannelType: type, Address: 'x' }),
    ]),
    ['channel_other', '{"ChannelType":"PIGEON","Address":"x"}'],
    ['channel_other', '{"ChannelType":"constructor","Address":"x"}'],
    ['address_missing', '{"ChannelType":"EMAIL"}'],
    ['address_missing', '{"ChannelType":"EMAIL","Address":" "}'],
    ['address_invalid', '{"ChannelType":"EMAIL","Address":"nobody"}'],
    [
      'address_invalid',
      '{"ChannelType":"EMAIL","Address":"a@example.com\\r\\nBcc: b@example.com"}',
    ],
    ['address_invalid', '{"ChannelType":"SMS","Address":"12"}'],
    ['address_invalid', '{"ChannelType":"APNS","Address":"zz"}'],
    [
      'user_id_invalid',
      `{"ChannelType":"GCM","Address":"x","User":{"UserId":"${'x'.repeat(257)}"}}`,
    ],
    ['user_id_invalid', '{"ChannelType":"GCM","Address":"x","User":{"UserId":"\\ud800"}}'],
    ['user_id_invalid', '{"ChannelType":"GCM","Address":"x","User":{"UserId":"a\\nb"}}'],
  ];
  for (const [skipped, text] of table) t.same(readEndpoint(text), { skipped }, text.slice(0, 60));
  t.same(readEndpoint('{"Chan', true), { skipped: 'torn_last_line' });
  t.match(readEndpoint(JSON.stringify(whole), true), { endpoint: { channel: 'apns' } });
});

t.test(
  'who has an id comes in without a device when the address is missing or wrong',
  async (t) => {
    const table: [lacks: string, line: object][] = [
      ['address_missing', { ChannelType: 'EMAIL', Address: undefined }],
      ['address_missing', { ChannelType: 'SMS', Address: ' ' }],
      ['address_invalid', { ChannelType: 'EMAIL', Address: 'nobody' }],
      ['address_invalid', { ChannelType: 'VOICE', Address: '12' }],
      ['address_invalid', { ChannelType: 'APNS', Address: 'zz' }],
      ['address_invalid', { ChannelType: 'GCM', Address: 'a b\n' }],
    ];
    for (const [lacks, line] of table) {
      const mapped = read(line);
      t.match(mapped, { endpoint: { user: 'example_user', lacks, userAttributes: { Age: '39' } } });
      t.notOk('address' in (mapped as { endpoint: object }).endpoint, JSON.stringify(line));
    }
  },
);

t.test('an id that was rounded while it was read is nobody’s', async (t) => {
  t.match(readEndpoint('{"ChannelType":"GCM","Address":"x","User":{"UserId":9007199254740991}}'), {
    endpoint: { user: '9007199254740991' },
  });
  for (const id of ['9007199254740993', '-12345678901234567890', '1e30'])
    t.same(readEndpoint(`{"ChannelType":"GCM","Address":"x","User":{"UserId":${id}}}`), {
      skipped: 'user_id_invalid',
    });
});

t.test('names of attributes have one form, and the second of a name is told', async (t) => {
  t.match(read({ Attributes: { 'Pre\u0301nom': ['a'] } }), {
    left: [],
    endpoint: { attributes: { Prénom: 'a' } },
  });
  t.match(read({ Attributes: { Prénom: ['a'], 'Pre\u0301nom': ['b'], ชื่อ: ['c'] } }), {
    left: ['tag_twice'],
    endpoint: { attributes: { Prénom: 'a', ชื่อ: 'c' } },
  });
});

t.test('nobody is an endpoint without a user id, and a number is an id', async (t) => {
  for (const User of [undefined, null, {}, { UserId: '' }, { UserId: null }])
    t.notOk('user' in (read({ User }) as { endpoint: object }).endpoint);
  t.match(read({ User: { UserId: 42 } }), { endpoint: { user: '42' } });
});

t.test('whatever is not a clear no is an opt-out, and only INACTIVE is inactive', async (t) => {
  const optOuts: [value: unknown, expected: boolean][] = [
    ['ALL', true],
    ['NONE', false],
    ['none', false],
    ['', false],
    [null, false],
    [undefined, false],
    ['EMAIL', true],
    [true, true],
  ];
  for (const [OptOut, isOptedOut] of optOuts)
    t.match(read({ OptOut }), { endpoint: { isOptedOut } }, String(OptOut));
  t.match(read({ EndpointStatus: 'INACTIVE' }), { endpoint: { isActive: false } });
  t.match(read({ EndpointStatus: undefined }), { endpoint: { isActive: true } });
});

t.test('the newest of the two dates counts, and a wrong one is the oldest there is', async (t) => {
  t.match(read({ EffectiveDate: undefined }), {
    endpoint: { atMs: Date.UTC(2018, 4, 1, 17, 31, 1, 46) },
  });
  t.match(read({ EffectiveDate: 'soon', CreationDate: 5 }), { endpoint: { atMs: 0 } });
  t.match(read({ EffectiveDate: '1960-01-01T00:00:00Z' }), { endpoint: { atMs: 0 } });
});

t.test('attributes become tags in the form the product keeps', async (t) => {
  const table: [attribute: unknown, tag: unknown][] = [
    [['one'], 'one'],
    [
      ['one', 'two'],
      ['one', 'two'],
    ],
    ['bare', 'bare'],
    [39, 39],
    [[39], 39],
    [
      [39, true],
      ['39', 'true'],
    ],
    [true, true],
    [['2018-05-07T19:03:29.963Z'], '2018-05-07T19:03:29.963Z'],
  ];
  for (const [attribute, tag] of table)
    t.same(
      (read({ Attributes: { a: attribute } }) as { endpoint: { attributes: object } }).endpoint
        .attributes,
      { a: tag },
    );
  t.match(read({ Attributes: { none: [], nothing: null } }), {
    left: [],
    endpoint: { attributes: {} },
  });
});

t.test(
  'a value that no tag, zone or language can be is left out, and the rest comes in',
  async (t) => {
    const mapped = readEndpoint(
      `{"ChannelType":"GCM","Address":"x","Demographic":{"Timezone":"Mars/Base","Locale":"english!"},"Attributes":{"good":["x"],"$reserved":["x"],"__proto__":["x"],"constructor":["x"],"deep":[{"a":1}],"long":["${'x'.repeat(2000)}"],"half":["\\ud800"]}}`,
    );
    t.match(mapped, {
      left: [
        'timezone_invalid',
        'locale_invalid',
        'tag_invalid',
        'tag_invalid',
        'tag_invalid',
        'tag_invalid',
        'tag_invalid',
        'tag_invalid',
      ],
      endpoint: { attributes: { good: 'x' } },
    });
    t.same(Object.keys((mapped as { endpoint: { attributes: object } }).endpoint.attributes), [
      'good',
    ]);
  },
);

t.test('whatever a line holds, it is read without a throw, and its tags are tags', async () => {
  const line = fc.record({
    ChannelType: fc.oneof(fc.constantFrom('GCM', 'EMAIL', 'SMS', 'APNS'), fc.jsonValue()),
    Address: fc.oneof(fc.constantFrom('a@example.com', '+14155550123', apnsToken), fc.jsonValue()),
    Attributes: fc.jsonValue(),
    User: fc.oneof(
      fc.jsonValue(),
      fc.record({
        UserId: fc.jsonValue(),
        UserAttributes: fc.dictionary(fc.string(), fc.jsonValue()),
      }),
    ),
    Location: fc.jsonValue(),
    Demographic: fc.oneof(
      fc.jsonValue(),
      fc.record({ Locale: fc.string(), Timezone: fc.string() }),
    ),
    EffectiveDate: fc.jsonValue(),
    OptOut: fc.jsonValue(),
  });
  fc.assert(
    fc.property(line, (made) => {
      const mapped = readEndpoint(JSON.stringify(made));
      if ('skipped' in mapped) return true;
      const { attributes, userAttributes } = mapped.endpoint;
      return checkTags(attributes) === undefined && checkTags(userAttributes) === undefined;
    }),
    { seed: 3, numRuns: tries(3_000) },
  );
  fc.assert(
    fc.property(fc.string(), (text) => 'skipped' in readEndpoint(text)),
    { seed: 4, numRuns: tries(500) },
  );
});
