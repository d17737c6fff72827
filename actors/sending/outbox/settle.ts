// What one outcome means for its target: done with a receipt, waiting for another try, or due
// again. Pure. The bounds on retries are in `limits.ts`.

import type { Context } from '../../../engine/actor/message.ts';
import { type Millis, secondMs } from '../../../engine/base/brand.ts';
import { below } from '../../../engine/base/rng.ts';
import { longestWaitMs } from '../../../engine/time/backoff.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import { limits } from '../../limits.ts';
import { type Circuit, isUnreached, type ProviderHealth } from './circuit.ts';
import { timeLeftMs } from './expiry.ts';
import type { Job, Target } from './job.ts';
import { circuitOf, isUnreachedBy } from './provider-health.ts';
import type { Receipt, Settlement } from './records.ts';

/** The reason of attempts that were in flight when the process ended (`Outbox.interrupted`). */
const interrupted = 'interrupted';

/** Whether the process ended while the call was in flight. */
export function isInterrupted(outcome: Outcome | undefined): boolean {
  return outcome?.outcome === 'ambiguous' && outcome.reason === interrupted;
}

/** Found while rendering: no provider was called. */
const unsendable: ReadonlySet<string> = new Set(['invalid_content', 'no_device']);

/** A started target and what was reported of it. */
interface Attempted {
  readonly job: Job;
  readonly target: Target;
  readonly outcome: Outcome;
  readonly health: ProviderHealth;
  readonly context: Pick<Context, 'nowMs' | 'ages' | 'rng'>;
  readonly isTakenElsewhere: boolean;
}

/**
 * `outcome`: `undefined` if the target came back unsent. `health`: of the channel, the outcome
 * included. `isTakenElsewhere`: another relay takes the message now.
 */
export function settle(
  job: Job,
  target: Target,
  outcome: Outcome | undefined,
  health: ProviderHealth,
  context: Pick<Context, 'nowMs' | 'ages' | 'rng'>,
  isTakenElsewhere = false,
): Settlement {
  if (outcome === undefined) return { next: 'due' };
  const attempted: Attempted = { job, target, outcome, health, context, isTakenElsewhere };
  switch (outcome.outcome) {
    case 'accepted':
      return receipt(attempted, outcome.reports === true ? 'accepted' : 'delivered');
    case 'permanent':
      // It expired before the provider was called, so this try counts as not started.
      if (outcome.reason === 'expired')
        return receipt(attempted, target.attempts > 1 ? 'failed' : 'suppressed', 'expired');
      if (unsendable.has(outcome.reason)) return receipt(attempted, 'suppressed', outcome.reason);
      return receipt(attempted, 'bounced', outcome.reason);
    case 'dead':
    case 'opted_out':
      return receipt(attempted, 'bounced', outcome.reason);
    case 'rate':
      return retry(attempted, slowCircuit(attempted).pausedUntilMs - context.nowMs, false);
    case 'config':
    case 'retry':
      return retry(attempted, outcome.retryAfterMs, true);
    case 'ambiguous':
      return afterAmbiguous(attempted);
  }
}

function receipt(attempted: Attempted, status: Receipt['status'], reason?: string): Settlement {
  const { job, target, outcome } = attempted;
  return {
    next: 'done',
    receipt: {
      person: job.person,
      status,
      attempts: target.attempts,
      ...(reason === undefined ? {} : { reason }),
      ...('detail' in outcome && outcome.detail !== undefined ? { detail: outcome.detail } : {}),
      ...(outcome.providerMessageId === undefined
        ? {}
        : { providerMessageId: outcome.providerMessageId }),
      ...(target.relay === undefined ? {} : { relay: target.relay }),
      ...copiesTaken(attempted),
    },
  };
}

/** Of an email: the copies that its call had, without those that the relay refused. */
function copiesTaken({ target, outcome }: Attempted): Pick<Receipt, 'copies'> {
  const refused = outcome.outcome === 'accepted' ? (outcome.copiesRefused ?? 0) : 0;
  const copies = (target.copies ?? 0) - refused;
  return copies > 0 ? { copies } : {};
}

