// Saves that overwrite nobody: each names the version that it began with. If the object was changed
// since, it is read again: what both changed is for the person to decide, and the rest is merged.

import {
  type AnswerOf,
  type ArgumentsOf,
  type CallOptions,
  call,
  type OperationName,
} from './client.ts';
import { ApiError, asApiError } from './errors.ts';
import { type Operations, operations } from './generated.ts';
import { changedIn, hasNewPart, isMembers, isSame, type Members } from './same.ts';

/** What was shown when the edit began: an answer, an item of a list, or its `etag` alone. */
export interface Version {
  readonly etag: string;
}

/** Operations that change a version. */
type SaveName = {
  [Name in OperationName]: Operations[Name] extends { readonly saves: true } ? Name : never;
}[OperationName];

/** `null`: there was nothing, and the call makes it. */
export type BaseOf<Name extends OperationName> = Name extends SaveName
  ? { readonly base: Version | null }
  : { readonly base?: undefined };

/** Two people changed the same. */
export interface Conflict {
  /** An API key's name or a member's address; `undefined` if it is not known. */
  readonly byName: string | undefined;
  readonly by: string | undefined;
  readonly atMs: number | undefined;
  readonly isDelete: boolean;
  /** Keeping mine replaces all of theirs, not the same members alone. */
  readonly isWhole: boolean;
  /** Mine has secrets, which no answer has: what theirs lacks may be one, and is not shown. */
  readonly hasSecrets: boolean;
  readonly base: Members;
  /** As it is now; `undefined` where it cannot be read by itself. */
  readonly theirs: Members | undefined;
  /** What keeping mine makes of the members that the person changed. */
  readonly mine: Members;
}

export type ConflictAnswer = 'mine' | 'theirs' | 'neither';

/** The person kept the other version. */
export class TheirsKept extends ApiError {
  readonly theirs: Members | undefined;
  constructor(theirs: Members | undefined) {
    super({ message: '', status: 412, code: 'theirs_kept' });
    this.theirs = theirs;
  }
}

interface Asker {
  readonly ask: (conflict: Conflict) => Promise<ConflictAnswer>;
  readonly merged: (conflict: Conflict) => void;
}

let asker: Asker | undefined;

/** For the frame, which shows the question above the screen. Returns how to stop. */
export function onConflict(next: Asker): () => void {
  asker = next;
  return () => {
    asker = undefined;
  };
}

/** By any name: the union of all answers is too large for the compiler. */
const callAny = call as unknown as (
  name: string,
  args: object,
  options?: CallOptions,
) => Promise<unknown>;

const triesMax = 5;

/** Which version came of which by a save of this page that merged nothing. */
const own = new Map<string, string>();
const ownMax = 200;

function keepOwn(before: string, answer: unknown): void {
  const after = (answer as Partial<Version> | undefined)?.etag;
  if (after === undefined || after === before) return;
  own.delete(before);
  own.set(before, after);
  const [oldest] = own.keys();
  if (own.size > ownMax && oldest !== undefined) own.delete(oldest);
}

/** Whether only this page changed what it now is: two quick saves of one person are no conflict. */
function isOwn(before: string, now: string): boolean {
  let at: string | undefined = before;
  for (let steps = 0; at !== undefined && steps < ownMax; steps++) {
    at = own.get(at);
    if (at === now) return true;
  }
  return false;
}

/** Members that the API merges, so that two people may change different parts of one. */
const mergedInside: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  updateSettings: ['email', 'keylessEvents'],
  updateSubscriber: ['tags'],
  updateRelay: ['config'],
  updateSharedRelay: ['config'],
};

