// From a file to rows of the API: the guess, the rows, the calls, and the lines that were wrong.

import fc from 'fast-check';
import Papa from 'papaparse';
import t from 'tap';
import { samplePeople } from '../../dashboard/person/sample-people.ts';
import {
  Batches,
  bytesPerCall,
  callsPerSecond,
  rowsPerCall,
  waitBefore,
} from '../../dashboard/screens/import/batches.ts';
import { csvText } from '../../dashboard/screens/import/csv.ts';
import { jsonLines } from '../../dashboard/screens/import/json-lines.ts';
import { guessMapping, snake } from '../../dashboard/screens/import/mapping.ts';
import { toRow } from '../../dashboard/screens/import/to-row.ts';
import { readRow } from '../../http/routes/audience/import-row.ts';
import { tries } from '../support/tries.ts';

const header = [
  'Customer ID',
  'First name',
  'E-mail',
  'Mobile',
  'Age',
  'Newsletter',
  'Likes',
  'TZ',
];
const lines = [
  ['c-1', 'Ada', 'ada@example.com', '+1 (415) 555-0101', '31', 'yes', 'tea|go', 'Europe/Berlin'],
  ['c-2', 'Ben', 'ben@example.com', '0049 30 1234567', '28', 'no', 'tea', ''],
];

t.test('names and values tell what a column is', async (t) => {
  t.same(guessMapping(header, lines), [
    { kind: 'externalId' },
    { kind: 'tag', key: 'first_name', type: 'string' },
    { kind: 'device', channel: 'email' },
    { kind: 'device', channel: 'sms' },
    { kind: 'tag', key: 'age', type: 'number' },
    { kind: 'tag', key: 'newsletter', type: 'boolean' },
    { kind: 'tag', key: 'likes', type: 'list' },
    { kind: 'timezone' },
  ]);
});

t.test('values alone tell an address, a phone number and a time zone', async (t) => {
  const guess = guessMapping(
    ['a', 'b', 'c', 'zip', 'email'],
    [['x@example.com', '\u202a+84\u201190 123 4567\u202c', 'Asia/Jakarta', '01234', 'yes']],
  );
  t.match(guess, [
    { kind: 'device', channel: 'email' },
    { kind: 'device', channel: 'sms' },
    { kind: 'timezone' },
    { kind: 'tag', key: 'zip', type: 'string' },
    { kind: 'tag', key: 'email', type: 'boolean' },
  ]);
});

t.test('only one column is the external id', async (t) => {
  t.match(guessMapping(['id', 'user_id'], [['1', '2']]), [
    { kind: 'externalId' },
    { kind: 'tag', key: 'user_id' },
  ]);
});

t.test('a line becomes a row that the server takes', async (t) => {
  const made = toRow(lines[0] ?? [], guessMapping(header, lines), header);
  t.same(made, {
    row: {
      externalUserId: 'c-1',
      timezone: 'Europe/Berlin',
      tags: { first_name: 'Ada', age: 31, newsletter: true, likes: ['tea', 'go'] },
      devices: [
        { channel: 'email', endpoint: 'ada@example.com' },
        { channel: 'sms', endpoint: '+1 (415) 555-0101' },
      ],
    },
  });
  t.notOk('row' in made && 'problem' in readRow(made.row));
});

t.test(
  'a cell of the wrong type names its column; an empty line is said to be empty',
  async (t) => {
    const mapping = guessMapping(header, lines);
    const wrong = ['c-3', '', '', '', 'old', '', '', ''];
    t.same(toRow(wrong, mapping, header), { problem: 'Age: expected a number, not “old”' });
    t.same(toRow(['', ''], mapping, header), { problem: 'the line is empty' });
  },
);

t.test('an export can be imported again', async (t) => {
  const columns = [
    'id',
    'externalUserId',
    'devices',
    'tags',
    'preferredChannels',
    'timezone',
    'createdAt',
  ];
  const device = { id: 'dev_1', channel: 'email', endpoint: 'a@example.com', enabled: true };
  const cells = ['sub_1', 'c-1', JSON.stringify([device]), '{"plan":"pro"}', 'email|sms', '', ''];
  t.same(toRow(cells, guessMapping(columns, [cells]), columns), {
    row: {
      externalUserId: 'c-1',
      preferredChannels: ['email', 'sms'],
      tags: { plan: 'pro' },
      devices: [{ channel: 'email', endpoint: 'a@example.com' }],
    },
  });
});

t.test('keys of tags are snake case', async (t) => {
  t.equal(snake('  First Name '), 'first_name');
  t.equal(snake('lastLoginAt'), 'last_login_at');
  t.equal(snake('Prénom (fr)'), 'prénom_fr');
});

t.test('no call has too many rows or bytes, and every row is sent once, in order', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 60_000 }), { maxLength: 60 }),
      async (sizes) => {
        const sent: number[] = [];
        const batches = new Batches(async (rows) => {
          const bytes = JSON.stringify(rows.map(({ row }) => row)).length;
          t.ok(rows.length <= rowsPerCall && (rows.length === 1 || bytes <= bytesPerCall));
          sent.push(...rows.map(({ line }) => line));
        });
        for (const [line, size] of sizes.entries())
          await batches.add({ line, row: { tags: { text: 'x'.repeat(size) } } });
        await batches.flush();
        t.same(sent, [...sizes.keys()]);
      },
    ),
    { numRuns: tries(30) },
  );
});

t.test('at most ten calls begin in any second', async (t) => {
  const calls: number[] = [];
  let nowMs = 0;
  for (let n = 0; n < 60; n++) {
    nowMs += waitBefore(calls, nowMs);
    calls.push(nowMs);
    nowMs += n % 3;
  }
  for (const [at, callMs] of calls.entries())
    t.ok(at < callsPerSecond || callMs - (calls[at - callsPerSecond] ?? 0) >= 1_000);
});

t.test('the CSV of wrong lines reads back, and runs no formula', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), { minLength: 1 }),
      (rows) => {
        const { data } = Papa.parse<string[]>(csvText(rows).replace(/\r\n$/, ''), {
          delimiter: ',',
          newline: '\r\n',
        });
        t.same(
          data.map((row) =>
            row.map((cell) => (/^'+[=+\-@\t\r\n]/.test(cell) ? cell.slice(1) : cell)),
          ),
          rows,
        );
        for (const row of data) for (const cell of row) t.notMatch(cell, /^[=+\-@\t\r\n]/);
      },
    ),
    { numRuns: tries(100) },
  );
});

t.test('JSON Lines survive any cut of their bytes', async (t) => {
  const values = [{ externalUserId: 'é', tags: { a: '日本' } }, { b: 2 }];
  const bytes = new TextEncoder().encode(
    `${JSON.stringify(values[0])}\n\n${JSON.stringify(values[1])}\nnot json`,
  );
  for (let size = 1; size < bytes.length; size += 3) {
    const read: unknown[] = [];
    for await (const { objects } of jsonLines(cut(bytes, size), 16)) read.push(...objects);
    t.same(read, [{ value: values[0] }, { value: values[1] }, { problem: 'the line is not JSON' }]);
  }
});

t.test('the sample is 130 people whom the server takes', async (t) => {
  const rows = samplePeople();
  t.equal(rows.length, 130);
  t.equal(new Set(rows.map(({ externalUserId }) => externalUserId)).size, 130);
  for (const row of rows) t.notOk('problem' in readRow(row));
});

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size);
}
