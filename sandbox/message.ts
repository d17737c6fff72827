// One recorded call to a stand-in: recipient, outcome, raw exchange, readable content. Reading is
// lazy, so SMTP replies do not wait for a mail to be parsed.

import type { Millis } from '../engine/base/brand.ts';

/** Its icon in the inbox: what it arrives on. */
export type Look = 'phone' | 'browser' | 'email' | 'chat' | 'call';

/** Accepted, refused, or no response (disconnected or timed out). */
export type CallOutcome = 'accepted' | 'refused' | 'unanswered';

export interface ContentButton {
  readonly label: string;
  readonly url?: string;
}

/** One of several messages of a call. */
export type ContentBubble = Pick<Content, 'title' | 'text' | 'image' | 'buttons'>;

export interface ContentFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
}

/** A message as its recipient sees it. Every field is text; absent if the message has none. */
export interface Content {
  /** The visible sender: a project, a mail's From. */
  readonly sender?: string;
  readonly title?: string;
  readonly text?: string;
  /** HTML part; drawn only in a sandboxed frame. */
  readonly html?: string;
  readonly image?: string;
  readonly icon?: string;
  readonly badge?: number;
  /** The link that a tap opens. */
  readonly link?: string;
  readonly buttons?: readonly ContentButton[];
  /** A call's sentences, one per instruction. */
  readonly said?: readonly string[];
  /** The messages of a call that carries several. */
  readonly bubbles?: readonly ContentBubble[];
  /** A table below the words. */
  readonly rows?: readonly (readonly [name: string, value: string])[];
  /** Files of a mail that its reader may save. */
  readonly files?: readonly ContentFile[];
  /** A mail's first words, which a mail program's list shows. */
  readonly preheader?: string;
  /** Hidden data that the app receives, or mail headers, in order. */
  readonly details?: readonly (readonly [name: string, value: string])[];
  /** Why the message cannot be shown, or an oddity. */
  readonly note?: string;
}

/** A request and its response, byte for byte where possible. */
export interface Exchange {
  /** `POST /fcm/v1/projects/p/messages:send`, or the SMTP commands, one per line. */
  readonly request: string;
  /** Names and values alternating; SMTP has none (mail headers are in the body). */
  readonly requestHeaders: readonly string[];
  readonly requestBody: Buffer;
  /** Absent without a response. */
  readonly answer?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** A call before the ledger numbers it. */
export interface ReceivedMessage {
  readonly channel: string;
  readonly look: Look;
  /** In the channel's form: a token, an address, a subscription's name. */
  readonly to: string;
  /** Send id (`ntf_…`) and device id (`dev_…`), if present. */
  readonly sendId?: string;
  readonly deviceId?: string;
  readonly outcome: CallOutcome;
  /** Name or rule of the fault played, if any. */
  readonly fault?: string;
  readonly exchange: Exchange;
  /** Called at most once; the result is kept. Never rejects: unreadable content is a `note`. */
  read(): Content | Promise<Content>;
}

export interface Message extends ReceivedMessage {
  /** Counts from 1 and is never reused, not even after a reset. */
  readonly id: number;
  readonly atMs: Millis;
}
