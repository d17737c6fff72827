// Virtual time and the trace: what makes two runs of a seed the same run.

import t from 'tap';
import { Timeline } from './timeline.ts';
import { Trace } from './trace.ts';

t.test('events run by time, and those of one instant in the order they were planned', (t) => {
  const timeline = new Timeline();
  const seen: string[] = [];
  timeline.after(5, () => seen.push('c'));
  timeline.after(1, () => {
    seen.push('a');
    timeline.after(4, () => seen.push('d'));
    timeline.after(-3, () => seen.push('b'));
  });
  while (timeline.step());
  t.same(seen, ['a', 'b', 'c', 'd']);
  t.equal(timeline.nowMs, 5);
  t.equal(timeline.nextMs, Number.POSITIVE_INFINITY);
  t.end();
});

t.test(
  'a trace has the same hash for the same lines, and another for the same lines in another order',
  (t) => {
    const traced = (...lines: string[]) => {
      const trace = new Trace();
      for (const [index, line] of lines.entries()) trace.add(index, line);
      return trace.hash;
    };
    t.equal(traced('a', 'b'), traced('a', 'b'));
    t.not(traced('a', 'b'), traced('b', 'a'));
    t.end();
  },
);

t.test('a trace keeps its newest thirty lines, oldest first', (t) => {
  const trace = new Trace();
  for (let i = 0; i < 75; i++) trace.add(i, `line ${i}`);
  t.equal(trace.newest.length, 30);
  t.match(trace.newest[0], /line 45$/);
  t.match(trace.newest[29], /line 74$/);
  t.end();
});
