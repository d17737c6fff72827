// What clients, the provider and the faults of a run remember: all that the checker judges by.
// Instants are milliseconds of one monotonic clock, that of the runner.

/** How a call ended. One that is refused did nothing; nobody knows what an unknown one did. */
export type End = 'acknowledged' | 'refused' | 'unknown';

interface Called {
  readonly org: string;
  readonly fromMs: number;
  /** When its answer was there, or when nobody waited any more. */
  readonly untilMs: number;
  readonly end: End;
}

/** Of a register: one tag of one subscriber. Values that are written are all different. */
export interface RegisterCall extends Called {
  readonly kind: 'write' | 'read';
  readonly register: string;
  /** What was written, or read: `undefined` where nothing was there or no answer came. */
  readonly value: number | undefined;
}

/** A single send with an idempotency key. The same key may be called again. */
export interface SendCall extends Called {
  readonly kind: 'send';
  readonly key: string;
  /** Of an acknowledged call. */
  readonly sendId: string | undefined;
}

interface EventCall extends Called {
  readonly kind: 'event';
  readonly eventId: string;
}

export type Call = RegisterCall | SendCall | EventCall;

/** What the provider took. */
export interface Delivery {
  /** The idempotency key, which each message carries. */
  readonly key: string;
  readonly atMs: number;
}

/** A fault and when it began and was over. */
export interface FaultWindow {
  readonly kind: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /**
   * An owner may have died or been fenced: what it had granted and not reported may be sent again.
   */
  readonly mayRepeatSends: boolean;
  /** Nobody could take writes until it was over. */
  readonly isTotal: boolean;
}

/** What the cluster had at the end of a run, when all faults were healed. */
export interface ReadBack {
  /** Send ids by idempotency key, as the API gave them again. */
  readonly sends: ReadonlyMap<string, string>;
  /** How often each event id was listed. */
  readonly events: ReadonlyMap<string, number>;
  /** Keys whose send ended as a failure, with its reason. */
  readonly failedSends: ReadonlyMap<string, string>;
}

/** Instants at which a write of an org was answered. */
type Served = ReadonlyMap<string, readonly number[]>;

/** One frame of a partition's stream, in the order of the stream. */
export interface StreamFrame {
  readonly partition: number;
  readonly kind: string;
  readonly term: number;
  readonly seq: number;
  /** The process that wrote it. */
  readonly writer: number;
  readonly sum: number;
  readonly before: number;
}

export interface History {
  readonly calls: readonly Call[];
  readonly deliveries: readonly Delivery[];
  readonly faults: readonly FaultWindow[];
  readonly readBack: ReadBack;
  readonly served: Served;
  readonly frames: readonly StreamFrame[];
  /** When the clients began and stopped. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Collects calls as they end. */
export class Recorder {
  readonly calls: Call[] = [];
  readonly served = new Map<string, number[]>();
  /** By the end of all calls, for progress. */
  readonly ends: Record<End, number> = { acknowledged: 0, refused: 0, unknown: 0 };

  record(call: Call): void {
    this.calls.push(call);
    this.ends[call.end]++;
    if (call.end === 'acknowledged' && call.kind !== 'read') this.serve(call.org, call.untilMs);
  }

  serve(org: string, atMs: number): void {
    const known = this.served.get(org);
    if (known === undefined) this.served.set(org, [atMs]);
    else known.push(atMs);
  }
}
