// Answers `send.preview`: the app's actor knows what was sent, and the pool composes it, because a
// mail for a provider costs as much as a send.

import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { askActor, type PoolQuestion, readFor } from '../../pool-question.ts';
import { sentRead } from './pool-read.ts';
import type { SentFacts, TimelineProtocol } from './protocol.ts';

type Asked = MessageOf<TimelineProtocol, 'send.preview'>;

export const answerPreviewSend: PoolQuestion<Asked> = (host, app, asked, answer) => {
  const facts = { ...asked, kind: 'send.preview_facts' } as const;
  askActor<SentFacts | 'unfound'>(host, app, facts, answer, (found) => {
    if (found === 'unfound') {
      answer({ ok: true, value: found });
      return;
    }
    readFor(host, app, sentRead, found, answer, (value) => answer({ ok: true, value }));
  });
};
