// Email addresses that may be wrong: what an import tells of them, and the setting that refuses
// disposable ones, on every way by which a person gets an address.

import t from 'tap';
import { client } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, app, refuses, server, takes } = await chapter(t);
const line = 'POST /v1/import/subscribers';
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
