// The exports of six services, as their public documentation has them, through a whole server: who
// is there afterwards, with what, and that nobody who opted out takes marketing.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import type { Service } from '../../cli/import/origin.ts';
import { importFrom, type ServiceTarget } from '../cli/support/move.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { encoded } from '../support/code-pages.ts';
import { root } from '../support/places.ts';
import { chapter } from './chapter.ts';

const { api, org, server } = await chapter(t);
const fixture = (name: string) => join(root, 'test/fixtures/moving-in', name);

async function newApp(): Promise<ServiceTarget & { readonly base: string }> {
  const { id: appId } = await api.must('POST /v1/apps', { name: 'Moving in' });
  const directory = temporaryDirectory();
  return { url: server.url, key: org.key, appId, directory, base: `/v1/apps/${appId}` };
}

/** As a dry run needs it: it makes no topics. */
const newsMap = { kind: 'map', keys: new Map([['News', 'news']]) } as const;

type Target = Awaited<ReturnType<typeof newApp>>;

interface Found {
  readonly externalUserId: string;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly timezone: string | null;
  readonly devices: readonly {
    readonly channel: string;
    readonly endpoint: string;
    readonly enabled: boolean;
  }[];
}

/** Without what differs from run to run. */
async function peopleOf({ base }: Target): Promise<readonly Found[]> {
  const { text } = await api.call(`GET ${base}/subscribers/export?format=jsonl`);
  const people = text.trim() === '' ? [] : text.trim().split('\n');
  return people
    .map((line) => {
      const { externalUserId, tags, timezone, devices } = JSON.parse(line) as Found;
      const kept = devices.map(({ channel, endpoint, enabled }) => ({
        channel,
        endpoint,
        enabled,
      }));
      return { externalUserId, tags, timezone, devices: kept };
    })
    .sort((one, other) => (one.externalUserId < other.externalUserId ? -1 : 1));
}

async function optOutsOf({ base }: Target): Promise<Readonly<Record<string, string>>> {
  const { items } = await api.must(`GET ${base}/suppressions?limit=100`);
  return Object.fromEntries(
    items.map(({ address, scope }: { address: string; scope: string }) => [address, scope]),
  );
}

/** Imports twice: the second run changes nothing. */
async function movedIn(t: Test, id: Service['id'], names: readonly string[]) {
  const target = await newApp();
  const paths = names.map(fixture);
  const dry = await importFrom(id, paths, target, { isDry: true });
  t.same(await peopleOf(target), [], 'a dry run changes nothing');
  t.same(await optOutsOf(target), {});
  const summary = await importFrom(id, paths, target);
  t.same({ ...dry, dryRun: false, seconds: 0 }, { ...summary, seconds: 0 }, 'as the dry run told');
  const [people, optOuts] = [await peopleOf(target), await optOutsOf(target)];
  const again = await importFrom(id, paths, target);
  t.equal(again.optOuts.added, 0);
  t.equal(again.subscribers.created, 0);
  t.same(await peopleOf(target), people, 'the second import changes nobody');
  t.same(await optOutsOf(target), optOuts);
  const byId = new Map(people.map((one) => [one.externalUserId, one]));
  return { summary, optOuts, byId, ids: people.map((one) => one.externalUserId) };
}

t.test('OneSignal', async (t) => {
  const { summary, optOuts, byId, ids } = await movedIn(t, 'onesignal', ['onesignal.csv']);
  t.same(optOuts, {
    'out@example.com': 'marketing',
    'dead@example.com': 'all',
    '+14155550142': 'marketing',
  });
  t.same(ids, ['onesignal:os-4', 'user_42', 'user_43', 'user_44', 'user_45']);
  t.match(byId.get('user_42'), {
    tags: { plan: 'pro', level: 4, language: 'en', country: 'US' },
    timezone: 'America/Los_Angeles',
    devices: [{ channel: 'apns' }, { channel: 'email', endpoint: 'ada@example.com' }],
  });
  t.same(byId.get('user_45')?.devices, [], 'a push token that was turned off stays behind');
  t.same(summary.valuesLeftOut, { push_other_platform: 1, push_opted_out: 1 });
  t.equal(summary.wrongLines, 0);
});

