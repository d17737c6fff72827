// Renders of a 360-character body with five outputs and two filters: the fast path, our liquidjs,
// and plain liquidjs in one run. Only the ratios mean anything.
// Run: node --import=tsx bench/render.ts

import { Liquid } from 'liquidjs';
import { acceptContent } from '../actors/content/accept/accept-content.ts';
import { renderContext } from '../actors/content/liquid/context.ts';
import { compile, render, renderSlowly } from '../actors/content/liquid/render.ts';
import { renderContent } from '../actors/content/render/render-message.ts';

const source =
  'Hi {{ first_name | default: "there" }}, your order {{ order_id }} of {{ amount }} {{ currency }} has shipped. Track it at https://example.com/t/{{ tracking | upcase }} any time. Thank you for shopping with us, we hope to see you again soon! Reply STOP to opt out. If you have any question our team is here for you, every day from 9 to 18. Have a very nice day.'.slice(
    0,
    360,
  );
const tags = { first_name: 'Anna', currency: 'SGD' };
const variables = { order_id: 'A-10293', amount: '129.50', tracking: 'sf99812x' };
const context = renderContext({ id: 'sub_1', tags }, { name: 'Shop' }, variables);
const options = { mode: 'strict', nowMs: 0 } as const;

function compiled(escaping: 'none' | 'html') {
  const template = compile(source, escaping);
  if ('problem' in template) throw new Error(template.problem);
  return template;
}

const plain = compiled('none');
const html = compiled('html');
const liquid = new Liquid({ strictFilters: true, strictVariables: true, ownPropertyOnly: true });
const nodes = liquid.parse(source);
const flat = { ...tags, ...variables };

const accepted = acceptContent(
  {
    title: 'Order {{ order_id }}',
    body: source,
    data: { order: '{{ order_id }}' },
    ttlSeconds: 60,
  },
  'transactional',
);
if ('fault' in accepted) throw new Error(accepted.fault.message);
const { content } = accepted;

let sink = 0;
const cases: readonly (readonly [string, number, () => void])[] = [
  ['liquidjs, cached template', 20_000, () => (sink += liquid.renderSync(nodes, flat).length)],
  [
    'ours through liquidjs',
    20_000,
    () => (sink += JSON.stringify(renderSlowly(plain, context, options)).length),
  ],
  ['fast path, plain', 400_000, () => (sink += length(render(plain, context, options)))],
  ['fast path, HTML', 400_000, () => (sink += length(render(html, context, options)))],
  [
    'fast path with look-up and a fresh context',
    400_000,
    () => {
      const template = compile(source);
      if ('problem' in template) throw new Error(template.problem);
      const one = renderContext({ id: 'sub_1', tags }, { name: 'Shop' }, variables);
      sink += length(render(template, one, options));
    },
  ],
  [
    'a whole message: title, body, data, options',
    100_000,
    () => {
      const answer = renderContent(content, context, {
        lane: 'transactional',
        email: false,
        nowMs: 0,
      });
      sink += 'rendered' in answer ? answer.rendered.plain.body.length : 0;
    },
  ],
];

function length(result: ReturnType<typeof render>): number {
  return 'text' in result ? result.text.length : 0;
}

let baseline = 0;
for (const [name, count, once] of cases) {
  for (let i = 0; i < count / 4; i++) once();
  const rates: number[] = [];
  for (let round = 0; round < 7; round++) {
    const start = performance.now();
    for (let i = 0; i < count; i++) once();
    rates.push((count * 1000) / (performance.now() - start));
  }
  rates.sort((a, b) => a - b);
  const rate = rates[3] ?? 0;
  baseline ||= rate;
  const perSecond = Math.round(rate).toLocaleString('en').padStart(12);
  console.log(`${name.padEnd(44)}${perSecond}/s  x${(rate / baseline).toFixed(1)}`);
}
if (sink === 0) throw new Error('nothing was rendered');
