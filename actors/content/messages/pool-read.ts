// The pool's rendering of a preview.

import type { ChannelId } from '../../channels/channel-ids.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { ContentInput } from '../shape/message-schema.ts';
import type { MessagePreview, PreviewFacts, PreviewQuestion } from './protocol.ts';

/** The facts, and the view to render. */
export interface PreviewRead extends PreviewFacts {
  readonly draft?: ContentInput | undefined;
  readonly channels?: readonly ChannelId[] | undefined;
  readonly language?: string | undefined;
  readonly variables?: PreviewQuestion['variables'] | undefined;
}

/** Renders without reading anything stored. */
export const previewRead: PoolRead<PreviewRead, MessagePreview> = {
  name: 'preview',
  of: 'the message',
};
