// What a form of a relay holds: texts as they are typed, and the body that they become.

import type { ArgumentsOf } from '../api/client.ts';
import type { Relay } from '../api/generated.ts';
import { numberIn, type RelayKind, shownConfig, type TypedConfig } from './relay-forms.ts';
import { type Stream, streams } from './relay-standing.ts';

export type Config = ArgumentsOf<'createRelay'>['body']['config'];

export interface Draft {
  readonly kind: RelayKind;
  readonly name: string;
  readonly streams: readonly Stream[];
  readonly order: string;
  readonly perSecond: string;
  readonly perDay: string;
  readonly config: TypedConfig;
}

export const blank: Draft = {
  ...{ kind: 'smtp', name: '', streams, order: '', perSecond: '', perDay: '', config: {} },
};

export function draftOf(relay: Relay): Draft {
  const { name, order, perSecond, perDay, config } = relay;
  const kind = relay.kind === 'http' ? 'smtp' : relay.kind;
  return {
    ...{ kind, name, streams: relay.streams, order: String(order) },
    ...{ perSecond: String(perSecond ?? ''), perDay: String(perDay ?? '') },
    config: shownConfig(kind, config),
  };
}

export function relayBodyOf({ name, order, perSecond, perDay, ...draft }: Draft) {
  return {
    name: name.trim(),
    streams: draft.streams,
    perSecond: boundIn(perSecond),
    perDay: boundIn(perDay),
    ...(order.trim() === '' ? {} : { order: numberIn(order.trim()) as number }),
  };
}

/** A typing error must not become "no limit": the server refuses what is no number. */
function boundIn(typed: string): number | null {
  return typed.trim() === '' ? null : (numberIn(typed.trim()) as number);
}
