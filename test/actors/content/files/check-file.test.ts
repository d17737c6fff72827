import fc from 'fast-check';
import t from 'tap';
import { checkFile } from '../../../../actors/content/files/check-file.ts';
import { tries } from '../../../support/tries.ts';
import { zipOf } from '../../../support/zip-of.ts';

const bytesOf = (text: string) => Buffer.from(text, 'latin1');
const check = (filename: string, bytes: Uint8Array | string, contentType?: string) =>
  checkFile({
    filename,
    contentType,
    bytes: typeof bytes === 'string' ? bytesOf(bytes) : bytes,
  });

t.test('a file that is what it says gets its type', async (t) => {
  for (const [filename, bytes, type] of [
    ['a.pdf', '%PDF-1.4', 'application/pdf'],
    ['A.PDF', '%PDF-1.4', 'application/pdf'],
    ['a.jpeg', '\xff\xd8\xff\xe0', 'image/jpeg'],
    ['a.csv', 'a;b\r\n', 'text/csv'],
    ['a.csv', '\xff\xfea\0;\0', 'text/csv'],
    ['a.txt', 'MZ is no program here', 'text/plain'],
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['a.html', '<!-- c --><!DOCTYPE html><p>', 'text/html'],
    ['a.xls', '<html><table>', 'application/vnd.ms-excel'],
    ['a.xls', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/vnd.ms-excel'],
    ['a.zip', zipOf([]), 'application/zip'],
    ['a.zip', zipOf(['[Content_Types].xml']), 'application/zip'],
    ['a.pkpass', zipOf(['pass.json']), 'application/vnd.apple.pkpass'],
    ['a.heic', '\0\0\0\x18ftypheic', 'application/octet-stream'],
  ] as const)
    t.match(check(filename, bytes), { contentType: type }, filename);
  t.match(check('a.bin', '%PDF-1.4', 'application/x-own'), { contentType: 'application/x-own' });
});

t.test('a file that mail programs may run, or that is something else, is refused', async (t) => {
  for (const [filename, bytes, member] of [
    ['a.js', 'x', 'filename'],
    ['a.pdf.lnk', '%PDF-1.4', 'filename'],
    ['a.exe. .', '%PDF-1.4', 'filename'],
    ['a.exe\u200b', '%PDF-1.4', 'filename'],
    ['a.ｅｘｅ', '%PDF-1.4', 'filename'],
    ['a.exe:b.pdf', '%PDF-1.4', 'filename'],
    ['a.dotm', zipOf(['[Content_Types].xml']), 'filename'],
    ['a.pdf', 'MZ\0\0', 'content'],
    ['a.pdf', '\x7fELF', 'content'],
    ['a.txt', '\ufeff#!/usr/bin/env node', 'content'],
    ['a.zip', zipOf(['a/b.SCR']), 'content'],
    ['a.xlsx', zipOf(['[Content_Types].xml', 'xl/vbaProject.bin']), 'content'],
    ['a.zip', 'PK\x03\x04 cut off', 'content'],
    ['a.pdf', '<html>', 'filename'],
    ['a.png', '\xff\xd8\xff', 'filename'],
    ['a.docx', zipOf(['a.txt']), 'filename'],
    ['a.csv', '<!doctype html>', 'filename'],
  ] as const) {
    const of = typeof bytes === 'string' && bytes.startsWith('\ufeff') ? Buffer.from(bytes) : bytes;
    t.match(check(filename, of), { member }, filename);
  }
});

/** The extra field with another name, which some programs show instead. */
function unicodePath(name: string): Buffer {
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(5 + name.length, 2);
  field[4] = 1;
  return Buffer.concat([field, bytesOf(name)]);
}

const before = bytesOf('%PDF-1.4\n%%EOF\n');
const fine = ['a.pdf', 'b/c.png'];
const bad = ['a.pdf', 'b/run.exe'];

t.test('an archive is taken if all of its names can be read, however it is written', async (t) => {
  for (const [what, bytes] of [
    ['ZIP64', zipOf(fine, { wide: true })],
    ['ZIP64 beside a count', zipOf(fine, { wide: { narrowCount: 2 } })],
    ['a comment', zipOf(fine, { comment: bytesOf('of today') })],
    ['extra fields', zipOf(fine, { extra: unicodePath('a.txt') })],
    ['an archive within', Buffer.concat([zipOf(['in.zip'], { before: zipOf(fine) })])],
  ] as const)
    t.match(check('a.zip', bytes), { contentType: 'application/zip' }, what);
  t.match(check('a.pdf', zipOf(fine, { before })), { contentType: 'application/pdf' });
});

t.test('no way to write an archive hides an executable', async (t) => {
  for (const [what, bytes] of [
    ['ZIP64', zipOf(bad, { wide: true })],
    ['ZIP64 with another count', zipOf(bad, { wide: { narrowCount: 1 } })],
    ['no such ZIP64', zipOf(bad, { count: 0xffff })],
    ['a count that is too small', zipOf(bad, { count: 1 })],
    ['no count', zipOf(bad, { count: 0 })],
    ['a count that is too large', zipOf(fine, { count: 3 })],
    ['another name before the file', zipOf(bad, { listed: fine })],
    ['another name in the directory', zipOf(fine, { listed: bad })],
    ['a file that is not listed', zipOf(bad, { listed: ['a.pdf'] })],
    ['another name in an extra field', zipOf(fine, { extra: unicodePath('run.exe') })],
    ['a name with a NUL', zipOf(['run.exe\0.txt'])],
    ['bytes behind', Buffer.concat([zipOf(fine), bytesOf('x')])],
    ['an end within the comment', zipOf(bad, { comment: zipOf([]) })],
    ['two archives', Buffer.concat([zipOf(bad), zipOf(fine)])],
    ['two archives that both add up', zipOf(fine, { before: zipOf(bad) })],
  ] as const)
    t.match(check('a.zip', bytes), { member: 'content' }, what);
});

/** An archive of this name within another one, compressed. */
const within = (inner: Uint8Array, name = 'b/in.zip', odd: Parameters<typeof zipOf>[1] = {}) =>
  zipOf(['a.pdf', name], { contents: { [name]: inner }, ...odd });

t.test('an archive within an archive is looked into, three deep', async (t) => {
  const [good, evil] = [zipOf(fine), zipOf(bad)];
  t.notOk(within(evil).includes('run.exe'), 'only unpacking shows it');
  for (const inner of [good, within(good), Buffer.from('no archive'), Buffer.alloc(0)])
    t.match(check('a.zip', within(inner)), { contentType: 'application/zip' });
  const problemOf = (bytes: Uint8Array) => {
    const checked = check('a.zip', bytes);
    return 'problem' in checked ? checked.problem : undefined;
  };
  for (const name of ['in.zip', 'IN.ZIP', 'in.docx', 'in.zip ', 'in.zip\0.txt'])
    t.match(problemOf(within(evil, name)), /run\.exe/, name);
  t.match(problemOf(within(within(evil))), /run\.exe/);
  t.match(problemOf(within(within(within(good)))), /more than 3 deep/);
  const sheet = zipOf(['[Content_Types].xml', 'xl/vbaProject.bin']);
  t.match(problemOf(within(sheet, 'in.xlsx')), /macros/);
});

t.test('no way to pack an archive within another hides an executable', async (t) => {
  const evil = zipOf(bad);
  for (const [what, bytes] of [
    ['another name in the directory', within(evil, 'in.txt', { listed: ['a.pdf', 'in.zip'] })],
    ['another name before the file', within(evil, 'in.zip', { listed: ['a.pdf', 'in.txt'] })],
    ['not listed', within(evil, 'in.zip', { listed: ['a.pdf'] })],
    ['another name in an extra field', within(evil, 'in.txt', { extra: unicodePath('in.zip') })],
    ['stored, says its header', within(evil, 'in.zip', { method: 0 })],
    ['a password', within(evil, 'in.zip', { flags: 1 })],
    ['another compression', within(evil, 'in.zip', { method: 14 })],
    ['an inner end that does not add up', within(zipOf(bad, { count: 0 }))],
    ['bytes before the inner archive', within(Buffer.concat([before, evil]))],
    ['a broken stream', broken(within(evil))],
  ] as const)
    t.match(check('a.zip', bytes), { member: 'content' }, what);
});

/** The compressed bytes of the last file, of which the first are others. */
function broken(zip: Buffer): Buffer {
  const start = zip.indexOf('b/in.zip') + 'b/in.zip'.length;
  return Buffer.from(zip).fill(0xff, start, start + 8);
}

t.test('what unpacks to far more than the file is refused', async (t) => {
  const bomb = within(Buffer.alloc(64 * 1024 * 1024));
  t.match(check('a.zip', bomb), { member: 'content', problem: /too large/ });
  const many = Array.from({ length: 40 }, (_, i) => `${i}.zip`);
  const each = Buffer.alloc(512 * 1024);
  const contents = Object.fromEntries(many.map((name) => [name, each]));
  t.match(check('a.zip', zipOf(many, { contents })), { problem: /too large/ }, 'all together');
});

t.test('a file that is an archive, too, carries no executable either', async (t) => {
  for (const odd of [{}, { wide: true }, { listed: fine }, { comment: before }] as const) {
    const what = JSON.stringify(odd);
    t.match(check('a.pdf', zipOf(bad, { before, ...odd })), { member: 'content' }, what);
    const picture = bytesOf('\x89PNG\r\n\x1a\n');
    t.match(check('a.png', zipOf(bad, { before: picture, ...odd })), { member: 'content' }, what);
  }
  const text = bytesOf('a;b\n'.repeat(2_000));
  t.match(check('a.csv', zipOf(bad, { before: text })), { member: 'content' });
});

t.test('no bytes and no name make the check throw', async () => {
  const head = fc.constantFrom('', 'PK\x03\x04', 'PK\x05\x06', '%PDF-', 'MZ', '<html', 'RIFF');
  fc.assert(
    fc.property(head, fc.uint8Array({ maxLength: 200 }), fc.string(), (start, rest, name) => {
      const checked = check(
        name,
        Buffer.concat([bytesOf(start), rest, bytesOf('PK\x05\x06'), rest]),
      );
      return 'contentType' in checked || checked.problem.length > 0;
    }),
    { numRuns: tries(300) },
  );
});
