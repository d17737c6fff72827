import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { type ExportLine, exportLines } from '../../../cli/import/export-lines.ts';
import { encoded } from '../../support/code-pages.ts';
import { tries } from '../../support/tries.ts';

const lineBytesMax = 256 * 1024;

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, size = 64 * 1024, encoding?: string): Promise<ExportLine[]> {
  const lines: ExportLine[] = [];
  const source = chunked(bytes, size);
  for await (const part of exportLines(source, { bytes: 0 }, encoding)) lines.push(...part);
  return lines;
}

function texts(lines: readonly ExportLine[]): string[] {
  return lines.map((line) => ('text' in line ? line.text : line.unreadable));
}

t.test('lines are the same, however they are packed, joined and cut into chunks', async (t) => {
  const line = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(''), fc.constant('{"a":1}'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 30 }),
      fc.constantFrom('plain', 'gzip', 'members'),
      fc.integer({ min: 1, max: 200 }),
      fc.boolean(),
      async (made, packing, size, crlf) => {
        const clean = made.map((text) => text.replace(/[\r\n\ufeff]/g, ''));
        const end = crlf ? '\r\n' : '\n';
        const all = clean.map((text) => Buffer.from(`${text}${end}`));
        const bytes =
          packing === 'plain'
            ? Buffer.concat(all)
            : packing === 'gzip'
              ? gzipSync(Buffer.concat(all))
              : Buffer.concat(all.map((one) => gzipSync(one)));
        const expected = clean
          .map((text, i) => ({ line: i + 1, text, isTorn: false }))
          .filter(({ text }) => text.trim() !== '');
        if (packing === 'plain' && bytes[0] === 0x1f && bytes[1] === 0x8b) return;
        t.same(await read(bytes, size), expected);
      },
    ),
    { seed: 11, numRuns: tries(300) },
  );
});

t.test('a byte order mark, blank lines and ends of line are no part of a line', async (t) => {
  const lines = await read(Buffer.from('\ufeff{"a":1}\r\n\r\n   \n\ufeff{"b":2}\n'));
  t.same(lines, [
    { line: 1, text: '{"a":1}', isTorn: false },
    { line: 4, text: '{"b":2}', isTorn: false },
  ]);
});

t.test('a last line without an end is marked, for a transfer may have cut it', async (t) => {
  t.same(await read(Buffer.from('{"a":1}\n{"b')), [
    { line: 1, text: '{"a":1}', isTorn: false },
    { line: 2, text: '{"b', isTorn: true },
  ]);
});

t.test('a line that is too long or no UTF-8 is passed over, and the next is read', async (t) => {
  const longest = 'x'.repeat(lineBytesMax);
  const bytes = Buffer.concat([
    Buffer.from(`${longest}\n${longest}y\nfine\n`),
    Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
    Buffer.from(`${'ä'.repeat(lineBytesMax / 2)}ä\nlast\n${'z'.repeat(3 * lineBytesMax)}`),
  ]);
  for (const size of [1000, 65_536, bytes.length]) {
    const lines = await read(bytes, size);
    t.same(texts(lines), [
      longest,
      'line_too_long',
      'fine',
      'not_utf8',
      'line_too_long',
      'last',
      'line_too_long',
    ]);
    t.same(
      lines.map(({ line }) => line),
      [1, 2, 3, 4, 5, 6, 7],
    );
  }
});

t.test('gzip that is cut off or damaged is refused with a sentence', async (t) => {
  const packed = gzipSync(Buffer.from('{"a":1}\n'.repeat(1000)));
  await t.rejects(
    read(packed.subarray(0, packed.length - 9)),
    /ends in the middle of its gzip data/,
  );
  await t.rejects(read(Buffer.concat([packed, packed.subarray(0, 20)])), /ends in the middle/);
  await t.rejects(read(Buffer.concat([packed, Buffer.from('{"b":2}\n')])), /corrupt/);
  const damaged = Buffer.from(packed);
  damaged[20] = (damaged[20] ?? 0) ^ 0xff;
  await t.rejects(read(damaged), /corrupt/);
  t.equal(
    (await read(Buffer.concat([packed, Buffer.alloc(100)]))).length,
    1000,
    'zeros pad a tape',
  );
});