t.test('Braze', async (t) => {
  const names = ['braze-bounces.json', 'braze-groups.json', 'braze-users.jsonl'];
  const { summary, optOuts, byId, ids } = await movedIn(t, 'braze', names);
  t.same(optOuts, {
    'bounced@example.com': 'all',
    'left@example.com': 'marketing',
    'out@example.com': 'marketing',
    'spam@example.com': 'all',
    '+14155550104': 'marketing',
  });
  t.same(ids, ['braze:b4', 'u1', 'u2', 'u3', 'u4']);
  t.match(byId.get('u1'), {
    tags: { plan: 'pro', seats: 3, beta: true, interests: ['ai', 'math'], first_name: 'Ada' },
    timezone: 'America/New_York',
  });
  t.same(
    byId
      .get('u1')
      ?.devices.map(({ channel }) => channel)
      .sort(),
    ['email', 'fcm', 'sms'],
  );
  t.same(summary.topics.found, ['Texts', 'Weekly news']);
  t.match(summary.errors, [{ file: 'braze-users.jsonl', line: 5, error: /^email_subscribe: / }]);
});

t.test('Customer.io', async (t) => {
  const { summary, optOuts, byId, ids } = await movedIn(t, 'customerio', ['customerio.csv']);
  t.same(optOuts, { 'out@example.com': 'marketing', '+14155550133': 'marketing' });
  t.same(ids, ['anon@example.com', 'c1', 'c2', 'c3']);
  t.match(byId.get('c1'), { timezone: 'Europe/Paris', tags: { first_name: 'Ada', plan: 'pro' } });
  t.same(summary.topics.found, ['topic_1', 'topic_2']);
  t.match(summary.errors, [{ line: 6, error: /^unsubscribed: expected true or false/ }]);
});

t.test('Klaviyo', async (t) => {
  const names = ['klaviyo.csv', 'klaviyo-suppressed.csv'];
  const { summary, optOuts, byId, ids } = await movedIn(t, 'klaviyo', names);
  t.same(optOuts, {
    'out@example.com': 'marketing',
    '+14155550112': 'marketing',
    'never@example.com': 'marketing',
    'bounced@example.com': 'all',
    'gone@example.com': 'all',
    'left@example.com': 'marketing',
  });
  t.same(ids, ['ada@example.com', 'bounced@example.com', 'never@example.com', 'out@example.com']);
  t.match(byId.get('ada@example.com'), { tags: { klaviyo_id: '01A', shopify_tags: 'vip' } });
  t.match(summary.errors, [{ line: 6, error: /^email marketing consent: / }]);
});

t.test('Mailchimp', async (t) => {
  const names = ['subscribed', 'unsubscribed', 'cleaned'].map(
    (status) => `${status}_email_audience_export_1.csv`,
  );
  const { summary, optOuts, byId, ids } = await movedIn(t, 'mailchimp', names);
  t.same(optOuts, {
    'out@example.com': 'marketing',
    'spam@example.com': 'all',
    'twice@example.com': 'marketing',
    'dead@example.com': 'all',
  });
  t.equal(ids.length, 5, 'who is in two files is one person');
  t.match(byId.get('ada@example.com'), {
    tags: { tags: ['VIP', 'Hanoi, 2024'], phone: '207-555-0101', mailchimp_id: 'e1' },
    timezone: 'Europe/Berlin',
    devices: [{ channel: 'email', enabled: true }],
  });
  t.equal(summary.columnsLeftOut['NOTES'], 1, 'notes are left out, and told');
});

t.test('listmonk', async (t) => {
  const { summary, optOuts, byId } = await movedIn(t, 'listmonk', [
    'listmonk.csv',
    'listmonk.json',
  ]);
  t.same(optOuts, { 'blocked@example.com': 'all', 'off@example.com': 'marketing' });
  t.match(byId.get('ada@example.com'), { tags: { city: 'Bengaluru', age: 36, name: 'Ada' } });
  t.same(summary.topics.found, ['News', 'Offers']);
});

