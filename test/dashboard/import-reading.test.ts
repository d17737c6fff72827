// How the import reads a file: its letters wherever the slices of the file are cut, its encoding,
// its separator, and a refusal for what it cannot read.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import { readingsOf } from '../../dashboard/screens/import/readings.ts';
import { surveyFile } from '../../dashboard/screens/import/survey-file.ts';
import { csvPieces } from '../../files/csv-pieces.ts';
import { decoded } from '../../files/decoded.ts';
import { jsonLines } from '../../files/json-lines.ts';
import { encoded } from '../support/code-pages.ts';
import { tries } from '../support/tries.ts';

/** Letters of one to four bytes in UTF-8, and of two and four in UTF-16. */
const letters = 'aé€ชื่😀𐍈 ﷽한e\u0301';
const unicode = ['utf-8', 'utf-16le', 'utf-16be'];

async function* cut(bytes: Uint8Array, ...at: readonly number[]): AsyncGenerator<Uint8Array> {
  const borders = [0, ...at, bytes.length];
  for (const [nth, from] of borders.slice(0, -1).entries())
    yield bytes.slice(from, borders[nth + 1]);
}

async function textOf(stream: AsyncIterable<Uint8Array>, encoding: string): Promise<string> {
  let text = '';
  for await (const one of decoded(stream, encoding)) text += one.text;
  return text;
}

interface Rows {
  readonly header: readonly string[];
  readonly rows: (readonly string[])[];
  readonly problems: string[];
}

async function rowsOf(
  stream: AsyncIterable<Uint8Array>,
  encoding: string,
  pieceChars: number,
): Promise<Rows> {
  const rows: (readonly string[])[] = [];
  const problems: string[] = [];
  let header: readonly string[] = [];
  for await (const piece of csvPieces(decoded(stream, encoding), pieceChars)) {
    header = piece.header;
    for (const { cells, problem } of piece.rows) {
      rows.push(cells);
      if (problem !== undefined) problems.push(problem);
    }
  }
  return { header, rows, problems };
}

const survey = (bytes: Uint8Array | string, encoding?: string, format: 'csv' | 'jsonl' = 'csv') =>
  surveyFile(
    new Blob([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)]),
    format,
    encoding,
    () => undefined,
  );

async function surveyed(bytes: Uint8Array | string, encoding?: string, format?: 'csv' | 'jsonl') {
  const found = await survey(bytes, encoding, format);
  if (found.kind !== 'surveyed') throw new Error(JSON.stringify(found));
  return found.surveyed;
}

t.test('a letter stays whole wherever its bytes are cut', async (t) => {
  for (const encoding of unicode) {
    const bytes = encoded(`\ufeff${letters}`, encoding);
    for (let at = 0; at <= bytes.length; at++)
      for (let then = at; then <= bytes.length; then++)
        if ((await textOf(cut(bytes, at, then), encoding)) !== letters)
          t.fail(`${encoding} at ${at} and ${then}`);
  }
  t.pass();
});

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...letters, '"', ',', ';', '\t', '|', '\n'), maxLength: 8 }),
  fc.constantFrom('', 'plain', '01240', '"', '""', 'sep=;', ' x '),
);
const quoted = (one: string, isQuoted: boolean, separator: string) =>
  isQuoted || /["\r\n]/.test(one) || one.includes(separator) || one !== one.trim()
    ? `"${one.replaceAll('"', '""')}"`
    : one;

t.test('rows come out as they went in, in any encoding, separator and cut', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 12 }),
      fc.constantFrom(',', ';', '\t', '|', '~'),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom(...unicode),
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      fc.infiniteStream(fc.boolean()),
      async (made, separator, newline, encoding, hasMark, size, quotes) => {
        const rows = made.filter((cells) => cells.some((one) => one.trim() !== ''));
        const lines = [['one', 'two', 'three'], ...rows].map((cells) =>
          cells.map((one) => quoted(one, quotes.next().value, separator)).join(separator),
        );
        const mark = hasMark ? '\ufeff' : '';
        const text = `${mark}sep=${separator}${newline}${lines.join(newline)}${newline}`;
        const bytes = encoded(text, encoding);
        const borders = Array.from({ length: Math.floor(bytes.length / size) }, (_, n) => n * size);
        const read = await rowsOf(cut(bytes, ...borders), encoding, size);
        // A value like lines of the file is told, and read all the same.
        const { header, rows: found } = read;
        t.same({ header, found }, { header: ['one', 'two', 'three'], found: rows });
      },
    ),
    { numRuns: tries(150) },
  );
});

