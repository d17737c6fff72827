// Curves of a forecast, as paths.

import t from 'tap';
import { startOf } from '../../dashboard/screens/activity/since.ts';
import { snippetKinds, snippetOf } from '../../dashboard/screens/events/snippet-text.ts';
import { curvePath } from '../../dashboard/screens/journeys/curve-path.ts';

t.test('a curve goes from the left to the right edge, and stays inside', async (t) => {
  t.equal(curvePath([0, 4, 2], 4, 80, 20), 'M0 19L40 1L80 10');
  t.equal(curvePath([3], 3, 80, 20), 'M0 1H80', 'one day is a level line');
  t.equal(curvePath([], 1, 80, 20), '', 'no day, no line');
});

t.test('a snippet with a quote in a name stays one word of the shell', async (t) => {
  const named = { origin: 'http://x', appId: 'app_1', name: "it's" };
  for (const kind of snippetKinds) t.match(snippetOf(kind, named), 'it');
  t.match(snippetOf('curl', named), "it'\\''s");
  t.match(snippetOf('javascript', named), '"it\'s"');
});

t.test('a period begins at a whole minute, so that its list keeps its name', async (t) => {
  const nowMs = Date.parse('2026-11-24T12:00:45.500Z');
  t.equal(startOf('1h', nowMs), '2026-11-24T11:00:00.000Z');
  t.equal(startOf('7d', nowMs), startOf('7d', nowMs + 10_000));
});
