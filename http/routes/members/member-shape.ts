// The wire shape of a member of an org.

import { z } from 'zod';
import { type MemberRecord, memberEtag, roles } from '../../../actors/tenants/members/records.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

export const roleSchema = z
  .enum(roles)
  .describe(
    'What the member may do when signed in: `owner` everything; `editor` read, write and send; `viewer` read.',
  );

export const memberSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    role: roleSchema,
    invited: z
      .boolean()
      .describe(
        'Whether the person never signed in to this org, which accepts the membership; `createdAt` says since when.',
      ),
    etag: etagSchema,
    createdAt: instantSchema,
  })
  .meta({
    id: 'Member',
    examples: [
      {
        id: exampleIds.member,
        email: 'ada@acme.example',
        role: 'editor',
        invited: true,
        etag: exampleEtag,
        createdAt: exampleInstant(),
      },
    ],
  });

export function memberView(member: MemberRecord) {
  const { id, email, role, createdMs, isOpen } = member;
  const etag = memberEtag(member);
  return { id, email, role, invited: isOpen === true, etag, createdAt: instant(createdMs) };
}
