// Saving a message or a template, and what the server says to it.

import type { AnswerOf } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import { useAct } from '../../api/queries.ts';
import type { Version } from '../../api/saves.ts';
import { useApp } from '../../api/session-context.tsx';
import { bodyOf, type MessageDraft, patchOf, type Saved } from './draft.ts';

export type Kind = 'message' | 'template';

export type Uses = Pick<AnswerOf<'updateMessage'>, 'inUse' | 'inUseTotal'>;

interface SaveResult {
  readonly saved: Saved;
  /** What sends the message; unknown for a new one. */
  readonly uses?: Uses;
}

interface Saving {
  /** Rejects with what `error` then is. */
  save(draft: MessageDraft, saved: Saved | undefined, base?: Version): Promise<SaveResult>;
  readonly isBusy: boolean;
  readonly error: ApiError | undefined;
}

export function useSaving(kind: Kind): Saving {
  const { id: appId } = useApp();
  const create = useAct('createMessage');
  const update = useAct('updateMessage');
  const createTemplate = useAct('createMessageTemplate');
  const updateTemplate = useAct('updateMessageTemplate');
  const acts = [create, update, createTemplate, updateTemplate];

  const save = async (
    draft: MessageDraft,
    saved: Saved | undefined,
    base: Version | undefined = saved,
  ): Promise<SaveResult> => {
    for (const act of acts) act.reset();
    if (kind === 'message') {
      if (saved === undefined)
        return { saved: await create.mutateAsync({ path: { appId }, body: bodyOf(draft) }) };
      const path = { appId, id: saved.id };
      const answer = await update.mutateAsync({
        path,
        body: patchOf(draft, saved),
        base: base ?? null,
      });
      const { inUse, inUseTotal, ...message } = answer;
      return { saved: message, uses: { inUse, inUseTotal } };
    }
    if (saved === undefined) {
      const named = { ...bodyOf(draft), name: draft.name.trim() };
      return { saved: await createTemplate.mutateAsync({ path: { appId }, body: named }) };
    }
    const path = { appId, idOrName: saved.id };
    const body = patchOf(draft, saved);
    return { saved: await updateTemplate.mutateAsync({ path, body, base: base ?? null }) };
  };
  return {
    save,
    isBusy: acts.some(({ isPending }) => isPending),
    error: acts.find(({ error }) => error !== undefined)?.error,
  };
}
