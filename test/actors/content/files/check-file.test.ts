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
