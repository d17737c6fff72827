// Messages and entries of the members of an org.

import type { Entry } from '../../../engine/actor/message.ts';
import type { PageAsked, PageById } from '../accounts/page-by-id.ts';
import type { Caller } from '../accounts/protocol.ts';
import type { MemberRecord, Role } from './records.ts';

export interface MembersProtocol {
  'member.add': { body: Caller & { email: string; role: Role }; reply: MemberRecord };
  'member.list': {
    body: Caller & PageAsked;
    reply: PageById<MemberRecord>;
  };
  'member.set_role': { body: Caller & { memberId: string; role: Role }; reply: MemberRecord };
  'member.remove': { body: Caller & { memberId: string }; reply: null };
  /** By the person, whose address is proven. The only owner may decline an open one, too. */
  'member.leave': { body: Caller & { memberId: string }; reply: null };
}

export type MembersEntry =
  | (Entry & { readonly kind: 'member.added'; readonly member: MemberRecord })
  | (Entry & {
      readonly kind: 'member.role_changed';
      readonly memberId: string;
      readonly role: Role;
    })
  | (Entry & { readonly kind: 'member.removed'; readonly memberId: string })
  /** Its person accepted the membership, or came from somewhere new. */
  | (Entry & {
      readonly kind: 'member.signed_in';
      readonly memberId: string;
      readonly place?: string;
    });
