// The wire shape of an API key. Its text is shown once, when it is made.

import { z } from 'zod';
import { keyEtag } from '../../../actors/tenants/accounts/account-etags.ts';
import type { KeyView } from '../../../actors/tenants/accounts/protocol.ts';
import { scopes } from '../../../actors/tenants/accounts/records.ts';
import { alsoCalled } from '../../call/body/unknown-members.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import {
  etagSchema,
  exampleOf,
  instant,
  instantSchema,
  nameSchema,
} from '../../call/schemas/schemas.ts';

export const exampleKey = 'ek_09n0rm1e5t2c_EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0';

const scopeSchema = z.enum(scopes);

export const keySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(scopeSchema),
    appId: z
      .string()
      .nullable()
      .describe('The only app the key works for; `null` if it works for the whole org.'),
    etag: etagSchema,
    createdAt: instantSchema,
  })
  .meta({
    id: 'ApiKey',
    examples: [
      {
        id: exampleIds.key,
        name: 'Shop backend',
        scopes: ['read', 'send'],
        appId: exampleIds.app,
        etag: exampleEtag,
        createdAt: exampleInstant(),
      },
    ],
  });

/** In the response of the call that made it. */
export const madeKeySchema = keySchema
  .extend({ key: z.string().describe('Shown only once; keep it secret.') })
  .meta({ examples: [{ ...exampleOf(keySchema), key: exampleKey }] });

export const keyBody = alsoCalled(
  z
    .object({
      name: nameSchema,
      scopes: z
        .array(scopeSchema)
        .min(1, 'expected at least one scope')
        .max(16)
        .overwrite((wanted) => scopes.filter((scope) => wanted.includes(scope)))
        .describe('No scope implies another.'),
      appId: z.string().nullish().describe('Restricts the key to this app.'),
    })
    .meta({
      examples: [{ name: 'Shop backend', scopes: ['read', 'send'], appId: exampleIds.app }],
    }),
  { app: 'appId', application: 'appId', scope: 'scopes', permissions: 'scopes' },
);

export function keyView(key: KeyView) {
  const { id, name, scopes: granted, appId, createdMs } = key;
  return {
    id,
    name,
    scopes: granted,
    appId,
    etag: keyEtag(key),
    createdAt: instant(createdMs),
  };
}
