// The draft of a message or a template in the editor.

import { useApp } from '../../api/session-context.tsx';
import { type KeptDraft, useKeptDraft } from '../../ui/kept-draft.ts';
import { keptKey } from '../../ui/kept-store.ts';
import { draftOf, isSame, type MessageDraft, type Saved } from './draft.ts';

export type DraftState = KeptDraft<MessageDraft, Saved>;

export function useDraft(id: string, saved: Saved | undefined, start: MessageDraft): DraftState {
  const app = useApp();
  const key = keptKey('message', app.id, id);
  return useKeptDraft({ key, saved, start, draftOf, isGood, isSame });
}

function isGood({ base, languages }: Partial<MessageDraft>): boolean {
  return typeof base?.title === 'string' && Array.isArray(languages);
}
