// Above the screen: the question of a save that came after someone else's. What draws it loads when
// it is first asked.

import { useEffect, useRef, useState } from 'react';
import { type Conflict, type ConflictAnswer, onConflict } from '../api/saves.ts';
import { useSession } from '../api/session-context.tsx';
import { useLateAbove } from '../ui/late.tsx';
import { tellDone } from '../ui/toast.tsx';
import { words } from '../words/en.ts';

const load = () => import('./conflict-dialog.tsx').then((file) => file.ConflictDialog);

interface Asked {
  readonly conflict: Conflict;
  readonly choose: (choice: ConflictAnswer) => void;
}

export function Conflicts() {
  const { session } = useSession();
  const own = session.member?.id;
  // Several people may share a key, so the question names the key, and a merge shows no toast.
  const ownKey = session.key?.id;
  const [asked, setAsked] = useState<Asked>();
  const open = useRef<Asked>(undefined);
  open.current = asked;
  useEffect(
    () =>
      onConflict({
        ask: (conflict) =>
          new Promise<ConflictAnswer>((resolve) => {
            open.current?.choose('neither');
            const choose = (choice: ConflictAnswer) => {
              setAsked(undefined);
              resolve(choice);
            };
            setAsked({ conflict, choose });
          }),
        merged: ({ by, byName }) => {
          if (by !== undefined && by !== own && by !== ownKey) tellDone(words.merged(byName));
        },
      }),
    [own, ownKey],
  );
  const View = useLateAbove(load, asked !== undefined, () => open.current?.choose('neither'));
  if (asked === undefined || View === undefined) return null;
  return <View {...asked} isOwn={own !== undefined && asked.conflict.by === own} />;
}
