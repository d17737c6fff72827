// What a key of one app is told where its org's relays stand: it is refused, and that is no error.

import { useSession } from '../api/session-context.tsx';
import { Note } from '../ui/note.tsx';
import { sharedWords } from './relay-words.ts';

interface Refusable {
  readonly error: { readonly status: number } | undefined;
}

/** Whether a read was refused to a key; a member who is refused sees why, as on each screen. */
export function useIsOtherKey({ error }: Refusable): boolean {
  const { session } = useSession();
  return error?.status === 403 && session.role === null;
}

export function OtherKey() {
  return <Note>{sharedWords.otherKey}</Note>;
}
