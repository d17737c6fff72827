// Who lives, whose clock is wrong, and whose name is taken.

import t from 'tap';
import type { Beat } from '../../../engine/cluster/beat.ts';
import { Members, type MemberTrouble } from '../../../engine/cluster/members.ts';

const joiningMs = 2_000;

interface Clocks {
  monotonicMs: number;
  wallOffMs: number;
}

function member(name: string, instance: number, clocks: Clocks) {
  const told: MemberTrouble[] = [];
  const members = new Members({
    self: { name, instance, address: '', zone: 'z', version: '1', level: 1 },
    monotonic: () => clocks.monotonicMs,
    wall: () => 1_700_000_000_000 + clocks.monotonicMs + clocks.wallOffMs,
    onTrouble: (trouble) => told.push(trouble),
  });
  const say = (): Beat => members.say({ isDraining: false, planVersion: 0, copies: [] });
  return { members, told, say, clocks };
}

type One = ReturnType<typeof member>;

const clocks = (wallOffMs = 0): Clocks => ({ monotonicMs: 0, wallOffMs });

/** Everyone ticks, speaks and hears for so long. */
function pass(all: readonly One[], ms: number, mute: readonly One[] = []): void {
  for (let step = 0; step < ms; step += 500) {
    for (const { clocks } of all) clocks.monotonicMs += 500;
    for (const { members } of all) members.tick();
    for (const one of all)
      if (!mute.includes(one)) {
        const beat = one.say();
        for (const other of all) if (other !== one) other.members.hear(beat);
      }
  }
}

function three(...wallsOffMs: readonly number[]): [One, One, One] {
  const one = (name: string, at: number) => member(name, at + 1, clocks(wallsOffMs[at]));
  const all: [One, One, One] = [one('a', 0), one('b', 1), one('c', 2)];
  pass(all, joiningMs + 1_000);
  return all;
}

const isLive = (by: One, name: string) => by.members.of(name)?.isLive;

t.test('a member is dead after three seconds of silence, and lives when it is heard', async (t) => {
  const [a, b, c] = three();
  t.ok(isLive(a, 'b') && isLive(a, 'c'));
  pass([a, b, c], 2_500, [c]);
  t.ok(isLive(a, 'c'));
  pass([a, b, c], 500, [c]);
  t.notOk(isLive(a, 'c'));
  t.equal(a.members.stateOf(3), 'dead');
  pass([a, b, c], 500);
  t.ok(isLive(a, 'c'));
});

t.test('whoever hears nobody and can write nothing calls nobody dead', async (t) => {
  const [a, b, c] = three();
  pass([a, b, c], 60_000, [b, c]);
  t.ok(isLive(a, 'b') && isLive(a, 'c'));
  t.notOk(a.members.isConnected);
  a.members.proved();
  t.ok(a.members.isConnected);
  t.notOk(isLive(a, 'b'), 'the log took something: the others are silent, not this one cut off');
});

t.test('a process that was stopped has not heard for as long, and calls nobody dead', async (t) => {
  const [a, b, c] = three();
  a.clocks.monotonicMs += 60_000;
  a.members.tick();
  a.members.proved();
  t.ok(isLive(a, 'b') && isLive(a, 'c'), 'of a minute asleep it counts a second');
  pass([a, b, c], 1_000);
  t.ok(isLive(a, 'b') && isLive(a, 'c'));
});

t.test('a process that follows another of its name shows that this one is dead', async (t) => {
  const [a, b, c] = three();
  const last = c.say();
  const again = member('c', 9, clocks());
  const all = [a, b, again];
  pass(all, 1_000);
  t.equal(a.members.stateOf(3), 'live', 'while it only listens it shows nothing');
  pass(all, 1_500);
  t.equal(a.members.stateOf(3), 'dead');
  t.equal(a.members.stateOf(9), 'live');
  a.members.hear(last);
  t.equal(a.members.of('c')?.beat.member.instance, 9, 'a late beat of a dead process is nothing');
  t.same(a.told, []);
  t.equal(again.members.isNameTaken, false);
});

t.test('a process that starts under a name that is taken ends, and says so', async (t) => {
  const all = three();
  for (const instance of [1.5, 99]) {
    const second = member('c', instance, clocks(all[0].clocks.monotonicMs));
    pass([...all, second], joiningMs + 1_000);
    t.ok(second.members.isNameTaken, 'the one that joins goes, whatever its number');
    t.notOk(second.members.hasJoined);
    t.match(second.told, [{ kind: 'name_taken', name: 'c', isOurs: true }]);
  }
  t.notOk(all[2].members.isNameTaken);
  t.match(all[2].told, [{ kind: 'name_taken', name: 'c', isOurs: false }]);
});

t.test('of two with one name that could not hear each other, one ends', async (t) => {
  const [a] = three();
  const [one, two] = [member('x', 7, clocks()), member('x', 8, clocks())];
  pass([one], joiningMs + 500);
  pass([two], joiningMs + 500);
  t.ok(one.members.hasJoined && two.members.hasJoined);
  pass([a, one, two], 1_500);
  t.same(
    [one, two].map(({ members }) => members.isNameTaken),
    [false, true],
  );
});

t.test('beats that are late, doubled or out of order change nothing', async (t) => {
  const [a, b] = three();
  const [first, second] = [b.say(), { ...b.say(), isDraining: true }];
  a.members.hear(second);
  a.members.hear(first);
  a.members.hear(second);
  t.equal(a.members.of('b')?.beat.isDraining, true);
});

t.test('a clock is wrong if more than half of the others say so', async (t) => {
  for (const [offMs, isAlarming, isWrong] of [
    [0, false, false],
    [499, false, false],
    [600, true, false],
    [4_999, true, false],
    [5_000, true, true],
    [-90_000, true, true],
  ] as const) {
    const [a, b, c] = three(0, 0, offMs);
    t.equal(c.members.isClockWrong, isWrong, `${offMs} ms`);
    t.equal(c.told.length, isAlarming ? 1 : 0);
    for (const one of [a, b]) {
      t.equal(one.members.skewMs, 0, 'of the others, one differs');
      t.same(one.told, []);
    }
  }
});

t.test('a clock that jumps is wrong until it is set right', async (t) => {
  const [a, b, c] = three();
  c.clocks.wallOffMs = 3_600_000;
  t.ok(c.members.isClockWrong, 'at once: it compares by what it heard before');
  t.notOk(a.members.isClockWrong);
  pass([a, b, c], 10_000);
  t.ok(c.members.isClockWrong);
  t.notOk(a.members.isClockWrong);
  c.clocks.wallOffMs = 0;
  pass([a, b, c], 5_000);
  t.notOk(c.members.isClockWrong);
});

t.test('a member that died is still a witness of the time', async (t) => {
  const [a, b, c] = three(0, 0, 60_000);
  pass([b, c], 10_000);
  t.ok(c.members.isClockWrong);
  t.notOk(b.members.isClockWrong);
  t.equal(isLive(b, a.say().member.name), false);
});
