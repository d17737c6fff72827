// Relays as those see them who send by them: their kinds and streams, and one that is open.

/** A send of the transactional lane is `transactional`, of campaigns and journeys `marketing`. */
export const streams = ['transactional', 'marketing'] as const;
export type Stream = (typeof streams)[number];

/** In the order that lists show. */
export const relayKindNames = [
  'smtp',
  'ses',
  'sendgrid',
  'postmark',
  'mailgun',
  'resend',
  'brevo',
  'http',
] as const;
export type RelayKindName = (typeof relayKindNames)[number];

/** In health and receipts: what the server itself, or the app's credential, sends by. */
export const serverRelay = 'server';

/** Whether a part of a channel's provider is a relay: other parts are hosts and domains. */
export function isRelayName(part: string): boolean {
  return part === serverRelay || part.startsWith('rel_');
}

export type RelayConfig = Readonly<Record<string, unknown>>;

/** A relay as a dispatch thread gets it, opened. It never leaves the process. */
export interface OpenRelay {
  /** `rel_…` */
  readonly id: string;
  readonly kind: RelayKindName;
  /** Matches the schema of its kind. */
  readonly config: RelayConfig;
  /** Changes with each change of `config`: what was built for another is closed. */
  readonly fingerprint: string;
  readonly perSecond?: number;
  readonly perDay?: number;
  /** It tells what became of a message, so that its acceptance is not a delivery yet. */
  readonly reports?: true;
}
