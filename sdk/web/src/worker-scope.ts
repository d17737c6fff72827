// As much of a service worker's surroundings as ours uses. The types of pages and of workers cannot
// be had in one program.

interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

export interface PushEvent extends Extendable {
  readonly data: { json(): unknown } | null;
}

export interface ClickEvent extends Extendable {
  readonly action: string;
  readonly notification: { readonly data: unknown; close(): void };
}

export interface PushChange extends Extendable {
  readonly newSubscription?: PushSubscription | null;
}

interface Tab {
  readonly url: string;
  focus(): Promise<unknown>;
}

interface WorkerEvents {
  readonly install: Extendable;
  readonly push: PushEvent;
  readonly notificationclick: ClickEvent;
  readonly notificationclose: ClickEvent;
  readonly pushsubscriptionchange: PushChange;
}

export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly registration: {
    readonly pushManager: PushManager;
    showNotification(title: string, options: object): Promise<void>;
  };
  readonly clients: {
    matchAll(options: object): Promise<readonly Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof WorkerEvents>(
    name: Name,
    listener: (event: WorkerEvents[Name]) => void,
  ): void;
}
