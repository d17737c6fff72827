// A mail server that a tenant names: any provider with SMTP.

import { z } from 'zod';
import { oneLine, secretText } from '../../port/credential-forms.ts';
import type { RelayKind } from '../../port/relay-kind.ts';

/** OAuth 2.0: with a refresh token (Google), or for the client itself (Microsoft 365). */
const oauth = z.object({
  tokenUrl: z
    .url({ protocol: /^https?$/, error: 'must be an https address' })
    .max(2_048)
    .describe('Token endpoint: a public https address.'),
  clientId: oneLine(1, 512),
  clientSecret: secretText(1, 2_048),
  refreshToken: secretText(1, 4_096).optional(),
  scope: oneLine(1, 1_024).optional(),
});

export type SmtpOauth = z.infer<typeof oauth>;

export const smtp = {
  label: 'SMTP',
  channels: ['email'],
  configSchema: z
    .object({
      host: z
        .string()
        .max(253)
        .regex(/^(?=.{1,253}$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i, 'must be a host name'),
      port: z.number().int().min(1).max(65_535).default(587),
      /** TLS from the first byte, as on port 465; otherwise STARTTLS if it is offered. */
      implicitTls: z.boolean().optional(),
      /** `null` takes back what was set: a password, for one, before `oauth` takes its place. */
      user: oneLine(1, 256).nullish(),
      password: oneLine(1, 1_024).nullish(),
      /** Instead of a password: XOAUTH2, or OAUTHBEARER where that alone is offered. */
      oauth: oauth.nullish(),
      connections: z.number().int().min(1).max(64).optional(),
      messagesPerConnection: z.number().int().min(1).max(100_000).optional(),
    })
    .refine(({ password, oauth }) => !password || !oauth, {
      path: ['oauth'],
      error: 'needs `password: null`: enter one of the two',
    })
    .refine(({ user, password, oauth }) => user || (!password && !oauth), {
      path: ['user'],
      error: 'is required with a password or oauth',
    }),
  secrets: ['password', 'oauth'],
  urls: { SMTP_TOKEN: null },
} as const satisfies RelayKind;

export type SmtpRelayConfig = z.infer<typeof smtp.configSchema>;
