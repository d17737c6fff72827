// What one outcome means for its target: done with a receipt, waiting for another try, or due
// again. Pure. The bounds on retries are in `limits.ts`.

import type { Context } from '../../../engine/actor/message.ts';
import { below } from '../../../engine/base/rng.ts';
import { longestWaitMs } from '../../../engine/time/backoff.ts';
import { catalog } from '../../channels/catalog.ts';
import type { Outcome } from '../../channels/outcome.ts';
import { limits } from '../../limits.ts';
import { hasExpired, isOlderThan } from './expiry.ts';
import type { Job, Target } from './job.ts';
import type { Receipt, Settlement } from './protocol.ts';

/** Found while rendering: no provider was called. */
const unsendable: ReadonlySet<string> = new Set(['invalid_content', 'no_device']);

/** A started target and what was reported of it. */
interface Attempted {
  readonly job: Job;
  readonly target: Target;
  readonly outcome: Outcome;
  readonly context: Pick<Context, 'nowMs' | 'ages' | 'rng'>;
}

/** `outcome`: `undefined` if the target came back unsent. */
export function settle(
  job: Job,
  target: Target,
  outcome: Outcome | undefined,
  context: Pick<Context, 'nowMs' | 'ages' | 'rng'>,
): Settlement {
  if (outcome === undefined) return { next: 'due' };
  const attempted: Attempted = { job, target, outcome, context };
  switch (outcome.outcome) {
    case 'accepted':
      return receipt(attempted, 'delivered');
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
      return retry(attempted, outcome.retryAfterMs ?? 1000, false);
    case 'config':
    case 'retry':
      return retry(attempted, outcome.retryAfterMs, true);
    case 'ambiguous':
      return afterAmbiguous(attempted);
  }
}

function receipt(
  { job, target, outcome }: Attempted,
  status: Receipt['status'],
  reason?: string,
): Settlement {
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
    },
  };
}

/** `counted`: whether the try counts towards the limit of attempts. */
function retry(
  attempted: Attempted,
  afterMs: number | undefined,
  counted: boolean,
  ambiguous = false,
): Settlement {
  const { job, target, outcome, context } = attempted;
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  if (counted && target.attempts >= limits.attemptsMax) return receipt(attempted, 'failed', reason);
  const backoff = below(context.rng, longestWaitMs(target.attempts) + 1); // full jitter
  const dueMs = context.nowMs + Math.max(afterMs ?? 0, backoff);
  // An expiry before the end of the retry span gives the reason `expired`.
  if (hasExpired(job, dueMs, context.ages)) return expired(attempted);
  // A redriven send counts from its redrive.
  if (isOlderThan(limits.attemptSpanMs, job, dueMs, context.ages))
    return receipt(attempted, 'failed', reason);
  const refusal = refusalOf(outcome);
  return {
    next: 'waiting',
    dueMs,
    counted,
    ambiguous,
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** The provider's last answer goes into the detail. */
function expired({ job: { person }, target: { attempts }, outcome }: Attempted): Settlement {
  const detail = refusalOf(outcome);
  return {
    next: 'done',
    receipt: {
      person,
      status: 'failed',
      reason: 'expired',
      attempts,
      ...(detail === undefined ? {} : { detail }),
    },
  };
}

function afterAmbiguous(attempted: Attempted): Settlement {
  const { job, target } = attempted;
  const { express, bulk } = catalog[target.channel].onAmbiguous;
  const rule = job.origin === undefined ? express : bulk;
  if (rule === 'resend') return retry(attempted, undefined, true, true);
  // Without an idempotency key, recipients would see a second copy: wait for a callback, then try
  // once more.
  if (rule === 'wait_then_resend' && target.ambiguous === 0)
    return retry(attempted, limits.ambiguousWaitMs, true, true);
  return receipt(attempted, 'failed', 'unknown_outcome');
}

/** The reason and detail of a provider's refusal. */
function refusalOf(outcome: Outcome): string | undefined {
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  const detail = 'detail' in outcome ? outcome.detail : undefined;
  if (reason === undefined) return detail;
  return detail === undefined ? reason : `${reason}: ${detail}`;
}
