// Web push: asks for permission, subscribes the browser with the app's key, and keeps what the
// server knows of the subscription fresh. The worker shows the notifications.

import type { Emitter } from './emitter.ts';
import { isPushNews, type PushEventName, type PushNews } from './notification.ts';
import { EngageError } from './problem.ts';
import type { Session } from './session.ts';
import { currentOf } from './state.ts';

export interface WorkerPlace {
  /** A copy of `sw.js`, or a worker of the site that imports it. */
  readonly url?: string;
  /** Below which it controls pages; by default none of the site's. */
  readonly scope?: string;
}

export type PushEvents = { readonly [Name in PushEventName]: PushNews };

const defaultWorker = { url: '/engage-sw.js', scope: '/engage/' };

export class Push {
  readonly #ready: () => Promise<Session>;
  readonly #events: Emitter<PushEvents>;
  readonly #place: () => WorkerPlace | undefined;

  constructor(
    ready: () => Promise<Session>,
    events: Emitter<PushEvents>,
    place: () => WorkerPlace | undefined,
  ) {
    this.#ready = ready;
    this.#events = events;
    this.#place = place;
  }

  isSupported(): boolean {
    return this.support() === 'supported';
  }

  /** `needs-install`: Safari on iOS takes push only from a site on the home screen. */
  support(): 'supported' | 'needs-install' | 'unsupported' {
    if ('PushManager' in globalThis && 'Notification' in globalThis && navigator.serviceWorker)
      return 'supported';
    const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent) || navigator.maxTouchPoints > 1;
    const isInstalled = (navigator as { standalone?: boolean }).standalone;
    return isApple && isInstalled === false ? 'needs-install' : 'unsupported';
  }

  permission(): NotificationPermission {
    return this.isSupported() ? Notification.permission : 'denied';
  }

  /** Asks for permission and registers this browser. Call it from a click. */
  async subscribe(): Promise<void> {
    const support = this.support();
    if (support === 'needs-install')
      throw problem('needs_install', 'add the site to the home screen first; iOS asks for that');
    if (support === 'unsupported') throw problem('unsupported', 'this browser has no web push');
    // At once, because a browser asks only while it handles the click.
    const permission = await Notification.requestPermission();
    if (permission !== 'granted')
      throw problem('permission_denied', `notifications are ${permission} for this site`);
    const session = await this.#ready();
    const registration = await this.#worker();
    await this.#store(session, await this.#subscription(session, registration));
    await session.round();
  }

  /** This browser gets nothing more. */
  async unsubscribe(): Promise<void> {
    const session = await this.#ready();
    await session.change((state) => {
      const person = currentOf(state);
      if (person.device?.id !== undefined)
        person.former = [...(person.former ?? []), person.device.id];
      delete person.device;
    });
    const registration = await this.#registered();
    const subscription = await registration?.pushManager.getSubscription();
    await subscription?.unsubscribe();
    await session.round();
  }

  /** `received`, `clicked`, `dismissed`; all are reported without a listener too. */
  on(name: PushEventName, listener: (news: PushNews) => void): () => void {
    return this.#events.on(name, listener);
  }

  /** After `init`: the browser may have changed the subscription, or the app its key. */
  async refresh(session: Session): Promise<void> {
    const { device } = currentOf(session.state);
    if (device?.channel !== 'webpush' || this.permission() !== 'granted') return;
    const registration = await this.#registered();
    if (registration === undefined) return;
    await this.#store(session, await this.#subscription(session, registration));
  }

  /** What the worker or another tab tells. */
  heard(message: unknown): void {
    if (isPushNews(message)) this.#events.emit(message.push, message);
  }

  #registered(): Promise<ServiceWorkerRegistration | undefined> {
    const { scope } = { ...defaultWorker, ...this.#place() };
    return navigator.serviceWorker.getRegistration(new URL(scope, location.href));
  }

  async #worker(): Promise<ServiceWorkerRegistration> {
    const { url, scope } = { ...defaultWorker, ...this.#place() };
    try {
      const registration = await navigator.serviceWorker.register(url, { scope });
      await active(registration);
      return registration;
    } catch (error) {
      throw problem('no_worker', `${url}: ${(error as Error).message}`);
    }
  }

  /** The browser's subscription with the app's key of today. */
  async #subscription(
    session: Session,
    { pushManager }: ServiceWorkerRegistration,
  ): Promise<PushSubscription> {
    if (session.config === undefined) await session.round();
    const key = session.config?.vapidPublicKey;
    if (!key) throw problem('not_configured', 'the app has no web push key');
    const wanted = bytesOf(key);
    const known = await pushManager.getSubscription();
    if (known !== null && isSame(known.options.applicationServerKey, wanted)) return known;
    // A subscription with another key gets nothing of this app, and blocks a new one.
    await known?.unsubscribe();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted });
  }

  async #store(session: Session, subscription: PushSubscription): Promise<void> {
    const endpoint = subscription.toJSON();
    await session.change((state) => {
      const person = currentOf(state);
      if (JSON.stringify(person.device?.endpoint) === JSON.stringify(endpoint)) return;
      person.device = { channel: 'webpush', endpoint };
    });
    session.isNeeded = true;
  }
}

function problem(code: string, message: string): EngageError {
  return new EngageError({ code, message });
}

/** Resolves once the registration has an active worker, without which nothing can subscribe. */
async function active({ installing, waiting, active }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (active !== null || worker === null) return;
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(new Error('the worker could not be installed'));
    });
  });
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function isSame(known: ArrayBuffer | null, wanted: Uint8Array): boolean {
  if (known === null || known.byteLength !== wanted.length) return false;
  const bytes = new Uint8Array(known);
  return wanted.every((byte, at) => byte === bytes[at]);
}
