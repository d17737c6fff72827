// Says that the editor shows what was typed before and not saved.

import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import type { DraftState } from './use-draft.ts';
import { words } from './words.ts';

export function KeptNote({ state }: { readonly state: DraftState }) {
  const { restored, isUnkept, isDirty, discard } = state;
  if (isUnkept) return <Note tone="notice">{words.kept.full}</Note>;
  if (restored === 'none' || !isDirty) return undefined;
  return (
    <Note tone={restored === 'stale' ? 'notice' : 'accent'}>
      <div className="row-between">
        <span>
          {words.kept.text} {restored === 'stale' && words.kept.older}
        </span>
        <Button size="small" onClick={discard}>
          {words.kept.discard}
        </Button>
      </div>
    </Note>
  );
}
