// The sessions that a decision ends or changes, whatever area it belongs to: fronts drop them
// before the call is answered.

import type { Effect, Entry } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { directoryChanged } from '../accounts/decide.ts';
import type { AccountsEntry } from '../accounts/protocol.ts';
import type { MembersEntry } from '../members/protocol.ts';
import type { SessionsMemory } from './memory.ts';
import type { SessionsEntry } from './protocol.ts';
import type { SessionHolder } from './records.ts';

type Ending = AccountsEntry | MembersEntry | SessionsEntry;

const kinds: ReadonlySet<string> = new Set([
  'app.deleted',
  'key.deleted',
  'member.removed',
  'member.role_changed',
  'org.changed',
  'session.ended',
  'session.opened',
] satisfies Ending['kind'][]);

const none: readonly Effect[] = [];

export function signOutsIn(state: SessionsMemory, entries: readonly Entry[]): readonly Effect[] {
  let ended: string[] | undefined;
  for (const entry of entries) {
    if (!kinds.has(entry.kind)) continue;
    ended ??= [];
    ended.push(...endedBy(state, entry as Ending));
  }
  return ended === undefined || ended.length === 0 ? none : [directoryChanged(ended)];
}

/** By the `keyId` of their tokens. */
function endedBy(state: SessionsMemory, entry: Ending): readonly string[] {
  const { owner } = entry;
  switch (entry.kind) {
    case 'session.ended':
      return [entry.keyId];
    case 'session.opened':
      return entry.ended;
    case 'member.removed':
    case 'member.role_changed': // ends none: fronts ask again, and hear the new role
      return held(state, owner, (by) => by.kind === 'member' && by.memberId === entry.memberId);
    case 'key.deleted':
      return held(state, owner, (by) => by.kind === 'key' && by.keyId === entry.keyId);
    case 'app.deleted':
      return heldByKeysOf(state, owner);
    case 'org.changed': // also its limits, which grants carry
      return held(state, owner, () => true);
    default:
      return [];
  }
}

function heldByKeysOf(state: SessionsMemory, app: Ordinal): readonly string[] {
  const record = state.apps.get(app)?.record;
  if (record === undefined) return [];
  return held(
    state,
    record.org,
    (by) => by.kind === 'key' && state.keys.get(by.keyId)?.appId === record.id,
  );
}

function held(
  { orgs }: Pick<SessionsMemory, 'orgs'>,
  org: Ordinal,
  isHolder: (holder: SessionHolder) => boolean,
): readonly string[] {
  const sessions = [...(orgs.get(org)?.sessions.values() ?? [])];
  return sessions.filter(({ holder }) => isHolder(holder)).map(({ keyId }) => keyId);
}