t.test('gzip that unpacks to a thousand times its size is refused early', async (t) => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 10));
  let _bytes = 0;
  const lines = exportLines(chunked(bomb, 4096), { bytes: 0 });
  await t.rejects(async () => {
    for await (const part of lines) _bytes += part.length;
  }, /more than 100 times its size/);
});

t.test('the digest is of the bytes as they lie there', async (t) => {
  const packed = Buffer.concat([gzipSync('{"a":1}\n'), gzipSync('{"b":2}\n'), Buffer.alloc(50)]);
  const meter = { bytes: 0, sha256: '' };
  for await (const part of exportLines(chunked(packed, 7), meter)) t.ok(part);
  t.same(meter, {
    bytes: packed.length,
    sha256: createHash('sha256').update(packed).digest('hex'),
  });
  t.same(await read(new Uint8Array(0)), []);
});

t.test('letters of any encoding stay whole wherever the bytes are cut', async (t) => {
  const table: [encoding: string, text: string][] = [
    ['utf-8', 'aé€ชื่😀'],
    ['utf-16le', 'aé€ชื่😀'],
    ['utf-16be', 'aé€ชื่😀'],
    ['windows-1252', 'Hélène–Œuvre'],
    ['windows-874', 'สมชาย'],
    ['windows-1258', 'Nguyê\u0303n Đà'],
    ['shift_jis', '佐藤ヤマダ'],
    ['gb18030', '王伟'],
    ['big5', '陳美玲'],
    ['euc-kr', '김민수'],
    ['koi8-r', 'Иван'],
    ['macintosh', 'Hélène'],
  ];
  for (const [encoding, text] of table) {
    const lines = [`{"a":"${text}"}`, `{"b":"${text}${text}"}`];
    const bytes =
      encoding === 'windows-1252'
        ? Buffer.from(lines.join('\n').replace('–', '\x96').replace('Œ', '\x8c'), 'latin1')
        : encoded(lines.join('\n'), encoding);
    const expected = encoding === 'windows-1252' ? [lines[0]] : lines;
    for (let size = 1; size <= bytes.length; size++)
      t.same(
        texts(await read(bytes, size, encoding)).slice(0, expected.length),
        expected,
        `${encoding} ${size}`,
      );
  }
});

t.test('UTF-16 is recognized, and a mark that belies the name is refused', async (t) => {
  for (const encoding of ['utf-16le', 'utf-16be'])
    for (const mark of ['', '\ufeff'])
      t.same(texts(await read(encoded(`${mark}{"a":"é"}\r\n{"b":1}\n`, encoding))), [
        '{"a":"é"}',
        '{"b":1}',
      ]);
  const marked = encoded('\ufeff{"a":1}\n', 'utf-8');
  await t.rejects(read(marked, 100, 'windows-1252'), /begins as utf-8 does, but --encoding is/);
  await t.rejects(read(Buffer.from([0x7b, 0x81, 0x0a]), 100, 'shift_jis'), {
    message: /^the file contains bytes that are not valid in shift_jis; .*Nothing was imported\.$/,
  });
  await t.rejects(read(encoded('{"a":"é"}', 'utf-16le').slice(0, -1)), /utf-16le/);
});

t.test('a last line that is cut within a letter is torn, not in another encoding', async (t) => {
  const whole = encoded('{"a":1}\n{"b":"😀', 'utf-8');
  for (const cut of [1, 2, 3])
    t.same((await read(whole.slice(0, -cut))).at(-1), { line: 2, text: '{"b":"', isTorn: true });
  t.same(texts(await read(Buffer.from([0x7b, 0xff, 0x22, 0x22]))), ['not_utf8']);
});
