// Email addresses that may be wrong: what an import tells of them, and the setting that refuses
// disposable ones, on every way by which a person gets an address.

import { domainToUnicode } from 'node:url';
import t from 'tap';
import { client } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, app, refuses, server, takes } = await chapter(t);
const line = 'POST /v1/import/subscribers';

interface Counted {
  readonly flag: string;
  readonly count: number;
}

const rowOf = (externalUserId: string, ...addresses: string[]) => ({
  externalUserId,
  devices: addresses.map((endpoint) => ({ channel: 'email', endpoint })),
});

t.test('an import tells typos, disposable and role addresses, and takes them all', async (t) => {
  const many = Array.from({ length: 30 }, (_, n) => rowOf(`many-${n}`, `p${n}@yaho.com`));
  const rows = [
    rowOf('fine', 'ada@example.com'),
    rowOf('two', 'ada@acme.example', 'Info@gmial.com'),
    rowOf('gone', 'x@mailinator.com'),
    { ...rowOf('object', 'sales@acme.example'), tags: { plan: null } },
    ...many,
  ];
  const told = [
    {
      flag: 'typo',
      count: 31,
      samples: [
        { row: 1, device: 1, domain: 'gmial.com', meant: 'gmail.com' },
        ...Array.from({ length: 9 }, (_, n) => ({
          row: 4 + n,
          device: 0,
          domain: 'yaho.com',
          meant: 'yahoo.com',
        })),
      ],
    },
    {
      flag: 'disposable',
      count: 1,
      samples: [{ row: 2, device: 0, domain: 'mailinator.com' }],
    },
    {
      flag: 'role',
      count: 2,
      samples: [
        { row: 1, device: 1, domain: 'gmial.com' },
        { row: 3, device: 0, domain: 'acme.example' },
      ],
    },
  ];
  for (const dryRun of [true, false]) {
    const { json } = await takes(t, line, { appId: app, rows, dryRun }, 200);
    t.same([json.created, json.failed, json.addressFlags], [rows.length, 0, told]);
  }
  const { json } = await takes(t, line, { appId: app, rows: rows.slice(0, 1) }, 200);
  t.notOk('addressFlags' in json, 'nothing is said of an import without any');
});

t.test('an app may refuse disposable addresses that nobody has yet', async (t) => {
  await api.must(`PATCH ${base}/settings`, { refuseDisposableAddresses: true });
  const device = { channel: 'email', endpoint: 'new@mailinator.com' };
  const field = 'devices[0].endpoint';
  const refusal = { status: 400, field };
  await refuses(t, `POST ${base}/subscribers`, { externalUserId: 'n', devices: [device] }, refusal);
  const rows = [
    rowOf('kept', 'kept@example.com', device.endpoint),
    rowOf('gone', 'x@mailinator.com'),
  ];
  const filler = Array.from({ length: 20 }, (_, n) => rowOf(`filler-${n}`, `f${n}@example.com`));
  const { json } = await takes(t, line, { appId: app, rows: [...filler, ...rows] }, 200);
  t.match(json, { created: 21, updated: 1, failed: 0 });
  t.match(json.errors, [
    { row: 20, device: 1, error: /mailinator\.com gives disposable addresses/ },
  ]);
  t.equal(json.errors.length, 1, 'an address that somebody has stays theirs');
  const { id } = await api.must(`POST ${base}/subscribers`, { externalUserId: 'kept' });
  await refuses(t, `POST ${base}/subscribers/${id}/devices`, device, {
    status: 400,
    field: 'endpoint',
  });
  const anybody = client(server.url);
  const signedUp = await anybody.call('POST /v1/sdk/subscribe', {
    appId: app,
    endpoint: device.endpoint,
  });
  t.equal(signedUp.status, 400, 'a sign-up is refused by the domain, whoever has the address');
  const held = await anybody.call('POST /v1/sdk/subscribe', {
    appId: app,
    endpoint: 'x@mailinator.com',
  });
  t.equal(held.status, 400, 'so it does not tell whether somebody has it');
  await api.must(`PATCH ${base}/settings`, { refuseDisposableAddresses: false });
  await takes(t, `POST ${base}/subscribers/${id}/devices`, device, 201);
});

t.test('both forms of an international domain are judged alike', async (t) => {
  for (const ascii of ['xn--9kq967o.com', 'xn--mnchen-3ya.example']) {
    const unicode = domainToUnicode(ascii);
    for (const [i, domain] of [ascii, unicode, unicode.toUpperCase()].entries()) {
      const rows = [rowOf(`idn-${i}-${ascii}`, `idn${i}@${domain}`)];
      const sample = { row: 0, device: 0, domain: ascii };
      const told =
        ascii === 'xn--9kq967o.com'
          ? [{ flag: 'disposable', count: 1, samples: [sample] }]
          : undefined;
      for (const dryRun of [true, false]) {
        const { json } = await takes(t, line, { appId: app, rows, dryRun }, 200);
        t.same([json.created, json.failed, json.addressFlags], [1, 0, told], domain);
      }
    }
  }
});

t.test('a sender domain that the app has proved is no typo and not disposable', async (t) => {
  const sandbox = client(server.sandboxUrl);
  const own = ['gmial.com', 'mailinator.com', 'xn--9kq967o.com'];
  const rows = [
    ...own.map((domain, i) => rowOf(`own-${i}`, `own-${i}@${domain}`)),
    rowOf('below', 'below@eu.mailinator.com'),
    rowOf('unicode', `unicode@${domainToUnicode('xn--9kq967o.com')}`),
    rowOf('role', 'info@gmial.com'),
    rowOf('other', 'other@yaho.com'),
  ];
  const flagsOf = async (dryRun: boolean) => {
    const { json } = await takes(t, line, { appId: app, rows, dryRun }, 200);
    return json.addressFlags.map(({ flag, count }: Counted) => [flag, count]);
  };
  const all = [
    ['typo', 3],
    ['disposable', 4],
    ['role', 1],
  ];
  t.same(await flagsOf(true), all);
  for (const domain of own) {
    const added = await api.must(`POST ${base}/email-domains`, { domain });
    t.same(await flagsOf(true), all, 'a claim is no proof');
    await sandbox.must('POST /control/dns', added);
  }
  for (const domain of own)
    t.match(await api.must(`POST ${base}/email-domains/${domain}/verify`), { state: 'verified' });
  await api.must(`PATCH ${base}/settings`, { refuseDisposableAddresses: true });
  const left = [
    ['typo', 1],
    ['role', 1],
  ];
  for (const dryRun of [true, false]) t.same(await flagsOf(dryRun), left);
  const { json } = await takes(t, line, { appId: app, rows }, 200);
  t.match(json, { failed: 0, errors: [] });
  await refuses(
    t,
    `POST ${base}/subscribers`,
    { externalUserId: 'n', devices: [{ channel: 'email', endpoint: 'a@yopmail.com' }] },
    { status: 400, field: 'devices[0].endpoint' },
  );
  await api.must(`PATCH ${base}/settings`, { refuseDisposableAddresses: false });
});
