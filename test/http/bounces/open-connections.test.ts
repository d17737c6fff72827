import t from 'tap';
import { OpenConnections } from '../../../http/bounces/open-connections.ts';

function scene() {
  const connections = new OpenConnections();
  const destroyed: string[] = [];
  let port = 0;
  const enter = (address: string) => {
    const peer = `${address} ${++port}`;
    const socket = { destroy: () => void destroyed.push(peer) as never };
    return { peer, isIn: connections.enter(peer, address, new Map([[peer, socket]])) };
  };
  return { connections, destroyed, enter };
}

t.test('an address has eight connections, and a /48 has 32', async (t) => {
  const { connections, enter } = scene();
  const own = Array.from({ length: 9 }, () => enter('198.51.100.1'));
  t.same(
    own.map(({ isIn }) => isIn),
    [true, true, true, true, true, true, true, true, false],
  );
  connections.leave(own[0]?.peer ?? '');
  t.ok(enter('198.51.100.1').isIn);
  const ofSite = Array.from({ length: 40 }, (_, n) => enter(`2001:db8:1:${n.toString(16)}::1`));
  t.equal(ofSite.filter(({ isIn }) => isIn).length, 32);
  t.ok(enter('2001:db8:2::1').isIn, 'another site');
});

t.test('strangers who stay connected do not keep a bounce out', async (t) => {
  const { connections, destroyed, enter } = scene();
  const strangers = Array.from({ length: 64 }, (_, n) => enter(`198.51.100.${n}`));
  connections.useful(strangers[0]?.peer ?? '');
  const bounce = enter('203.0.113.1');
  t.ok(bounce.isIn);
  t.same(destroyed, [strangers[1]?.peer], 'the oldest that has named no address of ours');
  t.equal(connections.size, 64);
  for (const { peer } of strangers) connections.useful(peer);
  connections.useful(bounce.peer);
  t.notOk(enter('203.0.113.2').isIn, 'all places are in use for mail');
  connections.leave(bounce.peer);
  t.ok(enter('203.0.113.2').isIn);
});
