// Replaces a credential after its provider changed a part (a refresh token good for one use). The
// dispatcher reports the new one, which is used only once durable. The replaced one is identified
// by its content, so that a repeated report is kept once and one overtaken by an upload changes
// nothing. The tenant sees the upload's fingerprint and time.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { SealError } from '../../../storage/sealed.ts';
import { fingerprintOf } from '../../channels/port/fingerprint.ts';
import { fault } from '../../faults.ts';
import { credentialPlace, type Sealer } from '../../sealer.ts';
import type { AccountsView } from './memory.ts';
import type { AccountsEntry, AccountsProtocol } from './protocol.ts';
import type { CredentialRecord } from './records.ts';

/** Stores a rotated credential in place of the one it was made from. */
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
    return refused(fault('wrong_state', `the stored ${channel} credential cannot be decrypted`));
  if (stored === fingerprintOf(credential)) return accepted('kept');
  if (stored !== replaces) return accepted('superseded');
  const sealed = sealer.seal(JSON.stringify(credential), credentialPlace(owner, channel), rng);
  const entry: AccountsEntry = { kind: 'credential.rotated', owner, channel, sealed, atMs: nowMs };
  return accepted('kept', { entries: [entry] });
}

/** The rotated credential, if its original is uploaded again, so that no spent token returns. */
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
