// The board and the alert rules in deploy/ speak of metrics that exist, with their labels, and the
// operations page explains every alert. `promtool check rules` judges the expressions; by hand.

import { readFileSync } from 'node:fs';
import t from 'tap';
import { metricRows } from '../actors/runtime/metrics.ts';
import { fileAt } from './support/places.ts';

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const read = (path: string) => readFileSync(fileAt(path), 'utf8');
const board: { readonly panels: readonly Panel[] } = JSON.parse(read('deploy/grafana/engage.json'));
const rules = read('deploy/prometheus/alerts.yml');
const operations = read('docs/OPERATIONS.md');

/** A histogram is asked for by its buckets alone. */
const labels = new Map(
  metricRows.map(({ name, kind, labels = [] }) =>
    kind === 'histogram' ? [`${name}_bucket`, [...labels, 'le']] : [name, [...labels]],
  ),
);

/** What is wrong with an expression's names. */
function problems(expr: string): string[] {
  const found: string[] = [];
  for (const [, name = '', selector = ''] of expr.matchAll(/(engage_[a-z_]+)(?:\{([^}]*)\})?/g)) {
    const known = labels.get(name);
    if (known === undefined) found.push(`there is no ${name}`);
    for (const [, label = ''] of selector.matchAll(/([a-z_]+)(?:=~|!=|=)/g))
      if (!known?.includes(label)) found.push(`${name} has no label ${label}`);
  }
  const all = [...expr.matchAll(/engage_[a-z_]+/g)].flatMap(([name]) => labels.get(name) ?? []);
  for (const [, list = ''] of expr.matchAll(/by \(([^)]*)\)/g))
    for (const label of list.split(/, */))
      if (!all.includes(label)) found.push(`nothing in ${expr} has the label ${label}`);
  return found;
}

t.test('every metric and label of the board exists', (t) => {
  const targets = board.panels.flatMap(({ targets = [] }) => targets);
  t.strictSame(
    targets.flatMap(({ expr }) => problems(expr)),
    [],
  );
  t.strictSame(
    targets.flatMap(({ expr, legendFormat }) =>
      [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]
        .map(([, label = '']) => label)
        .filter((label) => !expr.includes(label) && !isOwn(expr, label)),
    ),
    [],
    'and each label in a legend is in its expression',
  );
  t.end();
});

/** Of a metric that is shown as it is, or a label of Prometheus' own. */
function isOwn(expr: string, label: string): boolean {
  return labels.get(expr)?.includes(label) === true || label === 'instance';
}

t.test('the panels of the board do not overlap', (t) => {
  const taken = new Set<string>();
  const problems: string[] = [];
  for (const { title, gridPos } of board.panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        if (taken.has(`${x}/${y}`) || x >= 24) problems.push(`${title} at ${x}/${y}`);
        taken.add(`${x}/${y}`);
      }
  t.strictSame(problems, []);
  t.end();
});

t.test('every alert asks for metrics that exist, and the operations page explains it', (t) => {
  const alerts = rules.split('- alert: ').slice(1);
  t.ok(alerts.length > 20);
  for (const alert of alerts) {
    const [name = ''] = alert.split('\n');
    const expr = /expr: >-\n((?: {10}.*\n)+)/.exec(alert)?.[1] ?? '';
    t.not(expr, '', `${name} has an expression`);
    t.strictSame(problems(expr.replace(/\s+/g, ' ')), [], name);
    const severity = /severity: (page|ticket|info)/.exec(alert)?.[1];
    t.ok(operations.includes(`| \`${name}\` | ${severity} |`), `${name} is explained`);
    t.match(alert, /summary: '/, name);
  }
  const explained = [...operations.matchAll(/^\| `(Engage\w+)` \|/gm)].map(([, name]) => name);
  t.strictSame(
    explained,
    alerts.map((alert) => alert.split('\n')[0]),
  );
  t.end();
});
