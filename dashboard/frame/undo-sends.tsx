// Sends that their author can still take back, on whatever screen they are.

import { useSyncExternalStore } from 'react';
import { useLateAbove } from '../ui/late.tsx';
import { onUndoHints, undoHints } from '../ui/undo-hints.ts';

const load = () => import('./undo-bar.tsx').then((file) => file.UndoBar);

export function UndoSends() {
  const hints = useSyncExternalStore(onUndoHints, undoHints);
  const Bar = useLateAbove(load, hints.length > 0, () => undefined);
  if (Bar === undefined) return null;
  return hints.map((hint) => <Bar key={hint.id} {...hint} />);
}
