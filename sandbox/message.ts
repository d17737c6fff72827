// What the sandbox keeps of one call that a stand-in received: who it was for, how it was answered,
// the raw exchange, and how to read it as its recipient would. Reading is lazy: a mail is parsed
// when somebody looks at it, not while SMTP waits for its reply.

import type { Millis } from '../engine/base/brand.ts';

/**
 * How the inbox page draws a message: a lock-screen card, a browser notification, a mail, or a chat
 * bubble.
 */
export type Look = 'phone' | 'browser' | 'email' | 'chat';

/**
 * What the product was told: taken, refused, or nothing at all (hung up on, or left to time out).
 */
export type CallOutcome = 'accepted' | 'refused' | 'unanswered';

/** A thing to press beneath a message. */
export interface ContentButton {
  readonly label: string;
  readonly url?: string;
}

/**
 * A message as its recipient sees it. Every member is text for a person; absent means the message
 * has none.
 */
export interface Content {
  /** Who it seems to come from: a project, a mail's From. */
  readonly sender?: string;
  readonly title?: string;
  readonly text?: string;
  /** A mail's HTML part; drawn only inside a sandboxed frame. */
  readonly html?: string;
  readonly image?: string;
  readonly icon?: string;
  readonly badge?: number;
  /** Where a tap leads. */
  readonly link?: string;
  readonly buttons?: readonly ContentButton[];
  /** What the recipient does not see but their app receives, or a mail's headers, in order. */
  readonly details?: readonly (readonly [name: string, value: string])[];
  /** Why the message cannot be shown, or what is odd about it. */
  readonly note?: string;
}

/** One request and its answer, byte for byte where the protocol allows. */
export interface Exchange {
  /** `POST /fcm/v1/projects/p/messages:send`, or the SMTP commands, one a line. */
  readonly request: string;
  /**
   * Names and values alternating, as received; SMTP has none (a mail's headers are part of its
   * body).
   */
  readonly requestHeaders: readonly string[];
  readonly requestBody: Buffer;
  /** Absent when the stand-in never answered. */
  readonly answer?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** What a stand-in knows of a call before the ledger gives it a number. */
export interface ReceivedMessage {
  readonly channel: string;
  readonly look: Look;
  /** The recipient in the channel's own words: a token, an address, a subscription's name. */
  readonly to: string;
  /** Our send id (`ntf_…`) and device id (`dev_…`), where the message carries them. */
  readonly sendId?: string;
  readonly deviceId?: string;
  readonly outcome: CallOutcome;
  /** The name or rule of the fault that was played, when one was. */
  readonly fault?: string;
  readonly exchange: Exchange;
  /**
   * Reads the content; called at most once, its answer is kept. Rejects for nothing: what is
   * unreadable becomes a `note`.
   */
  read(): Content | Promise<Content>;
}

/** A received message in the ledger. */
export interface Message extends ReceivedMessage {
  /** Counts up from 1 for the life of the sandbox; never reused, not even after a reset. */
  readonly id: number;
  readonly atMs: Millis;
}
