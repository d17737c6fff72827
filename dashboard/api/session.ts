// Signing in and out.

import { call } from './client.ts';
import { ApiError } from './errors.ts';

export type SessionState = Awaited<ReturnType<typeof readSession>>;

export type SignedOut = Extract<SessionState, { readonly signedIn: false }>;

export function readSession() {
  return call('readSession', {});
}

/** Proof of who signs in; `org` alone changes to another org of the same person. */
export type Proof =
  | { readonly apiKey: string }
  | { readonly link: string; readonly org?: string }
  | { readonly once: string }
  | { readonly org: string };

/** Throws unless the browser keeps the session's cookie. */
export async function signIn(proof: Proof): Promise<void> {
  await call('openSession', { body: proof });
  const { signedIn } = await readSession();
  if (signedIn) return;
  throw new ApiError({
    message: 'The browser did not keep the session. Allow cookies for this address and try again.',
    status: 401,
    code: 'unauthorized',
  });
}

export async function askForLink(email: string): Promise<void> {
  await call('mailSignInLink', { body: { email } });
}

/** Whom a link signs in, and where. The link stays unused. */
export function readLink(link: string) {
  return call('readSignInLink', { body: { link } });
}

export type ReadLink = Awaited<ReturnType<typeof readLink>>;

export async function signOut(): Promise<void> {
  await call('endSession', {});
}
