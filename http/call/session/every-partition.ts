// Asks every partition the same: for what no id leads to, such as an address. Partitions are few,
// and each is asked through one of its slots.

import type { Message } from '../../../engine/actor/message.ts';
import type { ProtocolShape, ReplyOf } from '../../../engine/actor/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Asked } from '../call.ts';
import type { CallEdge } from '../call-edge.ts';

/** Throws if one of them refuses. */
export async function askEveryPartition<
  P extends ProtocolShape<P>,
  K extends keyof P & string = keyof P & string,
>(
  { config, router }: Pick<CallEdge, 'config' | 'router'>,
  kind: K,
  body: Asked<P, K>,
): Promise<ReplyOf<P, K>[]> {
  const message = { ...body, kind, by: -1 } as unknown as Message;
  const slots = Array.from({ length: config.partitions }, (_, partition) => partition);
  const answers = await Promise.all(slots.map((slot) => router.ask(slot, message)));
  return answers.map((answer) => {
    if (!answer.ok) throw new FaultError(answer.fault);
    return answer.value as ReplyOf<P, K>;
  });
}
