// The pool's rendering of a preview.

import type { ChannelId } from '../../channels/channel-ids.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { PreviewFacts, PreviewItem, PreviewQuestion } from './protocol.ts';

/** The facts, and the view to render. */
export interface PreviewRead extends PreviewFacts {
  readonly channel?: ChannelId | undefined;
  readonly language?: string | undefined;
  readonly variables?: PreviewQuestion['variables'] | undefined;
}

/** Renders without reading anything stored. */
export const previewRead: PoolRead<PreviewRead, readonly PreviewItem[]> = {
  name: 'preview',
  of: 'the message',
};
