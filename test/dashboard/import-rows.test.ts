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
import { clashesOf, guessMapping } from '../../dashboard/screens/import/mapping.ts';
import { toRow } from '../../dashboard/screens/import/to-row.ts';
import { snake } from '../../files/tag-name.ts';
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
    { kind: 'tag', key: 'likes', type: 'list', splitAt: '|' },
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
    t.same(toRow(wrong, mapping, header), {
      problem: 'Age: expected a number like 12 or -3.5, which “old” is not',
    });
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

t.test('keys keep what stands above and below letters, in one form', async (t) => {
  for (const name of ['ชื่อ', 'ที่อยู่', 'ที', 'ท่', 'नाम', 'שֵׁם', 'الإِسم', 'prénom', 'tên', 'می‌خواهم'])
    t.equal(snake(name), name.normalize('NFC'), name);
  t.equal(snake('pre\u0301nom'), snake('prénom'));
  t.equal(snake('İsim'), snake('I\u0307sim'));
});

t.test('a key is one that people can type and the API takes', async (t) => {
  t.equal(snake('İsim'), 'isim', 'no dot above the i');
  t.equal(snake('I\u0307lçe Adı'), 'ilçe_adı');
  t.same(guessMapping(['ＩＤ', 'Ｅ－ＭＡＩＬ', 'ＮＡＭＥ'], []), [
    { kind: 'externalId' },
    { kind: 'device', channel: 'email' },
    { kind: 'tag', key: 'name', type: 'string' },
  ]);
  // A question of a form; the API takes keys of 128 characters.
  const question = 'Why do you like it? '.repeat(9);
  t.equal(
    snake(question),
    'why_do_you_like_it_'
      .repeat(7)
      .slice(0, 128)
      .replace(/_[^_]*$/, ''),
  );
  t.equal(snake('é'.repeat(300)).length, 128);
  for (const name of ['constructor', 'Prototype', '__proto__']) {
    // The API refuses a whole call with such a member.
    t.notOk(/^(?:constructor|prototype|__proto__)$/.test(snake(name)), name);
    t.not(snake(name), '');
  }
});

t.test('a mark without a letter is no part of a key', async (t) => {
  t.equal(snake('⭐\ufe0f Rating'), 'rating');
  t.equal(snake('Rating ⭐\ufe0f'), 'rating');
  t.equal(snake('\u200bName\ufeff'), 'name');
  t.equal(snake('★'), '');
});

t.test('a column of nothing but no may be Norway', async (t) => {
  const typeOf = (...cells: string[]) =>
    guessMapping(
      ['x'],
      cells.map((one) => [one]),
    )[0];
  t.match(typeOf('NO', 'no'), { type: 'string' });
  t.match(typeOf('no', 'yes'), { type: 'boolean' });
  t.match(typeOf('false', 'false'), { type: 'boolean' });
  t.match(typeOf('no', 'se'), { type: 'string' });
});

t.test('two columns that become one thing are told', async (t) => {
  const clashes = (names: readonly string[]) => {
    const values = names.map(() => 'x');
    return clashesOf(guessMapping(names, [values])).map(({ columns }) => columns);
  };
  t.same(clashes(['Tag', 'tag', 'Plan', 'e-mail', 'work email']), [[0, 1]]);
  t.same(clashes(['ที', 'ท่']), []);
  t.same(clashes(['First name', 'first_name', 'First-Name', 'plan', 'Plan']), [
    [0, 1, 2],
    [3, 4],
  ]);
  t.same(clashes(['Café', 'Cafe\u0301']), [[0, 1]]);
  t.same(clashes(['timezone', 'tz']), [[0, 1]]);
  const tag = { kind: 'tag', key: 'plan', type: 'string' } as const;
  t.same(toRow(['{"plan":"pro"}', 'free'], [{ kind: 'tagsJson' }, tag], ['tags', 'plan']), {
    problem: 'plan: another column gives the tag plan a value too',
  });
  t.same(toRow(['free', '{"plan":"pro"}'], [tag, { kind: 'tagsJson' }], ['plan', 'tags']), {
    problem: 'tags: another column gives the tag plan a value too',
  });
});

/** What spreadsheets, phones, shops and programs write into a column that looks like numbers. */
const lookalikes = [
  ...['01240', '00258', '0x1F', '0b11', '1e5', '1E+05', '+5', '1,5', '1.234,5', '.5', '5.', '-0'],
  ...['1_000', '1 000', '１２', '٣', 'Infinity', 'NaN', '--1', '12e', '1.10', '9.90', '-01'],
  ...['9007199254740993', '12345678901234567890', '0.1234567890123456789', '1/2', '5%'],
];

