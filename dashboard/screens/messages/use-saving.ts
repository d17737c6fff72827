// The draft of a message or a template, how it is saved, and what sends it.

import { useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { useAct } from '../../api/queries.ts';
import type { Version } from '../../api/saves.ts';
import { useApp } from '../../api/session-context.tsx';
import { designOf } from '../../editor/blocks/model.ts';
import { type DraftTools, useDraft } from '../../kit/draft.ts';
import { keptKey } from '../../ui/kept-store.ts';
import { tellDone } from '../../ui/toast.tsx';
import { bodyOf, draftOf, isSame, type MessageDraft, patchOf, type Saved } from './draft.ts';
import { words } from './words.ts';

export type Kind = 'message' | 'template';

export type Uses = Pick<AnswerOf<'updateMessage'>, 'inUse' | 'inUseTotal'>;

interface Options {
  readonly kind: Kind;
  readonly saved: Saved | undefined;
  readonly start: MessageDraft;
  /** Names a new one among those that are kept in this browser. */
  readonly draftId: string;
  readonly refused: string | undefined;
  /** What is typed is not JSON yet. */
  readonly isBroken: boolean;
  readonly onMade: (saved: Saved) => void;
}

interface Saving {
  readonly tools: DraftTools<MessageDraft, Saved>;
  /** What sends the message, once it was changed. */
  readonly uses: Uses | undefined;
}

export function useSaving(options: Options): Saving {
  const { kind, draftId, isBroken, onMade, ...rest } = options;
  const app = useApp();
  const [uses, setUses] = useState<Uses>();
  const sendMessage = useSendMessage(setUses);
  const sendTemplate = useSendTemplate();
  const tools = useDraft<MessageDraft, Saved>({
    ...rest,
    draftOf,
    isSame,
    keptAs: (saved) => keptKey('message', app.id, saved?.id ?? draftId),
    restore: (kept) =>
      typeof kept.base?.title === 'string' && Array.isArray(kept.languages)
        ? (kept as MessageDraft)
        : undefined,
    isLacking: () => isBroken,
    send: async (draft, now, base) => {
      const whole = await withMadeBody(draft);
      return kind === 'message' ? sendMessage(whole, now, base) : sendTemplate(whole, now, base);
    },
    onSaved: (saved, isNew) => {
      tellDone(isNew ? words.save.created : words.save.saved);
      if (isNew) onMade(saved);
    },
  });
  return { tools, uses };
}

type Send = (draft: MessageDraft, over: Saved | undefined, base: Version | null) => Promise<Saved>;

function useSendMessage(onUses: (uses: Uses) => void): Send {
  const { id: appId } = useApp();
  const create = useAct('createMessage');
  const update = useAct('updateMessage');
  return async (draft, now, base) => {
    if (now === undefined) return create.mutateAsync({ path: { appId }, body: bodyOf(draft) });
    const path = { appId, id: now.id };
    const answer = await update.mutateAsync({ path, body: patchOf(draft, now), base });
    const { inUse, inUseTotal, ...message } = answer;
    onUses({ inUse, inUseTotal });
    return message;
  };
}

function useSendTemplate(): Send {
  const { id: appId } = useApp();
  const create = useAct('createMessageTemplate');
  const update = useAct('updateMessageTemplate');
  return (draft, now, base) => {
    const named = { ...bodyOf(draft), name: draft.name.trim() };
    if (now === undefined) return create.mutateAsync({ path: { appId }, body: named });
    const path = { appId, idOrName: now.id };
    return update.mutateAsync({ path, body: patchOf(draft, now), base });
  };
}

/** A design that was changed a moment ago is not made yet. */
async function withMadeBody(draft: MessageDraft): Promise<MessageDraft> {
  const design = designOf(draft.design);
  if (design === undefined) return draft;
  const { compile } = await import('../../editor/blocks/compile.ts');
  const { html } = await compile(design);
  return html === '' ? draft : { ...draft, base: { ...draft.base, body: html } };
}
