// The messages of what a campaign sends, apart from the others: only they know of previews.

import type { ChannelId } from '../../channels/channel-ids.ts';
import type {
  MessagePreview,
  PreviewFacts,
  PreviewQuestion,
} from '../../content/messages/protocol.ts';

interface CampaignPreviewQuestion extends Omit<PreviewQuestion, 'id' | 'draft'> {
  readonly id: string;
  /** The first unless named. */
  readonly variant?: string;
  /** The newest unless named. */
  readonly occurrence?: number;
}

interface CampaignPreview extends MessagePreview {
  /** Of an occurrence that has begun: edits of the message are not shown. */
  readonly isCopy: boolean;
  readonly occurrence: number | null;
  /** Those that the message is written in, besides its own. */
  readonly languages: readonly string[];
}

export interface CampaignPreviewFacts extends Pick<CampaignPreview, 'isCopy' | 'occurrence'> {
  readonly facts: PreviewFacts;
  /** Those of both passes; absent for all. */
  readonly channels?: readonly ChannelId[];
}

export interface CampaignPreviewProtocol {
  /** What it sends, for a person; the host answers it, after `campaign.preview_facts`. */
  'campaign.preview': { body: CampaignPreviewQuestion; reply: CampaignPreview };
  'campaign.preview_facts': { body: CampaignPreviewQuestion; reply: CampaignPreviewFacts };
}