t.test(
  'a file that does not say who opted out is refused, unless the caller decides',
  async (t) => {
    const headers: readonly (readonly [Service['id'], string])[] = [
      ['onesignal', 'identifier,device_type\nada@example.com,11\n'],
      ['customerio', 'id,email\nc1,ada@example.com\n'],
      ['klaviyo', 'Email,First Name\nada@example.com,Ada\n'],
      ['mailchimp', 'Email Address,First Name\nada@example.com,Ada\n'],
      ['listmonk', 'email,name\nada@example.com,Ada\n'],
    ];
    for (const [id, text] of headers) {
      const target = await newApp();
      const path = join(target.directory, 'people.csv');
      writeFileSync(path, text);
      await t.rejects(importFrom(id, [path], target), /Nothing was imported/, id);
      t.same(await peopleOf(target), []);
      const listed = await importFrom(id, [path], target, {
        file: { isSuppressed: true },
        map: { tagPrefix: 'other state' },
      });
      t.match(listed, { optOuts: { added: 1 }, subscribers: { created: 0 } }, id);
      t.equal((await peopleOf(target)).length, 0, 'a list of suppressed addresses has no people');
      const assumed = await importFrom(id, [path], target, { file: { mayAssume: true } });
      t.match(assumed, { optOuts: { total: 0 }, subscribers: { created: 1 } }, id);
      const [device] = (await peopleOf(target))[0]?.devices ?? [];
      t.equal(device?.endpoint, 'ada@example.com');
      const { items } = await api.must(`GET ${target.base}/subscribers`);
      t.equal(items[0].devices[0].reachable, false, 'the older opt-out holds');
    }
  },
);

t.test('lists become topics, and who left one is out of it', async (t) => {
  const target = await newApp();
  const paths = ['braze-users.jsonl', 'braze-groups.json'].map(fixture);
  const topics = { kind: 'create' } as const;
  const summary = await importFrom('braze', paths, target, { topics });
  t.same(summary.topics.imported, { Texts: 'texts', 'Weekly news': 'weekly_news' });
  t.same([...summary.topics.created].sort(), ['texts', 'weekly_news']);
  const choices = async (id: string) => {
    const path = `${target.base}/subscribers/external:${id}/preferences`;
    return (await api.must(`GET ${path}`)).topics;
  };
  t.same(await choices('u1'), { texts: 'in', weekly_news: 'out' });
  t.same(await choices('u4'), { texts: 'out', weekly_news: 'in' });
  const again = await importFrom('braze', paths, target, { topics });
  t.same(again.topics.created, [], 'topics are made once');
  const { items } = await api.must(`GET ${target.base}/topics`);
  t.same(
    items.map((topic: { default: string }) => topic.default),
    ['out', 'out'],
    'who was on no list gets nothing',
  );
});

t.test('who left a topic stays out, whatever a later import says', async (t) => {
  const target = await newApp();
  const path = join(target.directory, 'subscribers.json');
  const lists = (status: string) => [{ name: 'News', subscription_status: status }];
  const people = (status: string) =>
    ['ann', 'bob'].map((name) => ({
      email: `${name}@example.com`,
      status: 'enabled',
      lists: lists(status),
    }));
  const run = async (all: readonly object[], changes = {}) => {
    writeFileSync(path, all.map((one) => JSON.stringify(one)).join('\n'));
    const { topics } = await importFrom('listmonk', [path], target, {
      topics: { kind: 'create' },
      ...changes,
    });
    return topics.keptOut;
  };
  t.equal(await run(people('confirmed')), 0);
  const { items } = await api.must(`GET ${target.base}/subscribers?address=ann%40example.com`);
  const at = `${target.base}/subscribers/${items[0].id}`;
  await api.must(`PUT ${at}/preferences`, { topics: { news: 'out' } });
  t.equal(await run(people('confirmed'), { isDry: true, topics: newsMap }), 1, 'a dry run says so');
  t.equal(await run(people('confirmed')), 1);
  t.match(await api.must(`GET ${at}/preferences`), { topics: { news: 'out' } });
  for (const row of [{ topics: { news: null } }, { tags: { 'topic.news': 'in' } }])
    t.match(
      await api.must('POST /v1/import/subscribers', {
        appId: target.appId,
        rows: [{ externalUserId: 'ann@example.com', ...row }],
      }),
      { updated: 1, keptOut: 1 },
    );
  t.match(await api.must(`GET ${at}/preferences`), { topics: { news: 'out' } });
  t.equal(await run(people('unsubscribed')), 0);
  t.match(await api.must(`GET ${target.base}/topics/news`), { people: { in: 0, out: 2 } });
  await api.must(`PUT ${at}/preferences`, { topics: { news: 'in' } });
  t.match(await api.must(`GET ${at}/preferences`), { topics: { news: 'in' } }, 'by themselves');
});

