import t from 'tap';
import { RouteTree } from '../../../http/call/match.ts';
import type { route } from '../../../http/call/route.ts';

const routes = [
  ['GET', '/things'],
  ['GET', '/things/:id'],
  ['DELETE', '/things/:id'],
  ['POST', '/things/:id/test'],
  ['PUT', '/things/special'],
  ['GET', '/things/special/parts/:part'],
].map(([method, path]) => Object.assign(Object.create(null), { method, path }));
const tree = new RouteTree(routes as ReturnType<typeof route>[]);

const found = (method: string, path: string) => {
  const matched = tree.match(method, path);
  return matched.kind === 'found'
    ? [matched.route.path, matched.params]
    : matched.kind === 'method'
      ? [...matched.allowed].sort()
      : undefined;
};

t.test('a fixed segment beats a parameter, as far as it has the method', async (t) => {
  t.same(found('PUT', '/things/special'), ['/things/special', {}]);
  t.same(found('GET', '/things/special'), ['/things/:id', { id: 'special' }]);
  t.same(found('HEAD', '/things/special'), ['/things/:id', { id: 'special' }]);
  t.same(found('DELETE', '/things/special'), ['/things/:id', { id: 'special' }]);
  t.same(found('POST', '/things/special/test'), ['/things/:id/test', { id: 'special' }]);
  t.same(found('GET', '/things/special/parts/a%20b'), [
    '/things/special/parts/:part',
    { part: 'a b' },
  ]);
});

t.test('a path without the method says which methods it has, all of them', async (t) => {
  t.same(found('PATCH', '/things/special'), ['DELETE', 'GET', 'PUT']);
  t.same(found('PATCH', '/things/1'), ['DELETE', 'GET']);
  t.same(found('GET', '/things/1/test'), ['POST']);
});

t.test('what is not there is not there', async (t) => {
  for (const path of ['/', '/thing', '/things/', '/things/1/', '/things/1/x', '/things/%ff'])
    t.equal(found('GET', path), undefined, path);
  t.equal(found('GET', '/things/special/parts'), undefined);
});
