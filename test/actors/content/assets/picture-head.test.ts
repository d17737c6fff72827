import fc from 'fast-check';
import t from 'tap';
import { readPictureHead } from '../../../../actors/content/assets/picture-head.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const png = hex('89504e470d0a1a0a 0000000d 49484452 00000140 000000f0 08060000 00');
const gif = hex('474946383961 4001 f000 800000');
// A segment of a camera, a table, and the frame.
const jpeg = hex(
  'ffd8 ffe0 0004 4a46 ffdb 0003 00 ff ffc2 0011 08 00f0 0140 03 000000 000000 000000',
);
const riff = (chunk: string) => hex(`52494646 00000000 57454250 ${chunk}`);
const lossy = riff('56503820 00000000 000000 9d012a 4001 f000 0000');
const lossless = riff('5650384c 00000000 2f 3fc13b00 0000000000');
const extended = riff('56503858 0000000a 00000000 3f0100 ef0000');

const size = { width: 320, height: 240 };
for (const [name, bytes, type] of [
  ['PNG', png, 'image/png'],
  ['GIF', gif, 'image/gif'],
  ['progressive JPEG behind other segments', jpeg, 'image/jpeg'],
  ['lossy WebP', lossy, 'image/webp'],
  ['lossless WebP', lossless, 'image/webp'],
  ['extended WebP', extended, 'image/webp'],
] as const)
  t.test(`a ${name} is known by its content`, async (t) => {
    t.same(readPictureHead(bytes), { type, ...size });
    const within = Buffer.concat([Buffer.alloc(7), bytes]).subarray(7);
    t.same(readPictureHead(within), { type, ...size }, 'as a part of a larger buffer, too');
    for (let end = 0; end < 10; end++) t.equal(readPictureHead(bytes.subarray(0, end)), undefined);
  });

t.test('any bytes are a picture or none, and never an error', async (t) => {
  const starts = [png, gif, jpeg, lossy, lossless, extended].map((one) => one.subarray(0, 16));
  fc.assert(
    fc.property(fc.constantFrom(...starts, Buffer.alloc(0)), fc.uint8Array(), (start, rest) => {
      const head = readPictureHead(Buffer.concat([start, rest]));
      if (head !== undefined && (head.width <= 0 || head.height <= 0)) t.fail('without a size');
    }),
  );
  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7', 'BM'])
    t.equal(readPictureHead(Buffer.from(text.padEnd(64))), undefined, text);
});
