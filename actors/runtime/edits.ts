// `If-Match`: a change whose caller has not seen the newest version is refused, in the turn that
// would make it, so that of two callers with one tag only the first succeeds. Every change by a
// caller leaves who made it, for the refusal of the next.

import {
  type Context,
  type Decision,
  type DocumentWrite,
  type Message,
  refused,
} from '../../engine/actor/message.ts';
import { type Editor, type LastEditRow, lastEdits } from '../../storage/tables/last-edit.ts';
import type { Accepted, Editable, EditableOf } from '../area.ts';
import { fault } from '../faults.ts';
import { actorOf } from './actor-of.ts';
import type { AnyArea } from './areas.ts';
import type { PartitionState } from './state.ts';

/** Tags of versions, or `*` for whatever there is. */
type IfMatch = '*' | readonly string[];

interface EditMessage extends Message {
  readonly actor?: string;
  readonly ifMatch?: IfMatch;
}

interface Edit {
  readonly find: EditableOf<PartitionState>;
  readonly isEnd: boolean;
}

/** By kind of message. */
export function editsOf(areas: readonly AnyArea[]): ReadonlyMap<string, Edit> {
  const all = new Map<string, Edit>();
  for (const { edits = {}, ends = {} } of areas) {
    for (const [kind, find] of Object.entries(edits)) all.set(kind, { find, isEnd: false });
    for (const [kind, find] of Object.entries(ends)) all.set(kind, { find, isEnd: true });
  }
  return all;
}

/** A decision about a change: `decide` is asked only if the caller has seen the newest version. */
export function decideEdit(
  { find, isEnd }: Edit,
  state: PartitionState,
  message: EditMessage,
  context: Context,
  decide: () => Decision,
): Decision {
  const before = find(state, message as never, context);
  const { ifMatch } = message;
  // What is not there is the decision's own 404, unless the decision would make it.
  const isStale = ifMatch !== undefined && before?.etag !== undefined && !has(ifMatch, before.etag);
  if (isStale) return refused(changedFault(state, before, message, context));
  const decision = decide();
  if (decision.outcome === 'refused') return decision;
  if (ifMatch !== undefined && before?.etag === undefined) return refused(goneFault);
  return before === undefined
    ? decision
    : withEditor(decision, before, isEnd, state, message, context);
}

function has(ifMatch: IfMatch, etag: string): boolean {
  return ifMatch === '*' || ifMatch.includes(etag);
}

function withEditor(
  decision: Accepted,
  { key, etag }: Editable,
  isEnd: boolean,
  state: PartitionState,
  message: EditMessage,
  { nowMs, documents: stored }: Context,
): Accepted {
  const { entries = [], documents = [] } = decision;
  const isByCaller = message.actor !== undefined;
  if (key === undefined || entries.length === 0 || !(isEnd || isByCaller)) return decision;
  const earlier = isEnd ? undefined : editorOf(stored.get(lastEdits, [key]), etag);
  const row: LastEditRow | undefined = isEnd
    ? undefined
    : {
        ...actorOf(state, message),
        atMs: nowMs,
        ...(etag === undefined ? {} : { from: etag }),
        ...(earlier === undefined ? {} : { earlier }),
      };
  const write: DocumentWrite = { table: lastEdits, key: [key], value: row };
  return { ...decision, documents: [...documents, write] };
}

/** Who made a version; not who saved it once more as it was. */
function editorOf(row: LastEditRow | undefined, etag: string | undefined): Editor | undefined {
  if (row === undefined) return undefined;
  const { from, earlier, ...editor } = row;
  return from !== undefined && from === etag ? earlier : editor;
}

/** Nobody is named where something else changed it since, such as the end of a schedule. */
function changedFault(
  state: PartitionState,
  { key, etag, changedMs }: Editable,
  { by }: EditMessage & { readonly by?: number },
  { documents }: Context,
) {
  const row = key === undefined ? undefined : editorOf(documents.get(lastEdits, [key]), etag);
  const last = row !== undefined && (changedMs ?? row.atMs) <= row.atMs ? row : undefined;
  const member = last && state.orgs.get(by ?? -1)?.members.get(last.actor);
  const name = last?.actorName ?? member?.email ?? null;
  const atMs = last?.atMs ?? changedMs ?? null;
  const who = name ?? last?.actor;
  const byWhom = who === undefined ? '' : ` by ${who}`;
  const when = atMs === null ? '' : ` at ${new Date(atMs).toISOString()}`;
  return fault(
    'changed',
    `If-Match: this was changed${byWhom}${when}, after you read it; read it again`,
    {
      field: 'If-Match',
      change: { by: last?.actor ?? null, byName: name, atMs, etag: etag ?? null },
    },
  );
}

const goneFault = fault('changed', 'If-Match: there is no such thing; read it again', {
  field: 'If-Match',
  change: { by: null, byName: null, atMs: null, etag: null },
});
