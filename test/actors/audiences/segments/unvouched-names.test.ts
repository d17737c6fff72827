import t from 'tap';
import { segmentsOfApp } from '../../../../actors/audiences/segments/memory.ts';
import { UnvouchedNames } from '../../../../actors/audiences/segments/unvouched-names.ts';
import { limits } from '../../../../actors/limits.ts';

const nothing = new Map<string, unknown>();
const many = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

t.test('only what nobody with a key used counts, in the order of its last use', async (t) => {
  const names = new UnvouchedNames();
  names.noteEvents(['a', 'b', 'session', 'known'], new Map([['known', 0]]), true);
  names.noteEvents(['a'], nothing, true);
  t.same([...names.events], ['b', 'a'], 'beacons and known names are not strangers’');
  names.noteEvents(['b'], nothing, false);
  t.same([...names.events], ['a']);
  names.noteTags({ plan: 'pro', gone: null }, nothing, true);
  t.same([...names.tags], ['plan']);
  names.noteTags({ plan: 'free' }, nothing, false);
  t.same([...names.tags], []);
});

t.test('a trim is due above the bound, and not again before names were brought', async (t) => {
  const names = new UnvouchedNames();
  names.noteEvents(many('a', limits.namesKeylessMax), nothing, true);
  t.notOk(names.isTrimDue);
  names.noteEvents(['one more'], nothing, true);
  t.ok(names.isTrimDue);
  const copy = UnvouchedNames.restore(names.snapshot());
  t.same([...copy.events], [...names.events]);
  t.ok(copy.isTrimDue);
  names.trimmed();
  t.notOk(names.isTrimDue);
});

t.test('an app from before this was noted has vouched for all its names', async (t) => {
  const { unvouched: _, ...older } = segmentsOfApp.snapshot(segmentsOfApp.make({} as never));
  t.same([...segmentsOfApp.restore(older, {} as never).unvouched.events], []);
});
