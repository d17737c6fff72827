// Metrics of all threads: each counts plain numbers, collected only when read. OpenMetrics names:
// base units, `_total`, `_seconds`, `_bytes`; a tenant is never a label.

import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { Millis } from '../base/brand.ts';
import { type Durations, noDurations, noteDuration } from './durations.ts';

export interface MetricRow {
  readonly name: string;
  readonly help: string;
  /** A histogram is of durations: counted in milliseconds, shown in seconds. */
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels?: readonly string[];
  readonly boundsMs?: readonly Millis[];
}

type Labels = Readonly<Record<string, string>>;

/** By the rows of one table. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram>();
  readonly #collectors: (() => Promise<void>)[] = [];

  constructor(rows: readonly MetricRow[]) {
    for (const { name, help, kind, labels, boundsMs } of rows) {
      const common = { name, help, labelNames: [...(labels ?? [])], registers: [this.#registry] };
      if (kind === 'counter') this.#counters.set(name, new Counter(common));
      else if (kind === 'gauge') this.#gauges.set(name, new Gauge(common));
      else {
        const histogram = new Histogram(name, help, boundsMs ?? []);
        this.#registry.registerMetric(histogram as unknown as Metric);
        this.#histograms.set(name, histogram);
      }
    }
  }

  /** In this thread. */
  count(name: string, labels: Labels = {}, by = 1): void {
    this.#of(this.#counters, name).inc(labels, by);
  }

  /** In this thread. */
  observe(name: string, labels: Labels, ms: Millis): void {
    this.#of(this.#histograms, name).observe(labels, ms);
  }

  /** A histogram of other threads. */
  setDurations(name: string, labels: Labels, durations: Durations): void {
    this.#of(this.#histograms, name).set(labels, durations);
  }

  /** A gauge, or a counter of another thread. */
  set(name: string, labels: Labels, value: number): void {
    const gauge = this.#gauges.get(name);
    if (gauge !== undefined) {
      gauge.set(labels, value);
      return;
    }
    const counter = this.#of(this.#counters, name);
    counter.remove(labels);
    counter.inc(labels, value);
  }

  /** Registers what fills metrics before a read. */
  onCollect(collect: () => Promise<void>): void {
    this.#collectors.push(collect);
  }

  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    await Promise.all(this.#collectors.map((collect) => collect()));
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  #of<M>(metrics: ReadonlyMap<string, M>, name: string): M {
    const metric = metrics.get(name);
    if (metric === undefined) throw new Error(`there is no metric ${name}`);
    return metric;
  }
}

/** The library's own takes values one at a time only, and those of other threads come as sums. */
class Histogram {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #boundsMs: readonly Millis[];
  readonly #series = new Map<string, { readonly labels: Labels; readonly durations: Durations }>();

  constructor(name: string, help: string, boundsMs: readonly Millis[]) {
    this.name = name;
    this.help = help;
    this.#boundsMs = boundsMs;
  }

  observe(labels: Labels, ms: Millis): void {
    const key = keyOf(labels);
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { labels, durations: noDurations(this.#boundsMs) };
      this.#series.set(key, series);
    }
    noteDuration(series.durations, ms);
  }

  set(labels: Labels, durations: Durations): void {
    this.#series.set(keyOf(labels), { labels, durations });
  }

  /** As the registry reads any metric. */
  async get() {
    const values: { metricName: string; labels: Labels; value: number }[] = [];
    for (const { labels, durations } of this.#series.values()) {
      let count = 0;
      for (const [bucket, more] of durations.counts.entries()) {
        count += more;
        const boundMs = durations.boundsMs[bucket];
        const le = boundMs === undefined ? '+Inf' : String(boundMs / 1000);
        values.push({ metricName: `${this.name}_bucket`, labels: { ...labels, le }, value: count });
      }
      values.push({ metricName: `${this.name}_sum`, labels, value: durations.sumMs / 1000 });
      values.push({ metricName: `${this.name}_count`, labels, value: count });
    }
    return { name: this.name, help: this.help, type: this.type, values, aggregator: 'sum' };
  }
}

/** Callers name labels in one order. */
function keyOf(labels: Labels): string {
  return Object.values(labels).join('|');
}
