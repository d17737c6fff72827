// What a form of a relay holds: texts as they are typed, and the body that they become.

import type { ArgumentsOf } from '../api/client.ts';
import type { Relay } from '../api/generated.ts';
import { numberIn, type RelayKind, shownConfig, type TypedConfig } from './relay-forms.ts';
import { type Stream, streams } from './relay-standing.ts';

export type Config = ArgumentsOf<'createRelay'>['body']['config'];

/** What all kinds have. */
export interface RelayDraft {
  readonly name: string;
  readonly streams: readonly Stream[];
  readonly order: string;
  readonly perSecond: string;
  readonly perDay: string;
}

export interface Draft extends RelayDraft {
  readonly kind: RelayKind;
  readonly config: TypedConfig;
}

export const blankRelay: RelayDraft = {
  ...{ name: '', streams, order: '', perSecond: '', perDay: '' },
};

export const blank: Draft = { ...blankRelay, kind: 'smtp', config: {} };

export function draftOf(relay: Relay): Draft {
  const kind = relay.kind === 'http' ? 'smtp' : relay.kind;
  return { ...relayDraftOf(relay), kind, config: shownConfig(kind, relay.config) };
}

export function relayDraftOf({ name, order, perSecond, perDay, streams }: Relay): RelayDraft {
  return {
    ...{ name, streams, order: String(order) },
    ...{ perSecond: String(perSecond ?? ''), perDay: String(perDay ?? '') },
  };
}

export function relayBodyOf({ name, order, perSecond, perDay, ...draft }: RelayDraft) {
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
