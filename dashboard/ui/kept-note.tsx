// Says that an editor shows what was typed before and not saved.

import { words } from '../words/en.ts';
import { Button } from './button.tsx';
import type { KeptDraft } from './kept-draft.ts';
import { Note } from './note.tsx';

type State = Pick<KeptDraft<never, never>, 'restored' | 'isUnkept' | 'isDirty' | 'discard'>;

export function KeptNote({
  state: { restored, isUnkept, isDirty, discard },
}: {
  readonly state: State;
}) {
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
