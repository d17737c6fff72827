// Every grant and every call to a provider, held against the log: what may be called, how often,
// and what the provider truly did, which the product may never learn. A call's outcome is unknown
// when the adapter said so, or when the process died before the outcome was durable; only such a
// call excuses a second acceptance.

import type { Attempt } from '../../actors/channels/port/attempt.ts';
import type { Outcome } from '../../actors/channels/port/outcome.ts';
import type { DispatchWave } from '../../actors/sending/dispatch/protocol.ts';
import { formatId } from '../../engine/base/id.ts';
import { subscribers } from '../../storage/tables/subscriber.ts';
import type { LogAudit } from './log-audit.ts';
import type { TargetFact } from './log-facts.ts';
import { type Granted, keyOf, type ProviderCall, ProviderCalls } from './provider-calls.ts';

/** A wave as the grant of one attempt for each of its rows. */
export function grantOfWave(wave: DispatchWave): Granted {
  const { app, channel, people, records, ends, sendParts } = wave;
  const attempts = Array.from(people, (low32, row) => {
    const from = row === 0 ? 0 : (ends[row - 1] as number);
    const { devices } = subscribers.decode(records.subarray(from, ends[row]), new Uint8Array(0));
    const device = devices.find((one) => one.enabled && one.channel === channel);
    const sendId = formatId('ntf', { ...sendParts, low32 });
    const { id: deviceId = '', endpoint = '' } = device ?? {};
    const lane = 'bulk' as const;
    return { attempt: { sendId, deviceId, channel, endpoint, attempt: 1, lane } };
  });
  return { app, attempts };
}

/** The calls of one process after the other. */
export class CallLedger extends ProviderCalls {
  /** The start (`key#starts`) that each grant, and each call, belongs to. */
  readonly #granted = new Set<string>();
  readonly #called = new Set<string>();
  readonly #open = new Set<ProviderCall>();

  /**
   * A grant leaves its partition. `acknowledged` has the opt-outs whose callers know that they are
   * in force.
   */
  granted(grant: Granted, audit: LogAudit, acknowledged: ReadonlySet<string>): void {
    for (const { attempt } of grant.attempts) {
      const key = keyOf(attempt);
      const target = audit.target(attempt.sendId, attempt.deviceId);
      const start = `${key}#${target?.starts}`;
      this.findings.expect(
        target?.state === 'started' &&
          target.attempts === attempt.attempt &&
          !this.#granted.has(start),
        'call_needs_start',
        () =>
          `${key} attempt ${attempt.attempt} is granted, the log has ${target?.state} ${target?.attempts}`,
      );
      this.#granted.add(start);
      this.expectWanted(grant.app, attempt, audit, acknowledged);
    }
  }

  /** A provider is called; `taken` is what it will do. */
  started(attempt: Attempt, taken: boolean, audit: LogAudit, relay?: string): ProviderCall {
    const key = keyOf(attempt);
    const call: ProviderCall = {
      key,
      attempt,
      ...(relay === undefined ? {} : { relay }),
      taken,
      underWay: true,
      unknown: false,
      settled: false,
      takenBack: false,
    };
    const earlier = this.calls.get(key) ?? [];
    const target = audit.target(attempt.sendId, attempt.deviceId);
    const start = `${key}#${target?.starts}`;
    this.findings.expect(
      this.#granted.has(start) && !this.#called.has(start),
      'call_needs_start',
      () =>
        `${key} attempt ${attempt.attempt} is called, and start ${target?.starts} allows no call (any more)`,
    );
    this.findings.expect(
      !earlier.some(({ underWay }) => underWay),
      'one_call_at_a_time',
      () => `${key} is called while a call is under way`,
    );
    const other = earlier.find((one) => one.relay !== relay && (one.taken || one.unknown));
    this.findings.expect(
      other === undefined || target?.hasFailed === true,
      'one_relay',
      () =>
        `${key} is given to ${relay ?? 'the server'}, and ${other?.relay ?? 'the server'} may have it`,
    );
    this.#called.add(start);
    this.add(call);
    this.#open.add(call);
    return call;
  }

  /** The adapter answers; `undefined` when it threw. */
  ended(call: ProviderCall, outcome: Outcome | undefined): void {
    call.underWay = false;
    call.outcome = outcome;
    if (outcome === undefined || outcome.outcome === 'ambiguous') call.unknown = true;
  }

  /** The answer to the newest call for a device of a send, until the log has its outcome. */
  answerOf(sendId: string, deviceId: string): Outcome | undefined {
    const call = this.calls.get(`${sendId}|${deviceId}`)?.at(-1);
    return call?.settled === true ? undefined : call?.outcome;
  }

  /** The log has the outcome of a started call. */
  settled({ sendId, deviceId }: Pick<TargetFact, 'sendId' | 'deviceId'>): void {
    for (const call of this.calls.get(`${sendId}|${deviceId}`) ?? []) {
      call.settled = true;
      this.#open.delete(call);
    }
  }

  /** The process has ended in order: every call that was made has its outcome in the log. */
  drained(audit: LogAudit): void {
    // Erased people and deleted apps are forgotten with what was under way for them: no outcome is
    // waited for.
    const lost = [...this.#open].find(
      ({ attempt }) => audit.target(attempt.sendId, attempt.deviceId)?.state === 'started',
    );
    this.findings.expect(
      lost === undefined,
      'drain_is_clean',
      () => `${lost?.key} attempt ${lost?.attempt.attempt} was called, and its outcome is lost`,
    );
  }

  /** The process died: what was not settled is unknown. */
  crashed(): void {
    for (const call of this.#open) {
      call.underWay = false;
      call.unknown = true;
      call.outcome = undefined;
    }
    this.#open.clear();
  }
}
