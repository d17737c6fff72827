import t from 'tap';
import { TurnRoom } from '../../../engine/actor/turn-room.ts';

t.test(
  'what is taken in one turn never overlaps, also when the room is too small for it',
  async (t) => {
    const room = new TurnRoom();
    for (let turn = 0; turn < 5; turn++) {
      room.clear();
      const taken = Array.from({ length: 20 }, (_, i) => room.take(1 + i * 100).fill(i));
      for (const [i, bytes] of taken.entries()) {
        t.equal(bytes.length, 1 + i * 100);
        t.ok(bytes.every((byte) => byte === i));
      }
    }
  },
);

t.test('a turn that had too little leaves enough to the next, within a bound', async (t) => {
  const room = new TurnRoom();
  room.take(100_000);
  room.clear();
  const first = room.take(60_000);
  t.equal(room.take(60_000).buffer, first.buffer);
  room.take(8 * 1024 * 1024);
  room.clear();
  t.equal(room.take(1).buffer.byteLength, 2 * 1024 * 1024);
});
