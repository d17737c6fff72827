import t from 'tap';
import { SharedHolds, sharedHoldsBytes } from '../../../engine/thread/shared-holds.ts';

t.test(
  'threads see a hold until its end, until it is lifted, or until the clock goes back',
  async (t) => {
    const buffer = new SharedArrayBuffer(sharedHoldsBytes);
    const [one, other] = [new SharedHolds(buffer), new SharedHolds(buffer)];
    let nowMs = Date.UTC(2026, 0, 1);
    const now = () => nowMs;
    const place = SharedHolds.placeOf('7|fcm');
    const isHeld = () => other.isHeld(place, now, 1_000);
    t.equal(isHeld(), false);
    one.hold(place, nowMs + 1_000);
    t.equal(isHeld(), true);
    nowMs += 999;
    t.equal(isHeld(), true);
    nowMs += 1;
    t.equal(isHeld(), false);
    one.hold(place, nowMs + 1_000);
    other.lift(place);
    t.equal(one.isHeld(place, now, 1_000), false);
    one.hold(place, nowMs + 1_000);
    nowMs -= 60_000;
    t.equal(isHeld(), false, 'the clock was set back');
    nowMs += 60_000;
    t.equal(isHeld(), false, 'and it is forgotten');
  },
);

t.test('a hold may end where its 32 bits are zero', async (t) => {
  const holds = new SharedHolds();
  const endMs = 500 * 2 ** 32;
  holds.hold(3, endMs);
  t.equal(
    holds.isHeld(3, () => endMs - 10, 1_000),
    true,
  );
  t.equal(
    holds.isHeld(3, () => endMs + 10, 1_000),
    false,
  );
});