t.test('pieces are cut within rows, quoted cells and line ends too', async (t) => {
  const rows = Array.from({ length: 3_000 }, (_, at) => [
    `ชื่อ ${at}`,
    `says "${at}"\r\nand more, ${'😀'.repeat(at % 40)}`,
    '',
  ]);
  const text = [['a', 'b', 'c'], ...rows]
    .map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
    .join('\r\n');
  const bytes = encoded(text, 'utf-8');
  for (const size of [997, 4_096, 65_537, bytes.length]) {
    const borders = Array.from({ length: Math.floor(bytes.length / size) }, (_, n) => n * size);
    const read = await rowsOf(cut(bytes, ...borders), 'utf-8', size);
    t.same(read.problems, []);
    t.ok(JSON.stringify(read.rows) === JSON.stringify(rows), `${size}`);
  }
});

t.test('a first line names the separator, whatever else the file suggests', async (t) => {
  const lines = (separator: string) =>
    `id${separator}name${separator}note\r\n1${separator}a,b;c|d\r\n`;
  for (const [first, separator] of [
    ['sep=;', ';'],
    ['sep=,', ','],
    ['SEP=|', '|'],
    ['sep=\t', '\t'],
    ['"sep=;"', ';'],
    ['sep=;;;', ';'],
    ['sep=~', '~'],
    ['sep=§', '§'],
  ] as const)
    for (const newline of ['\r\n', '\n', '\r'])
      for (const mark of ['', '\ufeff']) {
        const text = `${mark}${first}${newline}${lines(separator).replaceAll('\r\n', newline)}`;
        const { header, form, lines: count } = await surveyed(text);
        t.same(
          { header, separator: form?.separator, count },
          {
            header: ['id', 'name', 'note'],
            separator,
            count: 1,
          },
        );
      }
  t.match(await surveyed('sep=\nid;name\n1;a\n'), { header: ['id', 'name'], lines: 1 });
  t.match(await surveyed('sep=x,name\n1,a\n'), { header: ['sep=x', 'name'] }, 'a column');
  t.match(await surveyed('sep,name\n1,a\n'), { header: ['sep', 'name'] }, 'a column');
});

t.test('a quoted cell may have other line ends than the file', async (t) => {
  // Excel for Mac ends lines with CR, and breaks those of a cell with LF.
  for (const [file, inCell] of [
    ['\r', '\n'],
    ['\n', '\r'],
    ['\r\n', '\n'],
    ['\r\n', '\r'],
  ] as const) {
    const text = ['id,note', `1,"a${inCell}b"`, '2,c', ''].join(file);
    const { form, facts, lines, first } = await surveyed(text);
    t.same([lines, facts.length], [2, 2], JSON.stringify([file, inCell]));
    t.same(first, [
      ['1', `a${inCell}b`],
      ['2', 'c'],
    ]);
    t.equal(form?.newline, file === '\r' ? '\r' : '\n');
  }
});

t.test('a separator may be named as programs write it', async (t) => {
  const { form, header, lines } = await surveyed('sep=\\t\r\nid\tname\r\n1\tA, B\r\n');
  t.same([form?.separator, header, lines], ['\t', ['id', 'name'], 1]);
});

t.test('the header of a second file that was appended is no person', async (t) => {
  const text = '\ufeffid,E-mail\n1,a@example.com\n\ufeffid,E-mail\n2,b@example.com\n';
  const { rows, problems } = await rowsOf(new Blob([text]).stream(), 'utf-8', 512);
  t.equal(rows.length, 3);
  t.same(problems, ['the line repeats the names of the columns']);
  const alone = await rowsOf(new Blob(['name\nname\n']).stream(), 'utf-8', 512);
  t.same(alone.problems, [], 'one word may be a value');
});

t.test('a line that the separator breaks is wrong by itself', async (t) => {
  const text = 'id,name\n1,Ada\n2,Ben, the second\n3,"x"y"\n4,Dan,,\n';
  const { rows, problems } = await rowsOf(cut(encoded(text, 'utf-8')), 'utf-8', 10);
  t.same(problems, [
    'the line has 3 values for 2 columns',
    'the quotation marks in the line are wrong',
  ]);
  t.equal(rows.length, 4);
});

t.test('a quotation mark that swallows whole lines is told', async (t) => {
  const text = 'id,size,note\n1,"2,ok\n2,3,fine\n3,5",ok\n4,1,good\n5,1,"two\nlines, or\nthree"\n';
  const { rows, problems } = await rowsOf(cut(encoded(text, 'utf-8')), 'utf-8', 10);
  t.match(problems, [/^a value spans several lines/]);
  t.same(rows.slice(1), [
    ['4', '1', 'good'],
    ['5', '1', 'two\nlines, or\nthree'],
  ]);
  t.match(await survey('id,name\n1,x\n2,"y\n3,"z"\n'), {
    kind: 'problem',
    problem: /^line 2 after the header has an opening quotation mark/,
  });
});

