// Asks before a screen with unsaved changes is left, by a link, a key, the palette or the browser's
// own buttons. One screen at a time has such changes.

import { useEffect, useRef } from 'react';

type Ask = (leave: () => void) => void;

interface Guard {
  readonly isDirty: () => boolean;
  readonly ask: Ask;
}

let guard: Guard | undefined;

/** Of wouter's router: every change of the address by this page comes through here. */
export function aroundNav<Options>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  const leave = () => navigate(to, options);
  const [path] = to.split('?');
  if (guard === undefined || path === location.pathname || !guard.isDirty()) leave();
  else guard.ask(leave);
}

/**
 * `isDirty` is asked at the moment of leaving. `ask` shows a question, and calls `leave` to go on.
 * Closing the tab shows the browser's own question.
 */
export function useLeaveGuard(isDirty: () => boolean, ask: Ask): void {
  const latest = useRef<Guard>({ isDirty, ask });
  latest.current = { isDirty, ask };
  useEffect(() => {
    const own: Guard = {
      isDirty: () => latest.current.isDirty(),
      ask: (leave) => latest.current.ask(leave),
    };
    guard = own;
    const beforeUnload = (event: BeforeUnloadEvent) => {
      if (own.isDirty()) event.preventDefault();
    };
    addEventListener('beforeunload', beforeUnload);
    return () => {
      removeEventListener('beforeunload', beforeUnload);
      if (guard === own) guard = undefined;
    };
  }, []);
}
