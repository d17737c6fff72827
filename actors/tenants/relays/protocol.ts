// Messages and entries of relays. Whom a message addresses, an app or an org, has the relay.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type {
  OpenRelay,
  RelayConfig,
  RelayKindName,
  Stream,
} from '../../channels/port/open-relay.ts';
import type { Caller } from '../accounts/protocol.ts';
import type { RelayRecord } from './records.ts';

/** What a call sets. `null` removes a bound; of a configuration, members that are left out stay. */
export interface RelayInput {
  readonly name?: string;
  readonly streams?: readonly Stream[];
  readonly order?: number;
  readonly perSecond?: number | null;
  readonly perDay?: number | null;
  readonly enabled?: boolean;
  readonly config?: Readonly<Record<string, unknown>>;
}

export type RelayView = Omit<RelayRecord, 'sealed'>;

export interface RelaysProtocol {
  'relay.create': {
    body: Caller & {
      channel: ChannelId;
      relayKind: RelayKindName;
      input: RelayInput & { name: string; config: Readonly<Record<string, unknown>> };
    };
    reply: RelayView;
  };
  'relay.read': { body: Caller & { relayId: string }; reply: RelayView };
  'relay.update': { body: Caller & { relayId: string; input: RelayInput }; reply: RelayView };
  'relay.delete': { body: Caller & { relayId: string }; reply: null };
  /** In the order of creation. */
  'relay.list': { body: Caller; reply: readonly RelayView[] };
  /** By which a stream of the app may leave, in their order; its own, or those shared with it. */
  'relay.ways': {
    body: Caller & { channel: ChannelId; stream: Stream };
    reply: readonly RelayView[];
  };
  /**
   * For the edge alone: to check a relay, to try it, also with a change that is not saved, and to
   * prove the calls of its service.
   */
  'relay.open': {
    body: Caller & { relayId: string; config?: RelayConfig };
    /** `null`: its secrets cannot be decrypted. */
    reply: { readonly relay: OpenRelay | null; readonly channel: ChannelId };
  };
  /** Its service has called with a proof. */
  'relay.reported': { body: Caller & { relayId: string }; reply: null };
}

export type RelaysEntry =
  | (Entry & { readonly kind: 'relay.saved'; readonly relay: RelayRecord })
  | (Entry & { readonly kind: 'relay.deleted'; readonly relayId: string })
  | (Entry & { readonly kind: 'relay.reported'; readonly relayId: string; readonly atMs: Millis })
  /** What an org's agency shares. */
  | (Entry & { readonly kind: 'relays.shared'; readonly relays: readonly RelayRecord[] });