t.test('a quotation mark that nothing closes refuses the file, with its line', async (t) => {
  const rows = (n: number) => Array.from({ length: n }, (_, at) => `${at},x`).join('\n');
  for (const more of [10, 400_000])
    t.match(await survey(`id,name\n${rows(7)}\n7,"open\n${rows(more)}\n`), {
      kind: 'problem',
      problem: 'line 8 after the header has an opening quotation mark without a closing one.',
    });
  t.match(await survey('id,"name\n1,2\n'), { kind: 'problem', problem: /^its first line/ });
});

t.test('the encoding is told by its mark, by zeros, or is asked for', async (t) => {
  const text = 'id;prénom\n1;Hélène\n';
  for (const encoding of unicode)
    for (const mark of ['', '\ufeff']) {
      const found = await surveyed(encoded(`${mark}${text}`, encoding));
      t.match(found, { encoding, header: ['id', 'prénom'], first: [['1', 'Hélène']] });
    }
  const bytes = encoded(text, 'windows-1252');
  t.match(await survey(bytes), { kind: 'encoding', sample: { utf8: 0, other: 2, firstOther: 1 } });
  t.match(await surveyed(bytes, 'windows-1252'), { first: [['1', 'Hélène']] });
  const late = Buffer.concat([
    Buffer.from(`id\n${'1\n'.repeat(900_000)}`),
    Buffer.from([0xe9, 10]),
  ]);
  t.match(await survey(late), { kind: 'encoding', sample: { other: 1, firstOther: 900_002 } });
  t.match(await survey(Buffer.concat([Buffer.from('\ufeffid\n'), Buffer.from([0xe9, 0x0a])])), {
    kind: 'problem',
    problem: 'the file contains bytes that are not valid in utf-8.',
  });
  t.match(await survey(encoded('id\né\n', 'windows-1252'), 'shift_jis'), { kind: 'problem' });
  const mixed = Buffer.concat([Buffer.from('é\nü\n'), Buffer.from([0xe9, 0x0a])]);
  t.match(await survey(mixed), { kind: 'encoding', sample: { utf8: 2, other: 1, firstOther: 3 } });
});

t.test('long lines and lines that end in CR are shown too', async (t) => {
  for (const [encoding, name] of [
    ['windows-874', 'สมชาย'],
    ['shift_jis', '佐藤'],
    ['gb18030', '王伟'],
  ] as const) {
    const line = `${'x,'.repeat(3_000)}${name},${'y,'.repeat(3_000)}`;
    const found = await survey(encoded(`id\r${line}\r${name}\r`, encoding));
    if (found.kind !== 'encoding') throw new Error(found.kind);
    t.match(found.sample, { other: 2, firstOther: 2 });
    const reading = readingsOf(found.sample.lines).find((one) => one.encoding === encoding);
    t.match(reading?.lines, ['id', new RegExp(`^${name},y`), name], encoding);
  }
});

t.test('a file of one JSON array is refused with a sentence', async (t) => {
  t.match(await survey('[{"id":"a"},\n{"id":"b"}]\n', undefined, 'jsonl'), {
    kind: 'problem',
    problem: /^no line is a JSON object/,
  });
  t.match(await survey(`[${'{"id":"a"},'.repeat(500_000)}]`, undefined, 'jsonl'), {
    kind: 'problem',
    problem: /^a line is longer than 4 MiB/,
  });
});

t.test('what is no text says what it is', async (t) => {
  const table: [noText: string, bytes: readonly number[]][] = [
    ['workbook', [0x50, 0x4b, 3, 4, 20, 0]],
    ['oldWorkbook', [0xd0, 0xcf, 0x11, 0xe0, 0xa1]],
    ['packed', [0x1f, 0x8b, 8, 0]],
    ['pdf', [...Buffer.from('%PDF-1.7')]],
    ['binary', [1, 0, 0, 2, 0, 0, 3]],
  ];
  for (const [noText, bytes] of table)
    t.same(await survey(Uint8Array.from(bytes)), { kind: 'noText', noText });
  t.match(await survey(`id\n${'1\n'.repeat(9_000)}\0\n`), {
    kind: 'problem',
    problem: /zero bytes/,
  });
});

