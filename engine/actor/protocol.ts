// Ties message kinds to body and reply, so that a missing or wrong reply does not compile.

import type { Context, Decision, Entry } from './message.ts';

/** `{ 'area.verb': { body: …; reply: … } }`: all that an area answers. */
export type ProtocolShape<P> = { [K in keyof P]: { body: object; reply: unknown } };

export type MessageOf<P extends ProtocolShape<P>, K extends keyof P = keyof P> = {
  [Kind in K]: { readonly kind: Kind } & Readonly<P[Kind]['body']>;
}[K];

export type ReplyOf<P extends ProtocolShape<P>, K extends keyof P> = P[K]['reply'];

/** One decision function per kind; a missing one does not compile. */
export type Decisions<P extends ProtocolShape<P>, State> = {
  readonly [K in keyof P]: (
    state: State,
    message: MessageOf<P, K>,
    context: Context,
  ) => Decision<P[K]['reply']>;
};

/** One fold per entry kind. */
export type Applies<E extends Entry, State> = {
  readonly [K in E['kind']]: (state: State, entry: Extract<E, { kind: K }>) => void;
};