t.test('a value that a number would change makes its column a text', async (t) => {
  for (const value of lookalikes) {
    const rows = [...Array.from({ length: 240 }, (_, at) => [String(at)]), [value]];
    const mapping = guessMapping(['zip'], rows);
    t.same(mapping, [{ kind: 'tag', key: 'zip', type: 'string' }], value);
    t.same(toRow([value], mapping, ['zip']), { row: { tags: { zip: value } } }, value);
  }
});

t.test('a guessed column gives back every value as it stands', async (t) => {
  const cell = fc.oneof(
    fc.constantFrom(...lookalikes),
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom('yes', 'no', 'TRUE', 'true', 'false'),
    fc.stringMatching(/^[a-zà-ÿ0-9.+-]{1,8}$/),
  );
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 30 }), (cells) => {
      const rows = cells.map((one) => [one]);
      const mapping = guessMapping(['x'], rows);
      for (const one of cells) {
        const made = toRow([one], mapping, ['x']);
        const value = 'row' in made ? made.row.tags?.['x'] : undefined;
        if (typeof value === 'boolean')
          t.equal(value, /^(?:true|yes)$/i.test(one), `${one} in ${cells}`);
        else if (String(value) !== one) t.fail(`${one} became ${value} in ${cells}`);
      }
    }),
    { numRuns: tries(300) },
  );
});

t.test('a number that a person asks for is one in its usual form, or a wrong line', async (t) => {
  const mapping = [{ kind: 'tag', key: 'n', type: 'number' }] as const;
  const read = (cell: string) => {
    const made = toRow([cell], mapping, ['n']);
    return 'row' in made ? made.row.tags?.['n'] : undefined;
  };
  for (const [cell, value] of [
    ['12', 12],
    ['-3.5', -3.5],
    ['9.90', 9.9],
    ['12.000', 12],
    ['0', 0],
    ['0.50', 0.5],
  ] as const)
    t.equal(read(cell), value, cell);
  for (const cell of lookalikes)
    if (cell !== '1.10' && cell !== '9.90') t.equal(read(cell), undefined, cell);
});

t.test('a formula that only guards a text is that text', async (t) => {
  const names = ['id', 'phone', 'zip', 'note', 'Kontakt'];
  const cells = ['="00123"', '="+84912345678"', '="01240"', '="a ""b"""', '="+84912345679"'];
  const mapping = guessMapping(names, [cells]);
  t.same(toRow(cells, mapping, names), {
    row: {
      externalUserId: '00123',
      tags: { zip: '01240', note: 'a "b"' },
      devices: [
        { channel: 'sms', endpoint: '+84912345678' },
        { channel: 'sms', endpoint: '+84912345679' },
      ],
    },
  });
  const others = ['="a"&"b"', '=1+1', '="', `'="x"`];
  const tags = others.map((_, at) => `t${at}`);
  t.same(toRow(others, guessMapping(tags, [others]), tags), {
    row: { tags: { t0: '="a"&"b"', t1: '=1+1', t2: '="', t3: '="x"' } },
  });
});

t.test('an id that a spreadsheet has rounded is a wrong line', async (t) => {
  const names = ['user_id', 'name'];
  for (const id of ['1.23457E+14', '8,49E+10', '9E+15'])
    t.match(toRow([id, 'Ada'], guessMapping(names, []), names), {
      problem: /^user_id: a spreadsheet has rounded “.*”/,
    });
  for (const id of ['1E5', 'E+10', '12E4567', 'a1E+14'])
    t.match(toRow([id, 'Ada'], guessMapping(names, []), names), { row: { externalUserId: id } });
});

t.test('the items of a list are parted by what its column uses', async (t) => {
  const rows = [['Paris, France|Rome, Italy'], ['Berlin, Germany'], ['Oslo; Bergen|Turku']];
  const mapping = guessMapping(['places'], rows);
  t.same(
    rows.map((cells) => toRow(cells, mapping, ['places'])),
    [
      { row: { tags: { places: ['Paris, France', 'Rome, Italy'] } } },
      { row: { tags: { places: ['Berlin, Germany'] } } },
      { row: { tags: { places: ['Oslo; Bergen', 'Turku'] } } },
    ],
  );
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
            row.map((cell) =>
              /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) ? cell.slice(1) : cell,
            ),
          ),
          rows,
        );
        for (const row of data) for (const cell of row) t.notMatch(cell, /^[=+\-@\t\r\n]/);
      },
    ),
    { numRuns: tries(100) },
  );
});

t.test('the sample is 130 people whom the server takes', async (t) => {
  const rows = samplePeople();
  t.equal(rows.length, 130);
  t.equal(new Set(rows.map(({ externalUserId }) => externalUserId)).size, 130);
  for (const row of rows) t.notOk('problem' in readRow(row));
});
