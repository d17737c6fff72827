// The count of saved messages, which are in their table; and what messages see of a partition's
// memory.

import type { Millis } from '../../../engine/base/brand.ts';
import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { TemplatesReads } from '../templates/reads.ts';

export interface MessagesApp {
  messageCount: number;
}

export const messagesOfApp: Slice<MessagesApp, MessagesApp, NewApp> = {
  make: () => ({ messageCount: 0 }),
  snapshot: ({ messageCount }) => ({ messageCount }),
  restore: ({ messageCount }) => ({ messageCount }),
};

export type MessagesView = MessagesApp &
  AccountsReads &
  AudienceReads &
  TemplatesReads &
  MessageUsers;

export type MessagesMemory = AppsOf<MessagesView>;

/** Other areas that use saved messages; they lie below. */
interface MessageUsers {
  readonly inApp: {
    userOf(messageId: string): string | undefined;
    records(): Iterable<{
      readonly id: string;
      readonly messageId: string;
      readonly startMs?: Millis;
      readonly endMs?: Millis;
    }>;
  };
  readonly campaigns: { usersOf(messageId: string): readonly CampaignUser[] };
  readonly sending: {
    of(campaignId: string): readonly { readonly endedMs: number | null }[];
  };
  readonly journeys: {
    userOfMessage(messageId: string): string | undefined;
    recordsOfMessage(messageId: string): readonly {
      readonly id: string;
      readonly name: string;
      readonly active: boolean;
    }[];
    liveOfMessage(messageId: string): readonly { readonly id: string; readonly name: string }[];
  };
}

interface CampaignUser {
  readonly record: {
    readonly id: string;
    readonly name: string;
    readonly state: string;
    readonly channels?: readonly ChannelId[];
    readonly fallbackChannels?: readonly ChannelId[];
  };
  readonly what: string;
}
