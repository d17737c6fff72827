// A legacy endpoint export of invented people with every kind of line, the same for one seed. Run:
// `node --import tsx sandbox/endpoint-export.ts [people = 120]` writes
// sandbox/sample-endpoints.jsonl.gz.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { below, pick, type Rng, seededRng } from '../engine/base/rng.ts';

const firstNames = [
  'Ada',
  'Björn',
  'Chidi',
  'Dara',
  'Emi',
  'Farid',
  'Grace',
  'Hana',
  'Ines',
  'Jomo',
];
const interests = ['cycling', 'cooking', 'chess', 'music', 'gardening', 'astronomy'];
const plans = ['free', 'pro', 'team'];
const places = [
  { zone: 'Asia/Bangkok', locale: 'th_TH', country: 'THA', code: '66', national: '081', digits: 7 },
  {
    zone: 'Europe/Berlin',
    locale: 'de_DE',
    country: 'DE',
    code: '49',
    national: '0151',
    digits: 8,
  },
  {
    zone: 'America/New_York',
    locale: 'en_US',
    country: 'USA',
    code: '1',
    national: '206555',
    digits: 4,
  },
] as const;
const firstDayMs = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

/** Lines without ends: some people have several endpoints, some lines are deliberately wrong. */
export function* exportOf(people: number, seed = 1): Generator<string> {
  const rng = seededRng(seed, 'endpoint-export');
  for (let nth = 1; nth <= people; nth++) {
    yield* endpointsOf(nth, rng);
    const odd = oddLines[nth % oddEvery];
    if (odd !== undefined) yield odd(nth);
  }
}

/** An odd line after every so many people. */
const oddEvery = 24;
const oddLines: Readonly<Record<number, (nth: number) => string>> = {
  2: (nth) =>
    line({ Id: id(nth, 7), ChannelType: 'ADM', Address: 'amzn1.adm-registration.v2.example' }),
  4: (nth) => line({ Id: id(nth, 7), ChannelType: 'BAIDU', Address: '1234567890/9876543210' }),
  6: (nth) =>
    line({ Id: id(nth, 7), ChannelType: 'CUSTOM', Address: 'https://hooks.example.com/x' }),
  8: (nth) => line({ Id: id(nth, 7), ChannelType: 'EMAIL', Address: 'not an address' }),
  10: (nth) => line({ Id: id(nth, 7), ChannelType: 'SMS', User: { UserId: `user-${nth}` } }),
  12: () => '{"ChannelType":"EMAIL","Address":"cut@exam',
  14: (nth) => line({ Id: id(nth, 7), ChannelType: 'EMAIL', Address: `guest-${nth}@example.com` }),
  16: (nth) =>
    line({
      Id: id(nth, 7),
      ChannelType: 'APNS_VOIP',
      Address: token(nth, 0xf, 64),
      User: { UserId: `user-${nth}` },
    }),
  // The same address from before a reinstall.
  18: (nth) =>
    line({
      Id: id(nth, 7),
      ChannelType: 'EMAIL',
      Address: `user-${nth}@example.com`,
      EndpointStatus: 'INACTIVE',
      EffectiveDate: '2019-02-03T04:05:06.789Z',
      User: { UserId: `former-${nth}` },
    }),
};

function* endpointsOf(nth: number, rng: Rng): Generator<string> {
  const place = pick(rng, places);
  const count = 1 + below(rng, 3);
  const first = below(rng, 4);
  const attributes = {
    plan: [pick(rng, plans)],
    interests: [pick(rng, interests), pick(rng, interests)].filter(
      (one, i, all) => all.indexOf(one) === i,
    ),
  };
  const user = {
    UserId: `user-${nth}`,
    UserAttributes: { first_name: [pick(rng, firstNames)], age: [String(18 + below(rng, 60))] },
  };
  for (let i = 0; i < count; i++) {
    const effective = firstDayMs + below(rng, 700) * dayMs + below(rng, dayMs);
    yield line({
      Id: id(nth, i),
      ApplicationId: '4fd13a408f274f10b4ec06fbc8d6e8b1',
      ...addressOf((first + i) % 4, nth, rng, place),
      EndpointStatus: below(rng, 12) === 0 ? 'INACTIVE' : 'ACTIVE',
      OptOut: below(rng, 9) === 0 ? 'ALL' : 'NONE',
      RequestId: id(nth, 9),
      CreationDate: new Date(firstDayMs).toISOString(),
      EffectiveDate: new Date(effective).toISOString(),
      Location: { Country: place.country },
      Demographic: {
        AppVersion: `1.${i}`,
        Locale: place.locale,
        Platform: 'android',
        Timezone: place.zone,
      },
      Attributes: attributes,
      Metrics: { visits: below(rng, 100) },
      User: user,
    });
  }
}

function addressOf(kind: number, nth: number, rng: Rng, place: (typeof places)[number]) {
  if (kind === 0) return { ChannelType: 'EMAIL', Address: `user-${nth}@example.com` };
  if (kind === 1) return { ChannelType: 'GCM', Address: `sample-${token(nth, rng.uint32(), 120)}` };
  if (kind === 2)
    return {
      ChannelType: pick(rng, ['APNS', 'APNS_SANDBOX']),
      Address: token(nth, rng.uint32(), 64),
    };
  const national = `${place.national}${String(nth).padStart(place.digits, '0')}`;
  const isNational = below(rng, 3) === 0;
  return {
    ChannelType: below(rng, 6) === 0 ? 'VOICE' : 'SMS',
    Address: isNational ? national : `+${place.code}${national.replace(/^0/, '')}`,
  };
}

function line(endpoint: object): string {
  return JSON.stringify(endpoint);
}

/** Random-looking hexadecimal digits. */
function token(nth: number, salt: number, digits: number): string {
  const rng = seededRng(nth ^ salt, 'token');
  let text = '';
  while (text.length < digits) text += rng.uint32().toString(16).padStart(8, '0');
  return text.slice(0, digits);
}

function id(nth: number, salt: number): string {
  const text = token(nth * 16, salt, 32);
  return [8, 12, 16, 20, 32].map((end, i) => text.slice([0, 8, 12, 16, 20][i], end)).join('-');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = [...exportOf(Number(process.argv[2] ?? 120))];
  const half = Math.floor(lines.length / 2);
  // two gzip members, as after cat
  const members = [lines.slice(0, half), lines.slice(half)];
  const packed = members.map((part) => gzipSync(`${part.join('\n')}\n`, { level: 9 }));
  const path = fileURLToPath(new URL('./sample-endpoints.jsonl.gz', import.meta.url));
  writeFileSync(path, Buffer.concat(packed));
  process.stdout.write(`${lines.length} lines in ${path}\n`);
}
