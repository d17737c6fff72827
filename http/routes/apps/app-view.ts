// The wire shape of an app.

import { z } from 'zod';
import { appEtag } from '../../../actors/tenants/accounts/account-etags.ts';
import type { AppRecord } from '../../../actors/tenants/accounts/records.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import {
  etagSchema,
  instant,
  instantSchema,
  nameSchema,
  zoneSchema,
} from '../../call/schemas/schemas.ts';

export const appSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    timezone: z.string().describe("Used when a subscriber's own time zone is unknown."),
    vapidPublicKey: z
      .string()
      .nullable()
      .describe('Web push `applicationServerKey`: a P-256 public key in base64url.'),
    etag: etagSchema,
    createdAt: instantSchema,
  })
  .meta({
    id: 'App',
    examples: [
      {
        id: exampleIds.app,
        name: 'Acme Shop',
        timezone: 'Asia/Bangkok',
        vapidPublicKey:
          'BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U',
        etag: exampleEtag,
        createdAt: exampleInstant(),
      },
    ],
  });

export const appBody = z
  .object({ name: nameSchema, timezone: zoneSchema.default('UTC') })
  .meta({ examples: [{ name: 'Acme Shop', timezone: 'Asia/Bangkok' }] });

export const appPatch = z
  .object({ name: nameSchema.optional(), timezone: zoneSchema.optional() })
  .meta({ examples: [{ timezone: 'Asia/Jakarta' }] });

/** An app's record, and the public half of its web push key pair. */
export function appView(app: AppRecord, vapidPublicKey: string | null) {
  const { id, name, timezone, createdMs } = app;
  const etag = appEtag(app);
  return { id, name, timezone, vapidPublicKey, etag, createdAt: instant(createdMs) };
}
