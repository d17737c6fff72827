// A web push as Engage sends it, and what the page and the worker tell each other about it.

export interface PushPayload {
  readonly title?: string;
  readonly body?: string;
  readonly image?: string;
  readonly icon?: string;
  readonly tag?: string;
  readonly renotify?: boolean;
  readonly silent?: boolean;
  readonly actions?: readonly {
    readonly action: string;
    readonly title: string;
    readonly url?: string;
  }[];
  readonly data?: Readonly<Record<string, unknown>> & {
    readonly deepLink?: string;
    readonly badgeCount?: number;
  };
  /** The send. */
  readonly messageId?: string;
  readonly deviceId?: string;
}

export type PushEventName = 'received' | 'clicked' | 'dismissed';

/** What the worker tells the pages. */
export interface PushNews {
  readonly push: PushEventName;
  readonly message: PushPayload;
  /** The button that was pressed. */
  readonly action?: string;
}