t.test('the likeliest reading is the right one', async (t) => {
  const table: [encodings: readonly string[], lines: readonly string[], language?: string][] = [
    [['windows-1252'], ['prénom', 'Hélène,Besançon', 'Zoë']],
    [
      ['windows-1252', 'macintosh'],
      ['name', 'Jörg Müller,Köln', 'Strauß,Düsseldorf'],
    ],
    [['windows-1252'], ['nome', 'João Conceição,São Paulo']],
    [['windows-874'], ['ชื่อ,เมือง', 'สมชาย ใจดี,เชียงใหม่', 'กรุงเทพมหานคร']],
    [['windows-874'], ['name', 'สมชาย']],
    [['windows-1258'], ['tên', 'Nguyê\u0303n Văn A,Hà Nô\u0323i', 'Đà Nă\u0303ng']],
    [
      ['windows-1250', 'iso-8859-2'],
      ['imię', 'Łukasz Żółć,Łódź', 'Święcicka'],
    ],
    [['windows-1250'], ['jméno', 'Jiří Dvořák,Plzeň', 'Tomáš Šťastný']],
    [['windows-1250'], ['név', 'Szűcs Győző,Hódmezővásárhely'], 'hu-HU'],
    [
      ['windows-1251', 'koi8-r', 'ibm866'],
      ['имя', 'Иван Петров,Москва', 'Санкт-Петербург'],
    ],
    [['windows-1253'], ['όνομα', 'Γιώργος Παπαδόπουλος,Αθήνα']],
    [['windows-1254'], ['isim', 'Gülşah Yılmaz,İstanbul', 'Çağrı']],
    [['windows-1255'], ['שם', 'דוד כהן,ירושלים', 'רחל לוי,תל אביב']],
    [['windows-1256'], ['الاسم', 'محمد علي,القاهرة', 'فاطمة حسن']],
    [['windows-1257'], ['vārds', 'Jānis Bērziņš,Rīga', 'Žydrūnas Šarūnas']],
    [
      ['shift_jis', 'euc-jp'],
      ['名前', '佐藤 花子,東京', 'ヤマダ タロウ,おおさか'],
    ],
    [['gb18030'], ['姓名', '王伟,北京', '李娜,上海', '张敏,深圳市南山区']],
    [['big5'], ['姓名', '陳美玲,臺北市', '林志豪,高雄', '黃淑芬,新竹縣']],
    [['euc-kr'], ['이름', '김민수,서울', '이영희,부산광역시']],
  ];
  for (const [encodings, lines, language = 'en-GB'] of table)
    for (const encoding of encodings) {
      const bytes = lines.map((line) => encoded(line, encoding));
      const [first] = readingsOf(bytes, [language]);
      t.same(
        first,
        { encoding, lines: lines.map((line) => line.normalize('NFC')) },
        `${encoding} ${lines[1]}`,
      );
    }
});

t.test('JSON Lines survive any cut of their bytes', async (t) => {
  const values = [{ externalUserId: 'é', tags: { a: '日本' } }, { b: 2 }];
  const bytes = encoded(
    `${JSON.stringify(values[0])}\n\n${JSON.stringify(values[1])}\nnot json`,
    'utf-8',
  );
  for (let size = 1; size < bytes.length; size += 3) {
    const read: unknown[] = [];
    const borders = Array.from({ length: Math.floor(bytes.length / size) }, (_, n) => n * size);
    for await (const { objects } of jsonLines(decoded(cut(bytes, ...borders), 'utf-8'), 16))
      read.push(...objects);
    t.same(read, [
      { value: values[0] },
      { value: values[1] },
      { problem: 'the line is not valid JSON' },
    ]);
  }
});

t.test('the columns of JSON Lines are those of the whole file, with their types', async (t) => {
  const rows = Array.from({ length: 900 }, (_, at) => JSON.stringify({ id: `u${at}`, n: at }));
  const text = [...rows, '{"id":"x","zip":"01240","likes":["a|b","c"],"vip":true}'].join('\n');
  const { header, facts, lines } = await surveyed(text, undefined, 'jsonl');
  t.same(header, ['id', 'n', 'zip', 'likes', 'vip']);
  t.equal(lines, 901);
  t.match(facts, [{ exactNumbers: 0 }, { exactNumbers: 900 }, { exactNumbers: 0 }, { lists: 1 }]);
  await ofApi(t);
});

async function ofApi(t: Test): Promise<void> {
  const api = await surveyed(
    '{"externalUserId":"a","tags":{"x":1},"mail":"?"}',
    undefined,
    'jsonl',
  );
  t.match(api, { header: undefined, leftOut: ['mail'] });
  const flat = await surveyed('{"externalUserId":"a","plan":"pro"}', undefined, 'jsonl');
  t.same(flat.header, ['externalUserId', 'plan'], 'nothing of a flat line is dropped');
}

t.test('a number of JSON that would change is a wrong line', async (t) => {
  const lines = ['{"id":12345678901234567890}', '{"id":"12345678901234567890"}', '{"n":-3.5}'];
  const read: unknown[] = [];
  for await (const { objects } of jsonLines(
    decoded(cut(encoded(lines.join('\n'), 'utf-8')), 'utf-8'),
    1,
  ))
    read.push(...objects);
  t.match(read, [
    { problem: /^the number 12345678901234567890 cannot be stored exactly/ },
    { value: { id: '12345678901234567890' } },
    { value: { n: -3.5 } },
  ]);
});
