// What the sandbox keeps of one call to a stand-in: its recipient, its outcome, the raw exchange,
// and how to read it as the recipient would. Reading is lazy: a mail is parsed when somebody looks
// at it, not while SMTP waits for its reply.

import type { Millis } from '../engine/base/brand.ts';

/**
 * How the inbox page draws a message: a lock-screen card, a browser notification, a mail, or a chat
 * bubble.
 */
export type Look = 'phone' | 'browser' | 'email' | 'chat';

/** The response to the product: accepted, refused, or none at all (disconnected or timed out). */
export type CallOutcome = 'accepted' | 'refused' | 'unanswered';

/** A button below a message. */
export interface ContentButton {
  readonly label: string;
  readonly url?: string;
}

/**
 * A message as its recipient sees it. Every member is text for a person; absent means that the
 * message has none.
 */
export interface Content {
  /** The visible sender: a project, a mail's From. */
  readonly sender?: string;
  readonly title?: string;
  readonly text?: string;
  /** A mail's HTML part; drawn only inside a sandboxed frame. */
  readonly html?: string;
  readonly image?: string;
  readonly icon?: string;
  readonly badge?: number;
  /** The link that a tap opens. */
  readonly link?: string;
  readonly buttons?: readonly ContentButton[];
  /** What the recipient does not see but their app receives, or a mail's headers, in order. */
  readonly details?: readonly (readonly [name: string, value: string])[];
  /** Why the message cannot be shown, or an oddity. */
  readonly note?: string;
}

/** One request and its response, byte for byte where the protocol allows. */
export interface Exchange {
  /** `POST /fcm/v1/projects/p/messages:send`, or the SMTP commands, one per line. */
  readonly request: string;
  /**
   * Names and values alternating, as received; SMTP has none (a mail's headers are part of its
   * body).
   */
  readonly requestHeaders: readonly string[];
  readonly requestBody: Buffer;
  /** Absent if the stand-in never responded. */
  readonly answer?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** What a stand-in knows of a call before the ledger numbers it. */
export interface ReceivedMessage {
  readonly channel: string;
  readonly look: Look;
  /** The recipient in the channel's own words: a token, an address, a subscription's name. */
  readonly to: string;
  /** Our send id (`ntf_…`) and device id (`dev_…`), if the message carries them. */
  readonly sendId?: string;
  readonly deviceId?: string;
  readonly outcome: CallOutcome;
  /** The name or rule of the fault that was played, if any. */
  readonly fault?: string;
  readonly exchange: Exchange;
  /**
   * Reads the content; called at most once, its result is kept. Never rejects: unreadable content
   * becomes a `note`.
   */
  read(): Content | Promise<Content>;
}

/** A received message in the ledger. */
export interface Message extends ReceivedMessage {
  /** Counts from 1 for the life of the sandbox; never reused, not even after a reset. */
  readonly id: number;
  readonly atMs: Millis;
}
