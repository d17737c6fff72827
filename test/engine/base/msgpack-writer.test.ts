import '../../../engine/base/plain-msgpack.ts';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import t from 'tap';
import { MsgpackWriter } from '../../../engine/base/msgpack-writer.ts';

const packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true, moreTypes: true });

function write(writer: MsgpackWriter, value: unknown): void {
  if (value === null) writer.nil();
  else if (typeof value === 'boolean') writer.boolean(value);
  else if (typeof value === 'number') writer.number(value);
  else if (typeof value === 'string') writer.string(value);
  else if (Array.isArray(value)) {
    writer.array(value.length);
    for (const item of value) write(writer, item);
  } else {
    const members = Object.entries(value as object);
    writer.map(members.length);
    for (const [key, member] of members) {
      writer.string(key);
      write(writer, member);
    }
  }
}

const edges = [31, 32, 255, 256, 65_535, 65_536, 0x7f, 0x80, 0xffffffff, 0x100000000, -1, -32, -33]
  .concat([-128, -129, -32_768, -32_769, -0x80000000, -0x80000001, 0.5, 1e300, Date.now()])
  .flatMap((number) => [number, number + 1, number - 1]);

t.test('writes what msgpackr packs', async (t) => {
  const text = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(...[31, 32, 255, 256, 300, 70_000].map((length) => 'é'.repeat(length))),
    fc.constantFrom(...[31, 32, 255, 256, 300, 70_000].map((length) => 'a'.repeat(length))),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      text,
      fc.constantFrom(...edges),
      fc.double({ noNaN: true }).filter((number) => !Object.is(number, -0)),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 20 }),
      fc.dictionary(fc.string(), tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), (values) => {
      const writer = new MsgpackWriter();
      for (const one of values) {
        const from = writer.length;
        write(writer, one);
        const again = writer.length;
        writer.written(packr.pack(one));
        t.ok(writer.bytes.subarray(from, again).equals(writer.bytes.subarray(again)));
        writer.cutTo(again);
        t.ok(writer.bytes.subarray(from).equals(packr.pack(one)));
      }
      const whole = writer.length;
      writer.string('dropped');
      writer.cutTo(whole);
      t.equal(writer.bytes.length, whole);
    }),
  );
});

t.test('a text comes from its bytes as it does from its characters', async (t) => {
  for (const length of [0, 1, 31, 32, 33, 255, 256, 65_535]) {
    const bytes = Buffer.from(`<${'a'.repeat(length)}>`);
    const [one, other] = [new MsgpackWriter(), new MsgpackWriter()];
    one.text(bytes, 1, 1 + length);
    other.string('a'.repeat(length));
    t.ok(one.bytes.equals(other.bytes), `${length} bytes`);
  }
});
