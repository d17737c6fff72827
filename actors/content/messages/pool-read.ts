// The read of this area that the pool makes.

import type { ChannelId } from '../../channels/channel-ids.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { PreviewFacts, PreviewItem, PreviewQuestion } from './protocol.ts';

/** The facts, and which view of them is asked for. */
export interface PreviewRead extends PreviewFacts {
  readonly channel?: ChannelId | undefined;
  readonly language?: string | undefined;
  readonly variables?: PreviewQuestion['variables'] | undefined;
}

/** What would leave of a message. Nothing stored is read: the pool renders it. */
export const previewRead: PoolRead<PreviewRead, readonly PreviewItem[]> = {
  name: 'preview',
  of: 'the message',
};
