// One text through a relay as its tenant describes it, sent or only shown: what would go to the
// gateway, what it answered, and what that means. No secret is in any of it.

import type { ChannelId } from '../channel-ids.ts';
import type { Failure } from './outcome.ts';

/** The front's request to a dispatch thread; the answer is a `TrialResult`. */
export interface TryRelay extends Trial {
  readonly kind: 'relay.try';
  readonly channel: ChannelId;
  /** An `OpenRelay`; it never leaves the process. */
  readonly relay: object;
}

export interface Trial {
  readonly appId: string;
  /** Of no send: reports about it are ignored. */
  readonly sendId: string;
  readonly deviceId: string;
  /** E.164. */
  readonly to: string;
  readonly text: string;
  /** False: nothing leaves. */
  readonly isSent: boolean;
}

export interface TrialResult {
  /** Absent if the text never gets so far: `outcome` says why. */
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly answer?: { readonly status: number; readonly body: string };
  /** Absent if nothing was sent and nothing stands against it. */
  readonly outcome?:
    | { readonly outcome: 'accepted'; readonly providerMessageId?: string }
    | Pick<Failure, 'outcome' | 'reason' | 'detail'>;
}
