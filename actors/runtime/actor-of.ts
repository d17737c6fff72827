// Who asked for a change, for notes and for the refusal of an older version.

import type { Message } from '../../engine/actor/message.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import type { PartitionState } from './state.ts';

/** The actor, with the current name of their key, which may be deleted later. */
export function actorOf(
  state: Pick<PartitionState, 'orgs' | 'keys'>,
  message: Message,
): { readonly actor: string; readonly actorName?: string } {
  const { actor = 'system', by } = message as Message & { actor?: string; by?: Ordinal };
  const keyIds = by === undefined ? undefined : state.orgs.get(by)?.keyIds;
  for (const keyId of keyIds ?? []) {
    const key = state.keys.get(keyId);
    if (key?.id === actor) return { actor, actorName: key.name };
  }
  return { actor };
}
