// A call with an idempotency key: without an answer it is made once more, because the service sends
// nothing twice. What is still unanswered then may have been sent, and no other relay may have it.

import type { Outbound, OutboundCall, OutboundResult } from '../outbound/outbound-call.ts';

export async function keyedCall(outbound: Outbound, call: OutboundCall): Promise<OutboundResult> {
  const first = await outbound.call(call);
  if (first.kind !== 'unanswered') return first;
  // Not asked again whether it may begin: it may be out already.
  const { mayBegin: _asked, ...again } = call;
  const second = await outbound.call(again);
  return second.kind === 'answered' && second.status < 500 && second.status !== 429
    ? second
    : first;
}
