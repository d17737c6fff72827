// Some acts need a fresh sign-in. A call that meets that refusal tells the frame, which asks the
// person to sign in again above the screen, so that nothing they typed is lost.

type Listener = () => void;

const listeners = new Set<Listener>();

export function askToSignInAgain(): void {
  for (const listener of listeners) listener();
}

/** Returns how to stop. */
export function onSignInAgain(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
