// Calls to providers where several processes make them. A process may call what it was granted in
// its term, also after it lost the term without knowing: such a call is late, and its outcome is
// known to nobody who owns the send. Only that excuses a second call.

import type { Attempt } from '../../../actors/channels/port/attempt.ts';
import type { Outcome } from '../../../actors/channels/port/outcome.ts';
import type { Findings } from '../invariants.ts';
import type { LogAudit } from '../log-audit.ts';
import type { TargetFact } from '../log-facts.ts';
import { type Granted, keyOf, type ProviderCall, ProviderCalls } from '../provider-calls.ts';
import type { CalledLedger } from '../providers.ts';

/** A process in one of its lives. */
type Process = number;

interface ClusterCall extends ProviderCall {
  readonly partition: number;
  /** The term in which it was granted is over. */
  isLate: boolean;
}

interface ClusterLedgerOptions {
  readonly findings: Findings;
  readonly audit: () => LogAudit;
  /** Of an app, by its ordinal or id. */
  readonly partitionOf: (app: number | string) => number;
  readonly termOf: (partition: number) => number;
  readonly writerOf: (partition: number) => number;
}

export class ClusterLedger extends ProviderCalls<ClusterCall> {
  /** Calls that began after the term of their grant. */
  late = 0;
  /** Grants that left after the end of their term. */
  lateGrants = 0;
  /** Calls that a takeover found without an outcome, in all, and at one takeover the most. */
  interrupted = 0;
  interruptedMost = 0;
  readonly #options: ClusterLedgerOptions;
  /** How often a device of a send was granted. */
  readonly #grants = new Map<string, number>();
  /** Terms of grants that were not called yet, by process and device of a send. */
  readonly #tokens = new Map<string, number[]>();
  readonly #open = new Set<ClusterCall>();

  constructor(options: ClusterLedgerOptions) {
    super(options.findings);
    this.#options = options;
  }

  /** Calls beyond the first that a provider took for one device of a send. */
  get twice(): number {
    let count = 0;
    for (const calls of this.calls.values())
      count += Math.max(0, calls.filter(({ taken }) => taken).length - 1);
    return count;
  }

  /** A grant leaves a process that was the owner of its partition in `term`. */
  granted(grant: Granted, process: Process, term: number, acknowledged: ReadonlySet<string>): void {
    const { partitionOf, termOf, writerOf, audit: auditOf } = this.#options;
    const audit = auditOf();
    const partition = partitionOf(grant.app);
    const isOwner = writerOf(partition) === process && termOf(partition) === term;
    for (const { attempt } of grant.attempts) {
      const key = keyOf(attempt);
      const target = audit.target(attempt.sendId, attempt.deviceId);
      const grants = (this.#grants.get(key) ?? 0) + 1;
      this.#grants.set(key, grants);
      this.findings.expect(
        target === undefined ? !isOwner : grants <= target.starts,
        'call_needs_start',
        () => `${key} is granted ${grants} times, the log has ${target?.starts} starts of it`,
      );
      const name = `${process} ${key}`;
      this.#tokens.set(name, [...(this.#tokens.get(name) ?? []), term]);
      if (!isOwner) {
        this.lateGrants++;
        continue;
      }
      this.findings.expect(
        target?.state === 'started' && target.attempts === attempt.attempt,
        'call_needs_start',
        () =>
          `${key} attempt ${attempt.attempt} is granted, the log has ${target?.state} ${target?.attempts}`,
      );
      this.expectWanted(grant.app, attempt, audit, acknowledged);
    }
  }

  /** For the adapters of one process. */
  of(process: Process): CalledLedger {
    return {
      started: (attempt, taken, _audit, relay) => this.#started(process, attempt, taken, relay),
      ended: (call, outcome) => this.#ended(call as ClusterCall, outcome),
    };
  }

  #started(process: Process, attempt: Attempt, taken: boolean, relay?: string): ClusterCall {
    const { partitionOf, termOf, writerOf, audit } = this.#options;
    const key = keyOf(attempt);
    const partition = partitionOf(attempt.appId);
    const tokens = this.#tokens.get(`${process} ${key}`) ?? [];
    const term = tokens.shift();
    this.findings.expect(
      term !== undefined,
      'call_needs_start',
      () => `process ${process} calls for ${key} attempt ${attempt.attempt} without a grant`,
    );
    const isLate = writerOf(partition) !== process || termOf(partition) !== term;
    const earlier = this.calls.get(key) ?? [];
    const target = audit().target(attempt.sendId, attempt.deviceId);
    this.findings.expect(
      isLate || !earlier.some((one) => one.underWay && !one.isLate),
      'one_call_at_a_time',
      () => `${key} is called while a call is under way`,
    );
    const other = earlier.find((one) => one.relay !== relay && (one.taken || one.unknown));
    this.findings.expect(
      isLate || other === undefined || target?.hasFailed === true,
      'one_relay',
      () => `${key} is given to ${relay ?? 'the server'}, and ${other?.relay} may have it`,
    );
    const call: ClusterCall = {
      ...{ key, attempt, taken, partition, isLate },
      ...(relay === undefined ? {} : { relay }),
      ...{ underWay: true, unknown: isLate, settled: false, takenBack: false },
    };
    if (isLate) this.late++;
    else this.#open.add(call);
    this.add(call);
    return call;
  }

  #ended(call: ClusterCall, outcome: Outcome | undefined): void {
    call.underWay = false;
    if (call.isLate) return;
    call.outcome = outcome;
    if (outcome === undefined || outcome.outcome === 'ambiguous') call.unknown = true;
  }

  /** The answer to the owner's newest call for a device of a send, until the log has it. */
  answerOf(sendId: string, deviceId: string): Outcome | undefined {
    const call = this.calls
      .get(keyOf({ sendId, deviceId }))
      ?.filter(({ isLate }) => !isLate)
      .at(-1);
    return call?.settled === true ? undefined : call?.outcome;
  }

  /** The log has the outcome of a started call. */
  settled(device: Pick<TargetFact, 'sendId' | 'deviceId'>): void {
    for (const call of this.calls.get(keyOf(device)) ?? []) {
      call.settled = true;
      this.#open.delete(call);
    }
  }

  /** A term begins: what the one before has not reported is of unknown outcome. */
  claimed(partition: number): void {
    let count = 0;
    for (const call of this.#open) {
      if (call.partition !== partition) continue;
      this.#open.delete(call);
      call.isLate = true;
      call.unknown = true;
      call.outcome = undefined;
      count++;
    }
    this.interrupted += count;
    this.interruptedMost = Math.max(this.interruptedMost, count);
  }
}
