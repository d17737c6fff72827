// A login: anonymous at first, then known by a new external id or by a merge into the person who
// has it. One decision, so a crash leaves it done or not begun. A known person is never merged:
// their token with another external id is refused, because the tenant means two people. Whoever
// becomes someone gets a new token, and the token from before ends: a stranger may have planted it.

import type { Context, Decision, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import { accepted, refused } from '../../../engine/actor/message.ts';
import { type Millis, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { encodeDrafts } from '../../events/log/drafts.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import { fault } from '../../faults.ts';
import { readPerson } from '../audience/find-person.ts';
import type { AudienceEntry, SubscriberInput } from '../audience/protocol.ts';
import { upsert } from '../audience/upsert.ts';
import type { KeylessQuota } from '../keyless.ts';
import { addressLimitReached, appLimitReached, mayCreateKeyless } from '../keyless.ts';
import { checkClaim } from './claim.ts';
import { clientTokenOf } from './client-token.ts';
import type { Bearer, Keyring } from './keyring.ts';
import { earlierLogin, loginKeyWrites } from './login-keys.ts';
import type { IdentityView } from './memory.ts';
import { hasRoom, type MergingAreas, merge } from './merge.ts';
import type { IdentityProtocol, Login, LoginClaim } from './protocol.ts';
import {
  endSession,
  endSessions,
  endsSessions,
  openSession,
  type Session,
  sessionsEnded,
} from './sessions.ts';

type LoginReply = IdentityProtocol['sdk.login']['reply'];

/** The person of a login, before its own changes. */
interface Resolved {
  readonly existing: SubscriberRow | undefined;
  readonly entries: readonly Entry[];
  readonly documents: readonly DocumentWrite[];
  /** An unvouched new person: counts against the app's limit. */
  readonly keyless: boolean;
  /** Whether `existing` differs from the stored record. */
  readonly isChanged?: boolean;
  /** Continues; absent to open a new one. */
  readonly session?: Session;
  /** The number of the identity secret that vouches for the claim; 0 for none. */
  readonly proof: number;
}

interface LoginRules {
  readonly keyring: Keyring;
  readonly everyArea: MergingAreas;
}

/** Decides one `POST /v1/sdk/subscriber`; `room` is what its address may still create. */
export function logIn(
  app: IdentityView,
  login: Login,
  room: KeylessQuota | undefined,
  claim: LoginClaim | null,
  rules: LoginRules,
  context: Context,
): Decision<LoginReply> {
  const { keyring } = rules;
  const earlier = claim === null ? undefined : earlierLogin(app, claim, login, keyring, context);
  if (earlier !== undefined) return earlier;
  const resolved = resolve(app, login, rules, context);
  if ('fault' in resolved) return refused(resolved.fault);
  const isNew = resolved.existing === undefined;
  const exhausted = isNew && resolved.keyless ? quotaFault(app, room, context.nowMs) : undefined;
  if (exhausted !== undefined) return refused(exhausted);
  const key = keyring.tokenKey(app.identity, login.tokenKey, context);
  if ('fault' in key) return refused(key.fault);
  const applied = applyInput(app, login, resolved, context);
  if ('fault' in applied) return refused(applied.fault);
  const { entries } = applied;
  const { row, session: open, documents } = withSession(applied, resolved, context);
  const { owner, nowMs: atMs } = context;
  const isProven = resolved.proof > 0 && app.monthlyActive.isUnvouched(row.person);
  const vouching: AudienceEntry[] = isProven
    ? [{ kind: 'subscriber.changed', owner, person: row.person, atMs, vouched: true }]
    : [];
  const session: EventsEntry = {
    kind: 'events.tracked',
    owner,
    atMs,
    keyless: true,
    ...(open.proof > 0 ? { proven: row.person } : {}),
    batch: encodeDrafts([{ name: 'session', person: row.person, atMs }], atMs),
  };
  const clientToken = clientTokenOf(key.bytes, { subscriberId: row.id, session: open });
  const ended = isNew ? [] : endedBy(row, context);
  const claimed = claim === null ? [] : loginKeyWrites(claim, row, open, clientToken, context);
  return accepted(
    {
      subscriberId: row.id,
      clientToken,
      keylessCreated: isNew && resolved.keyless ? 1 : 0,
      replayed: false,
    },
    {
      entries: [...key.entries, ...entries, ...ended, ...vouching, session],
      documents: [...documents, ...claimed],
    },
  );
}

/** The entry about tokens that end with this login. */
function endedBy(row: SubscriberRow, { owner, documents }: Context): Entry[] {
  const stored = documents.get(subscribers, [row.person]);
  return stored !== undefined && endsSessions(stored, row) ? [sessionsEnded(owner, row)] : [];
}

/** Finds the person, or the fault. */
function resolve(
  app: IdentityView,
  { externalUserId, identityHash, clientToken }: Login,
  { keyring, everyArea }: LoginRules,
  context: Context,
): Resolved | { readonly fault: Fault } {
  let token: Bearer | undefined;
  if (clientToken !== undefined) {
    const read = keyring.read(app, clientToken, context);
    if ('fault' in read) return read;
    token = read;
  }
  const bearer = token?.row;
  if (externalUserId === undefined) {
    if (identityHash !== undefined)
      return { fault: fieldFault('identityHash', 'needs the externalUserId it proves') };
    return token === undefined ? newcomer(0) : { ...as(token.row, 0), session: token.session };
  }
  const known = readPerson(app, { externalUserId }, context);
  const claim = { externalUserId, identityHash, known, bearer };
  const judged = checkClaim(app, claim, keyring, context);
  if ('fault' in judged) return judged;
  const { proof } = judged;
  if (token === undefined || bearer === undefined)
    return known === undefined ? newcomer(proof) : as(known, proof);
  if (bearer.externalUserId === externalUserId) return continued(token, proof);
  if (bearer.externalUserId !== undefined) {
    const problem =
      'belongs to a person with another externalUserId; omit it to log in as someone else';
    return { fault: fieldFault('clientToken', problem, 'wrong_state') };
  }
  if (known === undefined) {
    const { owner } = context;
    const { person } = bearer;
    const identified: AudienceEntry = {
      kind: 'subscriber.identified',
      owner,
      person,
      externalUserId,
    };
    return { ...as({ ...endSessions(bearer), externalUserId }, proof), entries: [identified] };
  }
  if (!hasRoom(app, known)) {
    const value = endSessions(bearer);
    const ended = { table: subscribers, key: [bearer.person], value };
    const entries = [sessionsEnded(context.owner, value)];
    return { ...as(known, proof), entries, documents: [ended] };
  }
  const { row, entries, documents } = merge(app, bearer, known, everyArea, context, proof > 0);
  // A restore may bring them back as two people.
  const ended = sessionsEnded(context.owner, endSessions(bearer));
  return { entries: [...entries, ended], documents, existing: row, keyless: false, proof };
}

function as(existing: SubscriberRow, proof: number): Resolved {
  return { existing, entries: [], documents: [], keyless: false, proof };
}

function newcomer(proof: number): Resolved {
  return { existing: undefined, entries: [], documents: [], keyless: proof === 0, proof };
}

/** A person's own token. Proof opens a new session: before, the token could be anyone's. */
function continued({ row, session }: Bearer, proof: number): Resolved {
  if (proof > 0 && session.proof === 0)
    return { ...as(endSession(row, session), proof), isChanged: true };
  return { ...as(row, proof), session: { ...session, proof: Math.max(session.proof, proof) } };
}

/** The person's session, and their record with what the login changes in it. */
function withSession(
  { row: before, documents }: Applied,
  { existing, isChanged = false, session, proof }: Resolved,
  { rng }: Context,
): {
  readonly row: SubscriberRow;
  readonly session: Session;
  readonly documents: readonly DocumentWrite[];
} {
  let row = before;
  if (row.unclaimed === true) {
    const { unclaimed: _, ...claimed } = row;
    row = claimed;
  }
  if (proof > 0 && row.proven !== true) {
    // Whoever claimed this id without proof may be someone else.
    row = { ...(existing === undefined ? row : endSessions(row)), proven: true };
  }
  const open = session ?? openSession(row, proof, rng);
  const isStored = documents.some(({ value }) => value === before);
  if (row === before && (isStored || !isChanged)) return { row, session: open, documents };
  const others = documents.filter(({ value }) => value !== before);
  const write: DocumentWrite = { table: subscribers, key: [row.person], value: row };
  return { row, session: open, documents: [...others, write] };
}

/** The fault if the address or the app has created too many people without an API key. */
function quotaFault(
  app: IdentityView,
  room: KeylessQuota | undefined,
  nowMs: Millis,
): Fault | undefined {
  if (room !== undefined && room.mayCreate < 1) {
    const { retryAfterSeconds } = room;
    return fault('rate_limited', addressLimitReached, { retryAfterSeconds });
  }
  if (mayCreateKeyless(app, room, 0, nowMs)) return undefined;
  const retryAfterSeconds = Math.ceil((minuteMs - (nowMs % minuteMs)) / secondMs);
  return fault('rate_limited', appLimitReached(app.settings), { retryAfterSeconds });
}

interface Applied {
  readonly row: SubscriberRow;
  readonly entries: readonly Entry[];
  readonly documents: readonly DocumentWrite[];
}

/** Writes the call's time zone and language, unless nothing changes. */
function applyInput(
  app: IdentityView,
  { externalUserId, timezone, language }: Login,
  { existing, entries, documents, keyless, proof }: Resolved,
  context: Context,
): Applied | { readonly fault: Fault } {
  const hasChange =
    (timezone !== undefined && timezone !== existing?.timezone) ||
    (language !== undefined && language !== existing?.tags['language']);
  if (existing !== undefined && entries.length === 0 && !hasChange)
    return { row: existing, entries, documents };
  const input: SubscriberInput = {
    ...(existing === undefined && externalUserId !== undefined ? { externalUserId } : {}),
    ...(timezone === undefined ? {} : { timezone }),
    ...(language === undefined ? {} : { tags: { language } }),
  };
  const applied = upsert(app, input, existing, context, {
    ...(keyless && { keyless: {} }),
    vouched: proof > 0,
  });
  if ('fault' in applied) return applied;
  return {
    row: applied.row,
    entries: [...entries, ...applied.entries],
    documents: [...documents, ...applied.documents],
  };
}