/** `counted`: whether the try counts as an attempt, and so makes the next wait longer. */
function retry(
  attempted: Attempted,
  afterMs: number | undefined,
  counted: boolean,
  ambiguous = false,
): Settlement {
  const { job, target, outcome, context } = attempted;
  const { nowMs } = context;
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  if (counted && target.attempts >= limits.attemptsMax) return receipt(attempted, 'failed', reason);
  const circuit = openCircuit(attempted);
  if (attempted.isTakenElsewhere && !ambiguous) return atOnce(attempted);
  const waitMs = circuit === undefined ? ownWaitMs(attempted) : circuit.pausedUntilMs - nowMs;
  const lifeMs = job.expiresMs === null ? Infinity : job.expiresMs - job.acceptedMs;
  const spanMs = Math.min(lifeMs, limits.attemptSpanMs); // a redriven send counts from its redrive
  const endMs = nowMs + timeLeftMs(spanMs, job, nowMs, context.ages);
  const dueMs = dueBefore(endMs, nowMs + waitMs, nowMs + (afterMs ?? 0), nowMs);
  if (dueMs === undefined)
    return spanMs === lifeMs ? expired(attempted) : receipt(attempted, 'failed', reason);
  const refusal = refusalOf(outcome);
  return {
    next: 'waiting',
    dueMs,
    counted: counted && circuit === undefined,
    ambiguous,
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** The next relay gets it. */
function atOnce({ outcome, context }: Attempted): Settlement {
  const refusal = refusalOf(outcome);
  const said = refusal === undefined ? {} : { refusal };
  return { next: 'waiting', dueMs: context.nowMs, counted: false, ambiguous: false, ...said };
}

/** The circuit that keeps others waiting too, if this attempt did not get through. */
function openCircuit({ target, outcome, health, context }: Attempted): Circuit | undefined {
  if (!isUnreachedBy(target.channel, outcome)) return undefined;
  const circuit = circuitOf(health, outcome.account);
  return isUnreached(circuit) && circuit.pausedUntilMs > context.nowMs ? circuit : undefined;
}

/** The account's or the domain's, of a call that was refused because of a limit. */
function slowCircuit({ outcome, health }: Attempted): Circuit {
  const domain = outcome.outcome === 'accepted' ? undefined : outcome.domain;
  return circuitOf(health, domainIn(health, domain) ?? outcome.account);
}

/** `undefined` where the table of domains had no room for it. */
function domainIn({ accounts = {} }: ProviderHealth, domain: string | undefined) {
  return domain !== undefined && accounts[domain] !== undefined ? domain : undefined;
}

/** What is throttled waits for the pause alone: then one call finds out. */
function ownWaitMs(attempted: Attempted): Millis {
  return attempted.outcome.outcome === 'rate' ? 0 : backoffMs(attempted);
}

function backoffMs({ target, outcome, context }: Attempted): Millis {
  const { attempts, channel } = target;
  const longestMs = longestWaitMs(attempts);
  const shortestMs = shortestWaitMs(channel, outcome, attempts);
  const jitterMs = below(context.rng, Math.floor(longestMs / 2) + 1);
  return Math.max(shortestMs, Math.ceil(longestMs / 2)) + jitterMs;
}

function shortestWaitMs(channel: ChannelId, outcome: Outcome, failed: number): Millis {
  const { reachedReasons, shortestWaits = [] } = catalog[channel];
  if (!('reason' in outcome) || reachedReasons?.includes(outcome.reason) !== true) return 0;
  return shortestWaits.findLast(([from]) => failed >= from)?.[1] ?? 0;
}

/** Shortly before a send ends, it gets a last try rather than none. */
const lastTryMs: Millis = secondMs;

/** When to try again before the end, `undefined` if never. Never before `earliestMs`. */
function dueBefore(
  endMs: Millis,
  wantedMs: Millis,
  earliestMs: Millis,
  nowMs: Millis,
): Millis | undefined {
  const dueMs = Math.max(wantedMs, earliestMs);
  if (dueMs < endMs) return dueMs;
  const lastMs = endMs - lastTryMs;
  return lastMs >= Math.max(earliestMs, nowMs + lastTryMs) ? lastMs : undefined;
}

/** The provider's last answer goes into the detail. */
function expired(attempted: Attempted): Settlement {
  const { job, target, outcome } = attempted;
  const { person } = job;
  const { attempts } = target;
  const detail = refusalOf(outcome);
  return {
    next: 'done',
    receipt: {
      person,
      status: 'failed',
      reason: 'expired',
      attempts,
      ...copiesTaken(attempted),
      ...(detail === undefined ? {} : { detail }),
    },
  };
}

function afterAmbiguous(attempted: Attempted): Settlement {
  const { job, target } = attempted;
  if (interruptions(attempted) >= limits.interruptedMax)
    return receipt(attempted, 'failed', interrupted);
  const { express, bulk } = catalog[target.channel].onAmbiguous;
  const rule = job.origin === undefined ? express : bulk;
  if (rule === 'resend') return retry(attempted, undefined, true, true);
  // Without an idempotency key, recipients would see a second copy: wait for a callback, then try
  // once more.
  if (rule === 'wait_then_resend' && target.ambiguous === 0)
    return retry(attempted, limits.ambiguousWaitMs, true, true);
  return receipt(attempted, 'failed', 'unknown_outcome');
}

/** How many attempts in a row ended with the process, this one included. */
function interruptions({ target: { tries = [] }, outcome }: Attempted): number {
  if (!('reason' in outcome) || outcome.reason !== interrupted) return 0;
  const others = tries.findLastIndex(({ said }) => said !== interrupted);
  return tries.length - others;
}

/** The reason and detail of a provider's refusal. */
function refusalOf(outcome: Outcome): string | undefined {
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  const detail = 'detail' in outcome ? outcome.detail : undefined;
  if (reason === undefined) return detail;
  return detail === undefined ? reason : `${reason}: ${detail}`;
}
