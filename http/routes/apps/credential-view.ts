// The wire shape of a credential. Uploads are sealed and never read back; the fingerprint only
// distinguishes them.

import { z } from 'zod';
import { catalog, credentialNames } from '../../../actors/channels/catalog.ts';
import { type CredentialName, channelIds } from '../../../actors/channels/channel-ids.ts';
import { notFound } from '../../../actors/faults.ts';
import { credentialEtag } from '../../../actors/tenants/accounts/account-etags.ts';
import type { CredentialView } from '../../../actors/tenants/accounts/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { exampleEtag, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

export const credentialSchema = z
  .object({
    channel: z.enum(credentialNames),
    fingerprint: z.string().describe('Identifies the uploaded version; not a secret.'),
    etag: etagSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Credential',
    examples: [
      {
        channel: 'carrier',
        fingerprint: '9f86d081884c7d65',
        etag: exampleEtag,
        updatedAt: exampleInstant(),
      },
    ],
  });

export const credentialParam = `One of ${credentialNames.map((name) => `\`${name}\``).join(', ')}. Use \`carrier\` for sms and voice.`;

export function credentialView(credential: CredentialView) {
  const { channel, fingerprint, updatedMs } = credential;
  const etag = credentialEtag(credential);
  return { channel, fingerprint, etag, updatedAt: instant(updatedMs) };
}

/** The path's credential. Throws `not_found`, with a hint if the channel shares another's. */
export function credentialNamed(text: string): CredentialName {
  const name = credentialNames.find((known) => known === text);
  if (name !== undefined) return name;
  const channel = channelIds.find((known) => known === text);
  const other = channel && catalog[channel].credential;
  const hint = other === undefined ? credentialNames.join(', ') : other;
  throw new FaultError({
    ...notFound('channel'),
    message: `channel: ${text.slice(0, 64)} has no credential of its own; use ${hint}`,
    field: 'channel',
  });
}
