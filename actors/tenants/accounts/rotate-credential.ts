// A credential whose provider has replaced a part of it (a refresh token that is good for one use).
// The dispatcher that made the call hands the whole of it back, and it is used only once this is
// durable. What a reader would get wrong: what it replaces is named by what was inside, not by when
// it was stored, so that a hand-back which comes twice is kept once and one that a fresh upload
// overtook changes nothing. What the tenant sees (fingerprint, time) stays that of the upload.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { SealError } from '../../../storage/sealed.ts';
import { fingerprintOf } from '../../channels/credentials.ts';
import { fault } from '../../faults.ts';
import { credentialPlace, type Sealer } from '../../sealer.ts';
import type { AccountsEntry, AccountsProtocol } from './protocol.ts';
import type { CredentialRecord } from './records.ts';
import type { AccountsView } from './view.ts';

/** Keeps a rotated credential in the place of the one that it was made from. */
export function rotateCredential(
  app: AccountsView,
  { channel, credential, replaces }: AccountsProtocol['credential.rotate']['body'],
  sealer: Sealer,
  { owner, nowMs, rng }: Context,
): Decision<AccountsProtocol['credential.rotate']['reply']> {
  const kept = app.credentials.get(channel);
  if (kept === undefined) return accepted('superseded');
  const stored = storedFingerprint(kept, sealer, owner);
  if (stored === undefined)
    return refused(fault('conflict', `the stored ${channel} credential cannot be decrypted`));
  if (stored === fingerprintOf(credential)) return accepted('kept');
  if (stored !== replaces) return accepted('superseded');
  const sealed = sealer.seal(JSON.stringify(credential), credentialPlace(owner, channel), rng);
  const entry: AccountsEntry = { kind: 'credential.rotated', owner, channel, sealed, atMs: nowMs };
  return accepted('kept', { entries: [entry] });
}

/**
 * What of a stored credential outlives an upload of the very body that it was rotated from: a
 * set-up that is applied again must not bring a spent token back. Nothing where the upload is
 * another, or what is stored does not open.
 */
export function rotatedSince(
  app: AccountsView,
  { channel, fingerprint }: Pick<CredentialRecord, 'channel' | 'fingerprint'>,
  sealer: Sealer,
  owner: Ordinal,
): Pick<CredentialRecord, 'sealed' | 'rotations'> | undefined {
  const kept = app.credentials.get(channel);
  if (kept?.rotations === undefined || kept.fingerprint !== fingerprint) return undefined;
  if (storedFingerprint(kept, sealer, owner) === undefined) return undefined;
  return { sealed: kept.sealed, rotations: kept.rotations };
}

function storedFingerprint(
  { channel, sealed }: CredentialRecord,
  sealer: Sealer,
  owner: Ordinal,
): string | undefined {
  try {
    return fingerprintOf(JSON.parse(sealer.open(sealed, credentialPlace(owner, channel))));
  } catch (error) {
    if (error instanceof SealError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
