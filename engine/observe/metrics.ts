// Metrics of all threads: each counts plain numbers, collected only when read. OpenMetrics names:
// base units, `_total`, `_seconds`, `_bytes`; a tenant is never a label.

import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricRow {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
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
    for (const { name, help, kind, labels, buckets } of rows) {
      const common = { name, help, labelNames: [...(labels ?? [])], registers: [this.#registry] };
      if (kind === 'counter') this.#counters.set(name, new Counter(common));
      else if (kind === 'gauge') this.#gauges.set(name, new Gauge(common));
      else this.#histograms.set(name, new Histogram({ ...common, buckets: [...(buckets ?? [])] }));
    }
  }

  /** In this thread. */
  count(name: string, labels: Labels = {}, by = 1): void {
    this.#of(this.#counters, name).inc(labels, by);
  }

  observe(name: string, labels: Labels, value: number): void {
    this.#of(this.#histograms, name).observe(labels, value);
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
