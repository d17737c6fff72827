// Changes made since a backup that its restore must not undo: deleted keys, removed members,
// replaced secrets and credentials, ended sessions, hidden events, opt-outs and their ends. They
// are listed outside backups, and the first start after a restore makes them again, keys first,
// before it serves or sends anything.

import { isDeepStrictEqual } from 'node:util';
import {
  accepted,
  type Context,
  type DocumentWrite,
  type Effect,
  type Entry,
  type Tell,
} from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import type { Millis, Ordinal } from '../../engine/base/brand.ts';
import type { ErasureList } from '../../storage/erasures.ts';
import { type ListedChange, lineOf } from '../../storage/listed-change.ts';
import { subscribers } from '../../storage/tables/subscriber.ts';
import { suppressions } from '../../storage/tables/suppression.ts';
import type { Area } from '../area.ts';
import type { CdpEntry } from '../events/cdp/protocol.ts';
import { readPerson } from '../people/audience/find-person.ts';
import { takesMarketing } from '../people/audience/identity.ts';
import type { AudienceEntry } from '../people/audience/protocol.ts';
import type { AudienceReads } from '../people/audience/reads.ts';
import type { IdentityEntry } from '../people/identity/protocol.ts';
import { withEnded } from '../people/identity/sessions.ts';
import type { AccountsEntry, Caller, DirectoryChanged } from '../tenants/accounts/protocol.ts';
import type { AccountsReads } from '../tenants/accounts/reads.ts';
import type { MailStopsEntry } from '../tenants/mail-stops/protocol.ts';
import type { MailStop } from '../tenants/mail-stops/records.ts';
import type { MembersEntry } from '../tenants/members/protocol.ts';
import type { MembersReads } from '../tenants/members/reads.ts';
import { isRestorePending, type Restored } from './restored.ts';

/** Adds a change to the lists. */
export interface ChangeListed {
  readonly kind: 'change.listed';
  readonly change: ListedChange;
}

export interface RestoreChangesProtocol {
  'restored.change': { body: Caller & { entries: readonly Entry[] }; reply: null };
}

/** Which restore was acted on. */
interface Epoch {
  readonly epoch: number;
}

interface RestoreChangesRules {
  readonly restored?: Restored;
}

/** What this reads of a partition's memory. */
interface Memory {
  readonly orgs: ReadonlyMap<Ordinal, MembersReads>;
  readonly apps: ReadonlyMap<Ordinal, App>;
  readonly keys: ReadonlyMap<string, unknown>;
  readonly mailStops: ReadonlyMap<string, MailStop>;
}

type App = Pick<AudienceReads, 'suppressions' | 'marketingOptOuts' | 'people'> &
  Pick<AccountsReads, 'settings'>;

type AnyEntry =
  | AccountsEntry
  | AudienceEntry
  | IdentityEntry
  | CdpEntry
  | MembersEntry
  | MailStopsEntry;
type Of<Kind extends AnyEntry['kind']> = Extract<AnyEntry, { readonly kind: Kind }>;

/** What an entry decides about, and whether earlier ones about it no longer matter. */
interface Place {
  readonly name: string;
  /** False: it only changes a part of what an earlier one made. */
  readonly isWhole: boolean;
}

const whole = (name: string): Place => ({ name, isWhole: true });

/** In the order in which they are made again. */
const places: { readonly [Kind in AnyEntry['kind']]?: (entry: Of<Kind>) => Place } = {
  'key.deleted': ({ keyId }) => whole(`key ${keyId}`),
  'member.role_changed': ({ memberId }) => whole(`member ${memberId}`),
  'member.removed': ({ memberId }) => whole(`member ${memberId}`),
  'mail_stop.set': ({ hash }) => whole(`mail stop ${hash}`),
  'mail_stop.removed': ({ hash }) => whole(`mail stop ${hash}`),
  'identity.secret_changed': () => whole('identity secret'),
  'identity.token_key_changed': () => whole('token key'),
  'cdp.key_changed': () => whole('write keys'),
  'cdp.removed': () => whole('write keys'),
  'sessions.ended': ({ subscriberId }) => whole(`sessions ${subscriberId}`),
  'credential.stored': ({ credential }) => whole(`credential ${credential.channel}`),
  'credential.deleted': ({ channel }) => whole(`credential ${channel}`),
  'credential.rotated': ({ channel }) => ({ name: `credential ${channel}`, isWhole: false }),
  'events.gone': () => whole('gone events'),
  'suppression.added': ({ identityKey }) => whole(`opt-out ${identityKey}`),
  'suppression.removed': ({ identityKey }) => whole(`opt-out ${identityKey}`),
};

const placeOf = new Map(Object.entries(places)) as ReadonlyMap<string, (entry: Entry) => Place>;
const order = [...placeOf.keys()];
const entriesPerTurn = 200;

/** The line for an entry; `undefined` where a restore may undo it. */
export function changeIn(entry: Entry, atMs: Millis): ListedChange | undefined {
  if (!placeOf.has(entry.kind)) return undefined;
  if (entry.kind !== 'suppression.added') return { entry, atMs };
  const { unsubscribed: _, ...added } = entry as Of<'suppression.added'>;
  // An older entry does not have what its record needs.
  return added.row === undefined ? undefined : { entry: added, atMs };
}

/** Opt-outs and sessions are written together; a key or a secret at once. */
export function listChange(list: ErasureList, change: ListedChange): void {
  const line = lineOf(change);
  if (/^(suppression|sessions)\./.test(change.entry.kind)) list.addLater(line);
  else list.add(line);
}

