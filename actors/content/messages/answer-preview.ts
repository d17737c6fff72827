// Answers a preview: the app's actor gives the facts, and the pool renders, because a preview may
// cost as much as two sends and a turn holds up everyone's calls.

import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { askActor, type PoolQuestion, readFor } from '../../pool-question.ts';
import { previewRead } from './pool-read.ts';
import type { MessagesProtocol, PreviewFacts } from './protocol.ts';

type Asked = MessageOf<MessagesProtocol, 'message.preview'>;

export const answerPreview: PoolQuestion<Asked> = (host, app, asked, answer) => {
  const { draft, channels, language, variables } = asked;
  const view = { draft, channels, language, variables };
  askActor<PreviewFacts>(host, app, { ...asked, kind: 'message.facts' }, answer, (facts) =>
    readFor(host, app, previewRead, { ...facts, ...view }, answer, (value) =>
      answer({ ok: true, value }),
    ),
  );
};
