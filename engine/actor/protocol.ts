// Types that tie a message kind to its body and its reply, so that an unanswered message or a wrong
// reply does not compile. An area declares one interface; everything else derives from it.

import type { Context, Decision, Entry } from './message.ts';

/** `{ 'area.verb': { body: …; reply: … } }`: the whole truth about what an area answers. */
export type ProtocolShape<P> = { [K in keyof P]: { body: object; reply: unknown } };

/** The messages of a protocol, discriminated by `kind`. */
export type MessageOf<P extends ProtocolShape<P>, K extends keyof P = keyof P> = {
  [Kind in K]: { readonly kind: Kind } & Readonly<P[Kind]['body']>;
}[K];

export type ReplyOf<P extends ProtocolShape<P>, K extends keyof P> = P[K]['reply'];

/** One decision function a message kind; leaving one out does not compile. */
export type Decisions<P extends ProtocolShape<P>, State> = {
  readonly [K in keyof P]: (
    state: State,
    message: MessageOf<P, K>,
    context: Context,
  ) => Decision<P[K]['reply']>;
};

/** One fold a entry kind. */
export type Applies<E extends Entry, State> = {
  readonly [K in E['kind']]: (state: State, entry: Extract<E, { kind: K }>) => void;
};
