// What clients of a cluster's world asked for, and what they were told.

type End = 'acknowledged' | 'refused' | undefined;

export class ClientLedger {
  readonly #ends: Map<number, End>[];
  readonly #newest: (number | undefined)[];
  /** By partition: when the newest write was acknowledged. */
  readonly acknowledgedMs: number[];
  reads = 0;
  #ids = 0;

  constructor(partitions: number) {
    this.#ends = Array.from({ length: partitions }, () => new Map());
    this.#newest = Array.from({ length: partitions }, () => undefined);
    this.acknowledgedMs = Array.from({ length: partitions }, () => 0);
  }

  /** A new write's number. */
  begin(partition: number): number {
    const id = ++this.#ids;
    this.#ends[partition]?.set(id, undefined);
    return id;
  }

  /** What is wrong with the answer, if anything. */
  end(partition: number, id: number, isAcknowledged: boolean, atMs: number): string | undefined {
    const ends = this.#ends[partition] as Map<number, End>;
    const before = ends.get(id);
    ends.set(id, isAcknowledged ? 'acknowledged' : 'refused');
    if (isAcknowledged) {
      this.#newest[partition] = id;
      this.acknowledgedMs[partition] = atMs;
    }
    return before === undefined ? undefined : `${id} is answered twice`;
  }

  newestAcknowledged(partition: number): number | undefined {
    return this.#newest[partition];
  }

  count(end: End): number {
    return this.#ends.reduce(
      (sum, ends) => sum + [...ends.values()].filter((one) => one === end).length,
      0,
    );
  }

  /** What was told, against what a partition has noted. */
  check(partition: number, ids: readonly number[]): string[] {
    const findings: string[] = [];
    const times = new Map<number, number>();
    for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
    for (const [id, end] of this.#ends[partition] as Map<number, End>) {
      const found = times.get(id) ?? 0;
      if (found > 1) findings.push(`${id} is there ${found} times`);
      if (end === 'acknowledged' && found === 0)
        findings.push(`${id} was acknowledged and is lost`);
      if (end === 'refused' && found > 0) findings.push(`${id} was refused and is there`);
    }
    return findings;
  }
}
