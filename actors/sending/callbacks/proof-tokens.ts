// Proofs that cover a token instead of the body of their call (Mailgun's). A token proves the body
// with which it came first: the service may repeat that call, and nobody can tell another one with
// it. The relay's owner remembers both for a day, longer than a call may be old, and all fronts ask
// it, before and after a restart.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { Hash64 } from '../../../engine/base/hash.ts';
import { seenIdOf, wasSeen } from '../../events/seen-ids.ts';
import type { CallbacksMemory } from './memory.ts';
import type { CallbacksEntry, CallbacksProtocol } from './protocol.ts';

/** Whether the token proves this body. */
export function useToken(
  state: CallbacksMemory,
  { relayId, token, bodyHash }: CallbacksProtocol['callback.proof']['body'],
  context: Context,
): Decision<boolean> {
  const name = `${relayId} ${token}`;
  const alone = seenIdOf(state, name, context);
  const withBody = seenIdOf(state, `${name} ${bodyHash}`, context);
  // A partition without a key has nobody's relays yet.
  if (alone === undefined || withBody === undefined) return accepted(false);
  if (wasSeen(state, alone, context)) return accepted(wasSeen(state, withBody, context));
  const { owner, nowMs: atMs } = context;
  const entry: CallbacksEntry = {
    kind: 'proof.used',
    owner,
    hashes: [alone, withBody].flatMap(({ high, low }: Hash64) => [high, low]),
    atMs,
  };
  return accepted(true, { entries: [entry] });
}
