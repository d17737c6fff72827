// The nouns that routes declare: what an answer shows, and what a call changes. The compiler
// refuses a route with neither; this holds that both sides speak of the same things.

import t from 'tap';
import { routes } from '../../../http/routes/index.ts';

/** Nouns that no route changes, and what does. */
const movedByOthers: Readonly<Record<string, string>> = {
  'audit-entry': 'every change of an org writes it',
  'bulk-change': 'it goes on by itself',
  usage: 'it counts what is sent and who is kept',
};

/** As a reader finds it. */
const label = ({ method, path }: (typeof routes)[number]) => `${method} ${path}`;

t.test('a GET says what it reads, and a call that must change something says what', async (t) => {
  t.strictSame(
    routes.filter(({ method, reads }) => method === 'GET' && reads === undefined).map(label),
    [],
  );
  const changing = routes.filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method));
  t.strictSame(changing.filter(({ changes = [] }) => changes.length === 0).map(label), []);
  t.strictSame(
    routes.filter(({ creates, changes = [] }) => creates !== undefined && changes.length === 0),
    [],
  );
});

t.test('what is read is changed by something, and what is changed is read', async (t) => {
  const read = new Set(routes.flatMap(({ reads = [] }) => reads));
  const changed = new Set(routes.flatMap(({ changes = [] }) => changes));
  t.strictSame(
    [...read].filter((noun) => !changed.has(noun) && movedByOthers[noun] === undefined),
    [],
  );
  t.strictSame(
    [...changed].filter((noun) => !read.has(noun)),
    [],
  );
  t.strictSame(
    Object.keys(movedByOthers).filter((noun) => changed.has(noun as never)),
    [],
    'no longer needed',
  );
});

t.test('a noun is named once', async (t) => {
  const twice = routes.filter(({ reads = [], changes = [] }) =>
    [reads, changes].some((nouns) => new Set(nouns).size < nouns.length),
  );
  t.strictSame(twice.map(label), []);
});
