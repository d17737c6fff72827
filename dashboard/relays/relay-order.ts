// The numbers that put a relay at another place among the others. As few change as can: each change
// is a call of its own, and every list between two of them is one that somebody may send by.

const orderMax = 1_000;

interface Ordered {
  readonly id: string;
  readonly order: number;
}

/**
 * `relays`: in their order. Moves the one at `from` to `to`. Returns the relays with a new number,
 * and that number.
 */
export function ordersAfter<Relay extends Ordered>(
  relays: readonly Relay[],
  from: number,
  to: number,
): readonly (readonly [relay: Relay, order: number])[] {
  const moved = relays[from];
  if (moved === undefined || from === to || to < 0 || to >= relays.length) return [];
  const rest = relays.toSpliced(from, 1);
  const before = rest[to - 1]?.order ?? 0;
  const after = rest[to]?.order ?? orderMax + 1;
  // After what comes before it, unless the next one has that number already.
  if (before + 1 < after) return [[moved, before + 1]];
  return rest
    .toSpliced(to, 0, moved)
    .flatMap((relay, at) => (relay.order === at + 1 ? [] : [[relay, at + 1] as const]));
}
