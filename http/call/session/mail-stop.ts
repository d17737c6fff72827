// Who wants no mails of the platform: asked before each of them, and set by the link in one or by a
// bounce. An address is known by its hash, which also names the slot that keeps it.

import { mailHash } from '../../../actors/channels/email/return-path.ts';
import { mailStopPlace, type Sealer } from '../../../actors/sealer.ts';
import type { MailStopReason } from '../../../actors/tenants/mail-stops/records.ts';
import type { Asker } from '../../../engine/actor/asker.ts';
import type { Message } from '../../../engine/actor/message.ts';
import { slotCount } from '../../../engine/actor/placement.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { hash32 } from '../../../engine/base/hash.ts';
import type { Rng } from '../../../engine/base/rng.ts';

/** Resolves to whether it is stored. Without a reason, mails may go there again. */
export async function stopMails(
  router: Pick<Asker, 'ask'>,
  hash: string,
  reason: MailStopReason | undefined,
): Promise<boolean> {
  const message = { kind: 'mail_stop.set', by: -1, hash, reason } as Message;
  return (await router.ask(slotOfHash(hash), message)).ok;
}

/** Throws where nobody can say. */
export async function areStopped(router: Pick<Asker, 'ask'>, email: string): Promise<boolean> {
  const hash = mailHash(email);
  const message = { kind: 'mail_stop.is_set', by: -1, hash } as Message;
  const answer = await router.ask(slotOfHash(hash), message);
  if (!answer.ok) throw new FaultError(answer.fault);
  return answer.value === true;
}

/** The page behind the link in a mail. The token seals the address, so nobody stops another's. */
export function stopUrl(publicUrl: string, sealer: Sealer, email: string, rng: Rng): string {
  const sealed = sealer.seal(email, mailStopPlace(), rng);
  return `${publicUrl.replace(/\/+$/, '')}/stop/${Buffer.from(sealed).toString('base64url')}`;
}

/** The address of a link; `undefined` if it is not ours. */
export function openStop(sealer: Sealer, token: string): string | undefined {
  try {
    return sealer.open(Buffer.from(token, 'base64url'), mailStopPlace());
  } catch {
    return undefined; // forged, damaged, or sealed under a key that was retired
  }
}

function slotOfHash(hash: string): number {
  return hash32(hash) % slotCount;
}
