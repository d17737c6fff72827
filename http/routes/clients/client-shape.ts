// The wire shape of a client workspace, as its parent org sees it.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import { clientEtag } from '../../../actors/tenants/clients/client-etag.ts';
import type { ClientView } from '../../../actors/tenants/clients/protocol.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

const count = z.int().min(0);

export const emailUsageSchema = z.object({
  delivered: count,
  included: count.nullable().describe('The allowance of that month; `null` is unlimited.'),
  overage: count.describe('Delivered emails beyond the allowance.'),
});

export function emailUsage(delivered: number, included: number | null) {
  return { delivered, included, overage: Math.max(0, delivered - (included ?? delivered)) };
}

export const clientSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    etag: etagSchema,
    createdAt: instantSchema,
    usage: z
      .object({ mau: count, emails: emailUsageSchema })
      .describe('This month, as the workspace last reported it: at most a minute ago.'),
  })
  .meta({
    id: 'ClientWorkspace',
    examples: [
      {
        id: exampleIds.client,
        name: 'Harbour Coffee',
        etag: exampleEtag,
        createdAt: exampleInstant(),
        usage: {
          mau: 840,
          emails: { delivered: 312, included: limits.emailAllowance, overage: 0 },
        },
      },
    ],
  });

export function clientView(client: ClientView) {
  const { id, name, createdMs, mau, delivered, included } = client;
  return {
    id,
    name,
    etag: clientEtag(client),
    createdAt: instant(createdMs),
    usage: { mau, emails: emailUsage(delivered, included) },
  };
}
