// Postmark: one server of an account, with a message stream for each of our streams.

import { z } from 'zod';
import { secretText } from '../../port/credential-forms.ts';
import type { RelayKind } from '../../port/relay-kind.ts';

const streamId = z
  .string()
  .max(30)
  .regex(/^[a-z][a-z\d_-]*$/, 'must be the id of a message stream');

const configSchema = z.object({
  /** Of the server, not of the account. */
  serverToken: secretText(16, 128),
  transactionalStream: streamId.default('outbound'),
  /** Postmark takes marketing in broadcast streams alone. */
  marketingStream: streamId.default('broadcast'),
  /** The password in the address of its webhooks. Without it no event is taken. */
  eventsPassword: secretText(16, 256).optional(),
});

export type PostmarkConfig = z.infer<typeof configSchema>;

export const postmark = {
  label: 'Postmark',
  channels: ['email'],
  configSchema,
  secrets: ['serverToken', 'eventsPassword'],
  urls: { POSTMARK: 'https://api.postmarkapp.com' },
  signs: { returnPathLabel: 'pm-bounces' },
  events: { proof: 'the password in its address: `https://engage:<eventsPassword>@…`' },
} as const satisfies RelayKind;
