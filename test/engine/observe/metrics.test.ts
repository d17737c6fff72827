import t from 'tap';
import { addDurations, noDurations, noteDuration } from '../../../engine/observe/durations.ts';
import { Metrics } from '../../../engine/observe/metrics.ts';
import { lint, readPrometheus } from '../../support/prometheus-text.ts';

t.test('a value is in the first bucket whose bound it does not exceed', (t) => {
  const durations = noDurations([1, 10]);
  for (const ms of [0, 1, 1.5, 10, 10.5, 1e9]) noteDuration(durations, ms);
  t.strictSame(durations.counts, [2, 2, 2]);
  const sum = noDurations([1, 10]);
  addDurations(sum, durations);
  addDurations(sum, structuredClone(durations));
  t.strictSame([sum.counts, sum.sumMs], [[4, 4, 4], 2 * durations.sumMs]);
  t.end();
});

t.test(
  'a histogram of this thread and one of other threads read as Prometheus wants',
  async (t) => {
    const boundsMs = [5, 2_500];
    const metrics = new Metrics([
      { name: 'own_seconds', help: 'Seconds.', kind: 'histogram', labels: ['lane'], boundsMs },
      { name: 'their_seconds', help: 'Seconds.', kind: 'histogram', boundsMs },
    ]);
    for (const ms of [5, 3_000]) metrics.observe('own_seconds', { lane: 'a' }, ms);
    metrics.observe('own_seconds', { lane: 'b "\\' }, 1);
    const theirs = noDurations(boundsMs);
    noteDuration(theirs, 40);
    for (let scrape = 0; scrape < 2; scrape++) metrics.setDurations('their_seconds', {}, theirs);
    const { body } = await metrics.text();
    const families = readPrometheus(body);
    t.strictSame(families.flatMap(lint), []);
    const own = families.find(({ name }) => name === 'own_seconds');
    t.strictSame(
      own?.samples.filter(({ labels }) => labels['lane'] === 'a').map(({ value }) => value),
      [1, 1, 2, 3.005, 2],
    );
    t.match(body, 'their_seconds_bucket{le="2.5"} 1\n');
    t.match(body, 'their_seconds_count 1\n');
  },
);

t.test('the check of names finds what promtool finds', (t) => {
  const text = (name: string, type: string) =>
    `# HELP ${name} X.\n# TYPE ${name} ${type}\n${name} 1\n`;
  for (const [name, type] of [
    ['a_seconds_sum', 'counter'],
    ['a_count', 'counter'],
    ['requests', 'counter'],
    ['depth_total', 'gauge'],
    ['window_hours', 'gauge'],
    ['size_bytes', 'gauge'],
  ] as const)
    t.not(readPrometheus(text(name, type)).flatMap(lint).length, 0, name);
  t.strictSame(readPrometheus(text('depth', 'gauge')).flatMap(lint), []);
  t.throws(() => readPrometheus('depth{a=b} 1\n'));
  t.end();
});
