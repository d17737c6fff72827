// Idempotency keys of logins. A login spends the only proof that a first claim has, so its answer
// must be had again if it is lost. Whoever sends the key and the body gets the token: the key is a
// secret of the client, and the edge refuses short ones. Rows are in a table, not in memory, as
// strangers make them; each new one removes expired neighbors, random ones, as keys are hashes.

import { hash } from 'node:crypto';
import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  refused,
} from '../../../engine/actor/message.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { bytesOfWords } from '../../../engine/base/words.ts';
import { type LoginKeyRow, loginKeys } from '../../../storage/tables/login-key.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { keyUsedFault } from '../../faults.ts';
import { clientTokenOf } from './client-token.ts';
import type { Keyring } from './keyring.ts';
import type { IdentityView } from './memory.ts';
import type { IdentityProtocol, Login, LoginClaim } from './protocol.ts';
import { isSessionOpen, type Session } from './sessions.ts';

type LoginReply = IdentityProtocol['sdk.login']['reply'];

const keptMs: Millis = dayMs;
/** More than one expired row for each new one, so that a table that was larger shrinks. */
const neighbors = 4;

/** The answer to a login whose key was used before; `undefined` for a free key. */
export function earlierLogin(
  app: IdentityView,
  claim: LoginClaim,
  { tokenKey }: Pick<Login, 'tokenKey'>,
  keyring: Keyring,
  context: Context,
): Decision<LoginReply> | undefined {
  const row = context.documents.get(loginKeys, [keyOf(claim)]);
  if (row === undefined || isExpired(row, context)) return undefined;
  const [high, low] = claim.fingerprint;
  if (row.fingerprint[0] !== high || row.fingerprint[1] !== low) return refused(keyUsedFault);
  const person = context.documents.get(subscribers, [row.person]);
  if (person === undefined || !isSessionOpen(app, person, row.session, context))
    return refused(sessionOver);
  const key = keyring.tokenKey(app.identity, tokenKey, context);
  if ('fault' in key) return refused(key.fault);
  const clientToken = clientTokenOf(key.bytes, { subscriberId: person.id, session: row.session });
  if (checkOf(clientToken) !== row.token) return refused(sessionOver);
  return accepted({ subscriberId: person.id, clientToken, keylessCreated: 0, replayed: true });
}

/** What a login with a key stores besides its own. */
export function loginKeyWrites(
  claim: LoginClaim,
  { person }: Pick<SubscriberRow, 'person'>,
  session: Session,
  clientToken: string,
  context: Context,
): DocumentWrite[] {
  const key = keyOf(claim);
  const { generation, number, proof } = session;
  const value: LoginKeyRow = {
    person,
    session: { generation, number, proof },
    fingerprint: claim.fingerprint,
    token: checkOf(clientToken),
    atMs: context.nowMs,
  };
  const writes: DocumentWrite[] = [{ table: loginKeys, key: [key], value }];
  const near = context.documents.range(loginKeys, { from: [key], limit: neighbors + 1 });
  for (const { key: other, value: row } of near)
    if (isExpired(row, context) && !isSame(other[0], key))
      writes.push({ table: loginKeys, key: other, value: undefined });
  return writes;
}

const sessionOver = fieldFault(
  'idempotencyKey',
  'the session of this login has ended; log in with another key',
  'invalid_client_token',
);

function isExpired({ atMs }: LoginKeyRow, { nowMs, ages }: Context): boolean {
  return atMs <= ages.cutMs(nowMs, keptMs);
}

function keyOf({ key }: LoginClaim): Uint8Array {
  return bytesOfWords(Uint32Array.from(key));
}

function isSame(one: unknown, other: Uint8Array): boolean {
  return one instanceof Uint8Array && Buffer.compare(one, other) === 0;
}

function checkOf(clientToken: string): number {
  return Number.parseInt(hash('sha256', clientToken).slice(0, 8), 16);
}
