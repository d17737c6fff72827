// A mail server that a tenant names: any provider with SMTP.

import { z } from 'zod';
import { oneLine, secretText } from '../../port/credential-forms.ts';
import type { RelayKind } from '../relay.ts';

export const smtp = {
  label: 'SMTP',
  channels: ['email'],
  configSchema: z.object({
    host: z
      .string()
      .max(253)
      .regex(/^(?=.{1,253}$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i, 'must be a host name'),
    port: z.number().int().min(1).max(65_535).default(587),
    /** TLS from the first byte, as on port 465; otherwise STARTTLS if it is offered. */
    implicitTls: z.boolean().optional(),
    user: oneLine(1, 256).optional(),
    password: secretText(1, 1_024).optional(),
    connections: z.number().int().min(1).max(64).optional(),
    messagesPerConnection: z.number().int().min(1).max(100_000).optional(),
  }),
  secrets: ['password'],
} as const satisfies RelayKind;