/** Throws an `ApiError`; a `TheirsKept` if the person gave the save up for the other version. */
export async function callOver<Name extends OperationName>(
  name: Name,
  args: ArgumentsOf<Name>,
  base: Version | null,
  { hasSecrets = false, ...options }: CallOptions & { readonly hasSecrets?: boolean } = {},
): Promise<AnswerOf<Name>> {
  if (base === null) return (await callAny(name, args, options)) as AnswerOf<Name>;
  const { path, body: whole = {} } = args as unknown as {
    readonly path?: Members;
    readonly body?: Members;
  };
  const mine = isMerging(name) ? changedIn(base as unknown as Members, whole) : whole;
  let ifMatch = base.etag;
  let sent: object = args;
  let merged: Conflict | undefined;
  for (let tries = 1; ; tries++) {
    try {
      const answer = await callAny(name, sent, { ...options, ifMatch });
      if (tries === 1) keepOwn(base.etag, answer);
      if (merged !== undefined) asker?.merged(merged);
      return answer as AnswerOf<Name>;
    } catch (error) {
      const refusal = asApiError(error);
      const next = refusal.change?.etag;
      if (isGone(refusal)) throw refused(name, refusal);
      if (refusal.status !== 412 || next == null || tries === triesMax) throw refusal;
      ifMatch = next;
      if (isOwn(base.etag, next)) continue;
      const theirs = await readAgain(name, path);
      const conflict = { ...conflictOf(name, base, theirs, mine, refusal), hasSecrets };
      merged = isApart(name, base, theirs, mine, hasSecrets) ? conflict : undefined;
      const choice = merged === undefined ? ((await asker?.ask(conflict)) ?? 'neither') : 'mine';
      if (choice === 'theirs') throw new TheirsKept(theirs);
      if (choice === 'neither') throw refused(name, refusal);
      if (isMerging(name)) sent = { ...args, body: mine };
      ifMatch = theirs?.etag ?? next;
    }
  }
}

function isGone({ status, field, change }: ApiError): boolean {
  return (status === 404 && field === undefined) || (status === 412 && change?.etag === null);
}

/** The refusal as the person should read it, who knows nothing of versions. */
function refused(name: OperationName, refusal: ApiError): ApiError {
  const { status, code, change, requestId } = refusal;
  const isDelete = operations[name][0] === 'DELETE';
  if (isDelete && status === 404) return refusal;
  const what = isGone(refusal) ? 'deleted' : 'changed';
  const who = change?.byName ?? 'someone';
  const message = `Nothing was ${isDelete ? 'deleted' : 'saved'}: ${who} ${what} this in the meantime.`;
  return new ApiError({ message, status, code, change, requestId });
}

/** Whether the members that the call names, and no others, replace those that can be read. */
function isMerging(name: OperationName): boolean {
  return operations[name][0] === 'PATCH' && readerOf(name) !== undefined;
}

/** The GET of the same address. */
function readerOf(name: OperationName): string | undefined {
  const all: Readonly<Record<string, readonly [method: string, path: string]>> = operations;
  const [, pattern] = operations[name];
  const read = Object.entries(all).find(
    ([, [method, other]]) => method === 'GET' && other === pattern,
  );
  return read?.[0];
}

/** `undefined` if it cannot be read by itself, or the call fails. */
async function readAgain(
  name: OperationName,
  path: Members | undefined,
): Promise<(Members & Version) | undefined> {
  const reader = readerOf(name);
  if (reader === undefined) return undefined;
  try {
    const answer = await callAny(reader, { path });
    const now = answer as Members & Version;
    return typeof now.etag === 'string' ? now : undefined; // a list is not the object
  } catch {
    return undefined; // the question is asked without it
  }
}

function conflictOf(
  name: OperationName,
  base: Version,
  theirs: Members | undefined,
  mine: Members,
  { change }: ApiError,
): Omit<Conflict, 'hasSecrets'> {
  const inside = mergedInside[name] ?? [];
  const shown = Object.entries(mine).map(([member, value]) => {
    const now = theirs?.[member];
    const isPart = inside.includes(member) && isMembers(now) && isMembers(value);
    return [member, isPart ? { ...now, ...value } : value];
  });
  return {
    by: change?.by ?? undefined,
    byName: change?.byName ?? undefined,
    atMs: change?.at == null ? undefined : Date.parse(change.at),
    isDelete: operations[name][0] === 'DELETE',
    isWhole: operations[name][0] === 'PUT',
    base: base as unknown as Members,
    theirs,
    mine: Object.fromEntries(shown) as Members,
  };
}

/** Whether a merge loses nothing: nobody else changed what this call sets. */
function isApart(
  name: OperationName,
  version: Version,
  theirs: Members | undefined,
  mine: Members,
  hasSecrets: boolean,
): boolean {
  if (theirs === undefined || !isMerging(name)) return false;
  const base = version as unknown as Members;
  const inside = mergedInside[name] ?? [];
  return Object.entries(mine).every(([member, value]) => {
    if (!(member in theirs) && !(member in base)) return false; // written only: nobody can tell
    if (isSame(theirs[member], value)) return true;
    const [was, is] = [base[member], theirs[member]];
    if (hasSecrets && hasNewPart(value, was, is)) return false; // as one that is written only
    if (isSame(was, is) && (member in base || is === undefined)) return true;
    if (!inside.includes(member) || !isMembers(was) || !isMembers(is) || !isMembers(value))
      return false;
    return Object.keys(value).every((part) => isSame(was[part], is[part]));
  });
}