/** The changes of a decision, for the host thread. */
function changesIn(entries: readonly Entry[], atMs: Millis): readonly Effect[] {
  let effects: Effect[] | undefined;
  for (const entry of entries) {
    const change = changeIn(entry, atMs);
    if (change === undefined) continue;
    effects ??= [];
    effects.push({ port: 'host', message: { kind: 'change.listed', change } as ChangeListed });
  }
  return effects ?? none;
}

const none: readonly Effect[] = [];

/** The newest change about each thing, in the order of `places`. */
export function newestChanges(changes: Iterable<ListedChange>): readonly Entry[] {
  const newest = new Map<string, Entry[]>();
  for (const { entry } of changes) {
    const place = placeOf.get(entry.kind)?.(entry);
    if (place === undefined) continue; // a later version's
    const name = `${entry.owner} ${place.name}`;
    const [first] = newest.get(name) ?? [];
    newest.set(name, place.isWhole || first === undefined ? [entry] : [first, entry]);
  }
  const rank = ({ kind }: Entry) => order.indexOf(kind);
  return [...newest.values()].sort(([a], [b]) => rank(a as Entry) - rank(b as Entry)).flat();
}

/** Makes the changes again whose org or app is here. Ones that the backup has do nothing. */
function changeAgain(state: Memory, changes: readonly Entry[]): Tell[] {
  const tells: Tell[] = [];
  const open = new Map<Ordinal, Entry[]>();
  for (const entry of changes) {
    const { owner } = entry;
    if (!state.apps.has(owner) && !state.orgs.has(owner)) continue;
    let entries = open.get(owner);
    if (entries === undefined || entries.length === entriesPerTurn) {
      entries = [];
      open.set(owner, entries);
      tells.push({
        to: owner,
        message: { kind: 'restored.change', by: -1, entries } as Tell['message'],
      });
    }
    entries.push(entry);
  }
  return tells;
}

const restoreChangesDecisions: Decisions<RestoreChangesProtocol, Memory> = {
  'restored.change': (state, message, context) => {
    const { owner } = context;
    const app = state.apps.get(owner);
    const documents: DocumentWrite[] = [];
    const entries = (message.entries as AnyEntry[]).filter((entry) => {
      if (entry.kind === 'suppression.added')
        return app !== undefined && isOtherOptOut(app, entry, context);
      if (entry.kind !== 'sessions.ended') return isNews(state, app, entry);
      const ended = app && endedAgain(app, entry, context);
      if (ended !== undefined) documents.push(ended);
      return ended !== undefined;
    });
    for (const entry of entries) {
      if (entry.kind !== 'suppression.added' && entry.kind !== 'suppression.removed') continue;
      const value = entry.kind === 'suppression.added' ? entry.row : undefined;
      documents.push({ table: suppressions, key: [entry.identityKey], value });
    }
    const keyIds = entries.flatMap((one) => (one.kind === 'key.deleted' ? [one.keyId] : []));
    const changed: DirectoryChanged = { kind: 'directory.changed', keyIds };
    const effects: Effect[] = keyIds.length === 0 ? [] : [{ port: 'front', message: changed }];
    return accepted(null, { entries, documents, effects });
  },
};

export const restoreChangesArea = {
  name: 'restore changes',
  decide: () => restoreChangesDecisions,
  // Also of `restored.change`: a replay cannot tell those from others, and lists them late.
  announce: (_state, entries, { nowMs }) => changesIn(entries, nowMs),
  clock: ({ restored }: RestoreChangesRules) => ({
    resume: (state: Memory & Epoch) =>
      isRestorePending(state, restored) ? changeAgain(state, restored?.changes?.() ?? []) : [],
  }),
  whenDiskIsFull: ['restored.change'],
} as const satisfies Area<RestoreChangesRules, Memory & Epoch, App, object>;

/** The record of somebody whose tokens have ended since the backup. */
function endedAgain(
  app: App,
  entry: Of<'sessions.ended'>,
  context: Context,
): DocumentWrite | undefined {
  const { subscriberId: id } = entry;
  const row = readPerson(app, { id }, context);
  // Merged in the backup: that ended their tokens.
  const value = row?.id === id ? withEnded(row, entry) : undefined;
  return value && { table: subscribers, key: [value.person], value };
}

function isNews(state: Memory, app: App | undefined, entry: AnyEntry): boolean {
  switch (entry.kind) {
    case 'key.deleted':
      return state.keys.has(entry.keyId);
    case 'member.role_changed': {
      const member = state.orgs.get(entry.owner)?.members.get(entry.memberId);
      return member !== undefined && member.role !== entry.role;
    }
    case 'member.removed':
      return state.orgs.get(entry.owner)?.members.has(entry.memberId) === true;
    case 'mail_stop.set':
      return state.mailStops.get(entry.hash)?.reason !== entry.stop.reason;
    case 'mail_stop.removed':
      return state.mailStops.has(entry.hash);
    case 'events.gone':
      return app !== undefined && entry.beforeMs > (app.settings.goneBeforeMs ?? 0);
    case 'suppression.removed':
      return app !== undefined && !takesMarketing(app, entry.identityKey);
    default:
      return app !== undefined;
  }
}

/** Whether the backup has another opt-out of the address, or none. */
function isOtherOptOut(
  app: App,
  { identityKey, row }: Of<'suppression.added'>,
  { documents }: Context,
): boolean {
  if (takesMarketing(app, identityKey)) return true;
  return !isDeepStrictEqual(documents.get(suppressions, [identityKey]), row);
}
