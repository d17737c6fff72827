// People to try things with, always the same ones: names, languages, plans, zones and devices.

import type { Operations } from '../api/generated.ts';

type ImportRow = Operations['importSubscribers']['body']['rows'][number];

const people = 130;
const names = [
  'Ada',
  'Bao',
  'Chloé',
  'Dewi',
  'Emil',
  'Fatima',
  'Goran',
  'Hana',
  'Ivo',
  'Jun',
  'Kim',
  'Linh',
  'Mateo',
  'Nia',
  'Oskar',
  'Priya',
  'Quynh',
  'Rosa',
  'Sven',
  'Tuan',
  'Uma',
  'Vera',
  'Wayan',
  'Yuki',
] as const;
const places = [
  { country: 'DE', language: 'de', timezone: 'Europe/Berlin' },
  { country: 'VN', language: 'vi', timezone: 'Asia/Ho_Chi_Minh' },
  { country: 'ID', language: 'id', timezone: 'Asia/Jakarta' },
  { country: 'US', language: 'en', timezone: 'America/New_York' },
  { country: 'FR', language: 'fr', timezone: 'Europe/Paris' },
  { country: 'BR', language: 'pt', timezone: 'America/Sao_Paulo' },
] as const;
const plans = ['free', 'free', 'free', 'pro', 'pro', 'team'] as const;
const interests = ['cycling', 'cooking', 'travel', 'music', 'games'] as const;

export function samplePeople(): readonly ImportRow[] {
  return Array.from({ length: people }, (_, at) => person(at));
}

function person(at: number): ImportRow {
  const name = pick(names, at * 7);
  const { country, language, timezone } = pick(places, at);
  const id = `sample-${String(at + 1).padStart(3, '0')}`;
  const plain = name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
  const devices: NonNullable<ImportRow['devices']>[number][] = [];
  // Some people have several devices, and one in thirteen has none.
  if (at % 13 !== 12) {
    if (at % 4 !== 3)
      devices.push({ channel: 'email', endpoint: `${plain}.${at + 1}@example.com` });
    if (at % 3 === 0) devices.push({ channel: 'fcm', endpoint: `sample-android-token-${at + 1}` });
    if (at % 4 === 3)
      devices.push({ channel: 'sms', endpoint: `+1415555${String(at + 100).padStart(4, '0')}` });
  }
  return {
    externalUserId: id,
    timezone,
    tags: {
      first_name: name,
      plan: pick(plans, at * 5),
      country,
      language,
      age: 19 + ((at * 11) % 50),
      newsletter: at % 5 !== 0,
      interests: [pick(interests, at), pick(interests, at + 2)],
    },
    ...(devices.length === 0 ? {} : { devices }),
  };
}

function pick<Item>(list: readonly Item[], at: number): Item {
  return list[at % list.length] as Item;
}
