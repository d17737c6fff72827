// A message for another partition, and who gets its answer. Not durable: the sender's clock
// (`tell-clock.ts`) sends again what nobody has confirmed.

import type { Asker } from '../../../engine/actor/asker.ts';
import type { Effect, Message } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';

/** The front asks `to`, and tells `from` what was answered. */
export interface RelayedMessage extends Message {
  readonly kind: 'relay';
  readonly to: Ordinal;
  readonly message: Message;
  readonly from: Ordinal;
  /** What `from` is told, with the answer's members added. */
  readonly confirm: Message;
}

export function relayed(
  to: Ordinal,
  message: Message,
  from: Ordinal,
  confirm: Message & { readonly clientId?: string },
): Effect {
  const relay: RelayedMessage = { kind: 'relay', to, message, from, confirm };
  return { port: 'front', message: relay };
}

/** What the front does about it. A refusal, or no answer, needs nothing: the sender tells again. */
export function carry(
  router: Pick<Asker, 'askThen'>,
  { to, message, from, confirm }: RelayedMessage,
): void {
  router.askThen(to, message, { lane: 'bulk' }, (answer) => {
    if (!answer.ok) return;
    const confirmed = { ...confirm, ...(answer.value as object) };
    router.askThen(from, confirmed, { lane: 'bulk' }, () => undefined);
  });
}