t.test('files from Excel, in any encoding', async (t) => {
  const text =
    'email;name;status\r\nlan@example.com;Nguyễn Thị Lan;enabled\r\nx@example.com;"a\nb";blocklisted\r\n';
  const bom = '\ufeff';
  const files: readonly (readonly [string, Uint8Array, string?])[] = [
    ['utf-8 with a mark', encoded(bom + text, 'utf-8')],
    ['utf-16', encoded(bom + text, 'utf-16le')],
    ['sep line', encoded(`sep=;\r\n${text}`, 'utf-8')],
    ['gzip', gzipSync(encoded(text, 'utf-8'))],
    ['windows-1258', encoded(asVietnamese(text), 'windows-1258'), 'windows-1258'],
  ];
  for (const [what, bytes, encoding] of files) {
    const target = await newApp();
    const path = join(target.directory, 'people.csv');
    writeFileSync(path, bytes);
    const summary = await importFrom('listmonk', [path], target, {
      file: encoding === undefined ? {} : { encoding },
    });
    t.match(summary, { lines: 2, wrongLines: 0, optOuts: { added: 1 } }, what);
    const [lan] = await peopleOf(target);
    t.equal(lan?.tags['name'], 'Nguyễn Thị Lan', what);
  }
  const target = await newApp();
  const path = join(target.directory, 'people.csv');
  writeFileSync(path, encoded(asVietnamese(text), 'windows-1258'));
  await t.rejects(importFrom('listmonk', [path], target), /--encoding windows-1258/);
  writeFileSync(path, Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 0, 0, 0]));
  await t.rejects(importFrom('listmonk', [path], target), /zip file or an Excel workbook/);
});

t.test('numbers are read with the country of the app; double opt-in waits', async (t) => {
  const target = await newApp();
  await api.must(`PATCH ${target.base}/settings`, { defaultCountry: 'VN' });
  const path = join(target.directory, 'people.csv');
  writeFileSync(
    path,
    'id,email,phone,unsubscribed\n1,a@example.com,0912 345 678,true\n2,b@example.com,0912345679,false\n',
  );
  await importFrom('customerio', [path], target, { map: { consent: 'doubleOptIn' } });
  t.same(await optOutsOf(target), { 'a@example.com': 'marketing', '+84912345678': 'marketing' });
  const people = await peopleOf(target);
  t.same(
    people.map(({ devices }) => devices.map(({ endpoint, enabled }) => [endpoint, enabled])),
    [
      [
        ['a@example.com', false],
        ['+84912345678', false],
      ],
      [
        ['b@example.com', false],
        ['+84912345679', false],
      ],
    ],
  );
});

t.test('wrong lines are told with their number, and kept in the errors file', async (t) => {
  const target = await newApp();
  const path = join(target.directory, 'people.csv');
  const errorsPath = join(target.directory, 'errors.jsonl');
  writeFileSync(
    path,
    'email,status,attributes\nnot an address,enabled,\na@example.com,gone,\nb@example.com,enabled,{oops\nc@example.com,blocklisted,\nbad,blocklisted,\n',
  );
  const summary = await importFrom('listmonk', [path], target, { errorsPath });
  const told = readFileSync(errorsPath, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.same(
    told.map(({ line, reason }) => [line, reason]),
    [
      [2, 'wrong_line'],
      [3, 'wrong_line'],
      [4, 'wrong_line'],
      [6, 'wrong_line'],
      [6, 'opt_out_refused'],
    ],
  );
  t.match(summary, { lines: 5, wrongLines: 4, subscribers: { created: 1 } });
});

/** Windows-1258 has the marks of tones as letters of their own. */
function asVietnamese(text: string): string {
  return text
    .normalize('NFD')
    .replace(/([aeou])\u0302/gi, (letters) => letters.normalize('NFC'))
    .replace(
      /([aeou])([\u0300\u0301\u0303\u0309\u0323])\u0302/gi,
      (_all, letter: string, tone: string) => letter.concat('\u0302').normalize('NFC') + tone,
    )
    .replace(/([ou])\u031b/gi, (letters) => letters.normalize('NFC'));
}
