// Asks before work is left that would be lost: by a link, a key, the palette, the browser's back
// and forward buttons, or by closing the tab. The newest guard asks first.

import { useEffect, useRef } from 'react';

interface LeaveGuard {
  /** Whether leaving the screen needs a question. Read at the moment of leaving. */
  readonly isAtRisk: () => boolean;
  /** The same when the tab closes, where it differs: a running save ends with its page. */
  readonly isAtRiskAtClose?: () => boolean;
  /** Shows a question. It calls `leave` if the person wants to leave; else nothing happens. */
  readonly ask: (leave: () => void) => void;
}

interface Place {
  readonly href: string;
  readonly pathname: string;
  readonly state: unknown;
}

const guards: LeaveGuard[] = [];

/** Where the guarded screen is: when the back button is heard of, the address has changed. */
let here: Place | undefined;

/** Whether the next change by the browser's buttons was asked about already. */
let isAnswered = false;

/**
 * Of wouter's router: every change of the address by this page comes through here. Only the page
 * itself replaces an address, after a save: that leaves nothing.
 */
export function aroundNav<Options extends { readonly replace?: boolean }>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  const leave = () => navigate(to, options);
  const [path] = to.split('?');
  if (path === location.pathname || options?.replace === true) leave();
  else askFrom(guards.length, leave);
}

export function useLeaveGuard(guard: LeaveGuard): void {
  const latest = useRef(guard);
  latest.current = guard;
  useEffect(() => {
    const own: LeaveGuard = {
      isAtRisk: () => latest.current.isAtRisk(),
      isAtRiskAtClose: () => (latest.current.isAtRiskAtClose ?? latest.current.isAtRisk)(),
      ask: (leave) => latest.current.ask(leave),
    };
    guards.push(own);
    if (guards.length === 1) followAddress();
    return () => {
      guards.splice(guards.indexOf(own), 1);
      if (guards.length === 0) stopFollowing();
    };
  }, []);
}

/** Asks the guards before `end`, the newest first, and then leaves. */
function askFrom(end: number, leave: () => void): void {
  const at = guards.slice(0, end).findLastIndex((guard) => guard.isAtRisk());
  const guard = guards[at];
  if (guard === undefined) leave();
  else guard.ask(() => askFrom(at, leave));
}

/**
 * Called once, before the router is drawn: a browser calls the listeners of a window in the order
 * in which they came, and the router's draws the new screen at once.
 */
export function listenToLeaving(): void {
  addEventListener('popstate', onPopState);
  addEventListener('beforeunload', onBeforeUnload);
}

function followAddress(): void {
  noteHere();
  for (const kind of changes) addEventListener(kind, noteHere);
}

function stopFollowing(): void {
  for (const kind of changes) removeEventListener(kind, noteHere);
}

/** What wouter says when this page has changed the address. */
const changes = ['pushState', 'replaceState'];

function noteHere(): void {
  const { href, pathname } = location;
  here = { href, pathname, state: history.state };
}

/**
 * Nothing can stop the browser's buttons. The address of the screen goes back on top, so what the
 * person wanted is one step back.
 */
function onPopState(event: PopStateEvent): void {
  const wasAnswered = isAnswered;
  isAnswered = false;
  const before = here;
  const isLeft = before !== undefined && before.pathname !== location.pathname;
  if (!isLeft || wasAnswered || !guards.some((guard) => guard.isAtRisk())) {
    noteHere();
    return;
  }
  event.stopImmediatePropagation();
  history.pushState(before.state, '', before.href);
  askFrom(guards.length, () => {
    isAnswered = true;
    history.back();
  });
}

function onBeforeUnload(event: BeforeUnloadEvent): void {
  if (guards.some((guard) => guard.isAtRiskAtClose?.() === true)) event.preventDefault();
}
