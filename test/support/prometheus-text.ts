// Prometheus' text format, read by its grammar, and the checks of `promtool check metrics`.
// Sources: prometheus.io/docs/instrumenting/exposition_formats and client_golang's promlint.

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

const sampleForm =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\+Inf|-Inf|NaN|[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)(?: -?\d+)?$/;
const labelForm = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/** Throws for a line outside the grammar, and for lines of a family that are apart. */
export function readPrometheus(text: string): readonly Family[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, { help?: string; type?: string; samples: Sample[] }>();
  let current = '';
  const open = (name: string) => {
    if (name !== current && families.has(name)) throw new Error(`${name} comes in two places`);
    current = name;
    const family = families.get(name) ?? { samples: [] };
    families.set(name, family);
    return family;
  };
  for (const line of text.split('\n')) {
    const meta = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (meta !== null) {
      const [, kind, name = '', rest = ''] = meta;
      const family = open(name);
      if (kind === 'HELP') family.help = rest;
      else if (/^(counter|gauge|histogram|summary|untyped)$/.test(rest)) family.type = rest;
      else throw new Error(`${name} has the type ${rest}`);
      continue;
    }
    if (line === '' || line.startsWith('#')) continue;
    const sample = sampleOf(line);
    const owner = families.get(current);
    const isOwn =
      sample.name === current ||
      (owner?.type === 'histogram' &&
        /^_(bucket|sum|count)$/.test(sample.name.slice(current.length)));
    if (owner === undefined || !isOwn) throw new Error(`${sample.name} has no HELP and TYPE`);
    owner.samples.push(sample);
  }
  return [...families].map(([name, { help = '', type = '', samples }]) => {
    return { name, help, type, samples };
  });
}

function sampleOf(line: string): Sample {
  const match = sampleForm.exec(line);
  if (match === null) throw new Error(`not a sample: ${line}`);
  const [, name = '', inside = '', value] = match;
  const labels: Record<string, string> = {};
  labelForm.lastIndex = 0;
  while (labelForm.lastIndex < inside.length) {
    const label = labelForm.exec(inside);
    if (label === null) throw new Error(`not labels: ${line}`);
    if (label[1] !== undefined && label[1] in labels) throw new Error(`a label twice: ${line}`);
    labels[label[1] ?? ''] = label[2] ?? '';
  }
  return { name, labels, value: Number(value?.replace('Inf', 'Infinity')) };
}

const otherUnits =
  /_(ms|us|ns|msec|sec|minutes?|hours?|days?|weeks?|milliseconds|bits|kb|mb|gb|kilobytes|megabytes|percent)(_|$)/;

/** What `promtool check metrics` would say, and what the numbers of a histogram say. */
export function lint({ name, help, type, samples }: Family): string[] {
  const problems: string[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) problems.push(`${name}: ${what}`);
  };
  must(help !== '', 'no help text');
  must(type !== '' && type !== 'untyped', 'no type');
  must(type !== 'counter' || name.endsWith('_total'), 'counter metrics end in _total');
  must(type === 'counter' || !name.endsWith('_total'), 'other metrics do not end in _total');
  must(type === 'histogram' || !/_(count|sum|bucket)$/.test(name), 'a histogram has that suffix');
  must(!/[A-Z:]/.test(name), 'names are lower-case, without colons');
  must(!/(^|_)(counter|gauge|histogram|summary)(_|$)/.test(name), 'the name says the type');
  must(!otherUnits.test(name), 'not a base unit');
  must(!/seconds/.test(name) || /second/i.test(help), 'the help does not say seconds');
  must(!/bytes/.test(name) || /bytes/i.test(help), 'the help does not say bytes');
  must(!/_ratio$/.test(name) || /from 0 to 1/.test(help), 'the help does not say from 0 to 1');
  const seen = new Set<string>();
  for (const { name: full, labels } of samples) {
    const key = `${full}${JSON.stringify(labels)}`;
    must(!seen.has(key), `a sample twice: ${key}`);
    seen.add(key);
    must(
      Object.keys(labels).every((label) => !/[A-Z]|^__/.test(label)),
      'labels are lower-case',
    );
    must(full.endsWith('_bucket') === 'le' in labels, 'le is the label of buckets');
  }
  if (type === 'histogram') problems.push(...histogramProblems(name, samples));
  return problems;
}

function histogramProblems(name: string, samples: readonly Sample[]): string[] {
  const series = new Map<string, { counts: [number, number][]; count?: number; sum?: number }>();
  for (const { name: full, labels, value } of samples) {
    const { le, ...rest } = labels;
    const key = JSON.stringify(rest);
    const one = series.get(key) ?? { counts: [] };
    series.set(key, one);
    if (le !== undefined)
      one.counts.push([le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value]);
    else if (full.endsWith('_count')) one.count = value;
    else one.sum = value;
  }
  const problems: string[] = [];
  for (const [labels, { counts, count, sum }] of series) {
    const isRising = counts.every(
      ([bound, value], index) =>
        index === 0 ||
        (bound > (counts[index - 1]?.[0] ?? 0) && value >= (counts[index - 1]?.[1] ?? 0)),
    );
    const last = counts.at(-1);
    if (!isRising) problems.push(`${name}${labels}: buckets do not rise`);
    if (last?.[0] !== Number.POSITIVE_INFINITY || last[1] !== count)
      problems.push(`${name}${labels}: its last bucket is not +Inf with the count`);
    if (sum === undefined || count === undefined)
      problems.push(`${name}${labels}: no sum or count`);
  }
  return problems;
}
