// The wire shape of a member of an org.

import { z } from 'zod';
import { type MemberRecord, roles } from '../../../actors/tenants/members/records.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { instant, instantSchema } from '../../schemas.ts';

export const roleSchema = z
  .enum(roles)
  .describe(
    'What the member may do when signed in: `owner` everything; `editor` read, write and send; `viewer` read.',
  );

export const memberSchema = z
  .object({ id: z.string(), email: z.string(), role: roleSchema, createdAt: instantSchema })
  .meta({
    id: 'Member',
    examples: [
      {
        id: exampleIds.member,
        email: 'ada@acme.example',
        role: 'editor',
        createdAt: exampleInstant(),
      },
    ],
  });

export function memberView({ id, email, role, createdMs }: MemberRecord) {
  return { id, email, role, createdAt: instant(createdMs) };
}
