// The wire shape of an uploaded credential, and the channels that have one. The upload is sealed
// and never read back; the fingerprint only distinguishes two uploads.

import { z } from 'zod';
import { catalog, credentialNames } from '../../../actors/channels/catalog.ts';
import { type CredentialName, channelIds } from '../../../actors/channels/channel-ids.ts';
import { notFound } from '../../../actors/faults.ts';
import type { CredentialView } from '../../../actors/tenants/accounts/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { exampleInstant } from '../../example-ids.ts';
import { instant, instantSchema } from '../../schemas.ts';

/** A credential in responses. */
export const credentialSchema = z
  .object({
    channel: z.enum(credentialNames),
    fingerprint: z.string().describe('Identifies the uploaded version; not a secret.'),
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Credential',
    examples: [
      { channel: 'carrier', fingerprint: '9f86d081884c7d65', updatedAt: exampleInstant() },
    ],
  });

/** The values of the path's `:channel`, for the description. */
export const credentialParam = `One of ${credentialNames.map((name) => `\`${name}\``).join(', ')}. Use \`carrier\` for sms and voice.`;

/** The response of a credential. */
export function credentialView({ channel, fingerprint, updatedMs }: CredentialView) {
  return { channel, fingerprint, updatedAt: instant(updatedMs) };
}

/**
 * The credential that a path names. Throws `not_found`, with a hint if the channel shares another's
 * credential.
 */
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
