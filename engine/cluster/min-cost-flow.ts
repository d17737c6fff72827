// The cheapest way to bring as much as possible from the first node of a small network to its last,
// by successive shortest paths. The same network, built in the same order, gives the same flow.

/** An edge, by which its flow is asked for. */
type Edge = number;

export class MinCostFlow {
  /** Edges in pairs: one, and the one that takes its flow back. */
  readonly #to: number[] = [];
  readonly #room: number[] = [];
  readonly #cost: number[] = [];
  readonly #out: number[][];

  /** Nodes are 0 to `nodes - 1`; the first is the source, the last the sink. */
  constructor(nodes: number) {
    this.#out = Array.from({ length: nodes }, () => []);
  }

  /** `cost` may be negative, as long as no circle is. */
  add(from: number, to: number, room: number, cost: number): Edge {
    const edge = this.#to.length;
    this.#to.push(to, from);
    this.#room.push(room, 0);
    this.#cost.push(cost, -cost);
    (this.#out[from] as number[]).push(edge);
    (this.#out[to] as number[]).push(edge + 1);
    return edge;
  }

  /** Brings as much as there is room for. */
  run(): void {
    for (;;) {
      const path = this.#shortest();
      if (path === undefined) return;
      for (const edge of path) {
        this.#room[edge] = (this.#room[edge] as number) - 1;
        this.#room[edge ^ 1] = (this.#room[edge ^ 1] as number) + 1;
      }
    }
  }

  flow(edge: Edge): number {
    return this.#room[edge ^ 1] as number;
  }

  /** The edges of a cheapest path with room, by Bellman and Ford's algorithm with a queue. */
  #shortest(): Edge[] | undefined {
    const nodes = this.#out.length;
    const costs = new Float64Array(nodes).fill(Number.POSITIVE_INFINITY);
    const by = new Int32Array(nodes).fill(-1);
    const isQueued = new Uint8Array(nodes);
    const queue = [0];
    costs[0] = 0;
    for (let at = 0; at < queue.length; at++) {
      const from = queue[at] as number;
      isQueued[from] = 0;
      for (const edge of this.#out[from] as number[]) {
        const to = this.#to[edge] as number;
        const cost = (costs[from] as number) + (this.#cost[edge] as number);
        if ((this.#room[edge] as number) === 0 || cost >= (costs[to] as number)) continue;
        costs[to] = cost;
        by[to] = edge;
        if (isQueued[to] === 0) queue.push(to);
        isQueued[to] = 1;
      }
    }
    if (by[nodes - 1] === -1) return undefined;
    const path: Edge[] = [];
    for (let node = nodes - 1; node !== 0; node = this.#to[(by[node] as number) ^ 1] as number)
      path.push(by[node] as number);
    return path;
  }
}
