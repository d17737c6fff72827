// Metrics, merged over threads: each thread counts in plain numbers, and only when somebody reads
// are they collected and set here. Names follow OpenMetrics: base units, `_total`, `_seconds`,
// `_bytes`; no tenant is ever a label.

import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricRow {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels?: readonly string[];
  /** Bucket bounds of a histogram. */
  readonly buckets?: readonly number[];
}

type Labels = Readonly<Record<string, string>>;

/** All metrics of a process, by the rows of one table. */
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

  /** Adds to a counter of this thread. */
  count(name: string, labels: Labels = {}, by = 1): void {
    this.#of(this.#counters, name).inc(labels, by);
  }

  observe(name: string, labels: Labels, value: number): void {
    this.#of(this.#histograms, name).observe(labels, value);
  }

  /** Sets a gauge, or a counter that another thread counts, to its current value. */
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

  /** Registers what fills metrics before they are read. */
  onCollect(collect: () => Promise<void>): void {
    this.#collectors.push(collect);
  }

  /** The text of the exposition. */
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
