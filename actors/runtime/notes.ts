// Tells the org's audit log about changes that areas have noted.

import type { Context, Entry, Message, Tell } from '../../engine/actor/message.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import type { NoteText } from '../audit-note.ts';
import type { AuditNote } from '../insight/audit/protocol.ts';
import type { AccountsEntry } from '../tenants/accounts/protocol.ts';
import { actorOf } from './actor-of.ts';
import { byKind } from './by-kind.ts';
import type { PartitionState } from './state.ts';

type NoteOf = (
  state: PartitionState,
  entry: Entry,
  context: Context,
  message: Message,
) => NoteText | undefined;
type NoteOfCall = (message: Message, entries: readonly Entry[]) => NoteText | undefined;

const notes = byKind(({ notes }) => notes) as ReadonlyMap<string, NoteOf>;
const notesOfCalls = byKind(({ notesOfCalls }) => notesOfCalls) as ReadonlyMap<string, NoteOfCall>;

/** The tells that write notes about a message; empty for nearly every message. */
export function notesOf(
  state: PartitionState,
  message: Message,
  entries: readonly Entry[],
  context: Context,
): readonly Tell[] {
  const tells: Tell[] = [];
  const whole = notesOfCalls.get(message.kind)?.(message, entries);
  if (whole !== undefined) tell(context.owner, whole);
  for (const entry of entries) {
    const note = notes.get(entry.kind)?.(state, entry, context, message);
    if (note !== undefined) tell(entry.owner, note, entry);
  }
  return tells;

  function tell(owner: Ordinal, { before, after, actor, ...text }: NoteText, entry?: Entry): void {
    const app = state.apps.get(owner)?.record ?? appMade(entry);
    const org = app?.org ?? owner;
    const note: AuditNote = {
      ...text,
      ...(actor === undefined ? actorOf(state, message) : { actor }),
      atMs: context.nowMs,
      ...(app === undefined ? {} : { appId: app.id, appName: app.name }),
      ...(before === undefined ? {} : { before: withoutUndefined(before) }),
      ...(after === undefined ? {} : { after: withoutUndefined(after) }),
    };
    tells.push({ to: org, message: { kind: 'audit.note', by: -1, note } as Message });
  }
}

function appMade(entry: Entry | undefined) {
  return entry?.kind === 'app.created'
    ? (entry as Extract<AccountsEntry, { kind: 'app.created' }>).app
    : undefined;
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
