// Whether a channel can send, whether its provider takes messages, and whether sends fail lately.

import type { Channel, ChannelState as Standing } from '../../api/generated.ts';
import type { Tone } from '../../words/tone.ts';
import { credentialOf } from './channels.ts';

export type ChannelState =
  | 'ready'
  | 'sandbox'
  | 'missing'
  | 'failing'
  | 'refused'
  | 'unreachable'
  | 'slowed'
  | 'unknown';

interface Counts {
  readonly delivered: number;
  readonly bounced: number;
  readonly failed: number;
}

/** From this share of failed sends on, a channel is called failing; as the webhook does. */
const failingShare = 0.2;

export function channelState(
  channel: Channel,
  known: {
    readonly mode: 'sandbox' | 'live';
    /** `undefined` for a role that may not see them. */
    readonly credentials: readonly string[] | undefined;
    readonly hasSender: boolean;
    readonly counts: Counts | undefined;
    /** As its last sends found the provider. */
    readonly standing: Standing['state'] | undefined;
  },
): ChannelState {
  const { mode, credentials, hasSender, counts, standing } = known;
  if (standing === 'refused' || standing === 'unreachable') return standing;
  if (standing === 'degraded') return 'failing';
  if (counts !== undefined && isFailing(counts)) return 'failing';
  if (standing === 'paused' || standing === 'slowed') return 'slowed';
  const credential = credentialOf[channel];
  // The server makes its own VAPID keys on first use.
  if (channel === 'webpush') return 'ready';
  if (channel === 'email' && hasSender) return 'ready';
  if (credential !== undefined && credentials?.includes(credential) === true) return 'ready';
  if (mode === 'sandbox') return 'sandbox';
  if (credential !== undefined && credentials === undefined) return 'unknown';
  return 'missing';
}

export const toneOf: Readonly<Record<ChannelState, Tone>> = {
  ready: 'good',
  sandbox: 'accent',
  missing: 'off',
  failing: 'bad',
  refused: 'bad',
  unreachable: 'bad',
  slowed: 'notice',
  unknown: 'off',
};

function isFailing({ delivered, bounced, failed }: Counts): boolean {
  return failed > 0 && failed >= failingShare * (delivered + bounced + failed);
}
