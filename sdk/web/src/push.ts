// Web push: subscribes the browser with the app's key, and keeps what the server knows of the
// subscription fresh. It loads when the page asks for push, or has it. The worker shows the
// notifications.

import { leaveDevice, useDevice } from './devices.ts';
import { problem } from './problem.ts';
import type { Session } from './session.ts';

export interface WorkerPlace {
  /** A copy of `sw.js`, or a worker of the site that imports it. */
  readonly url?: string;
  /** Below which it controls pages; by default none of the site's. */
  readonly scope?: string;
}

const defaultWorker = { url: '/engage-sw.js', scope: '/engage/' };

export class Push {
  readonly #session: Session;
  readonly #place: WorkerPlace | undefined;

  constructor(session: Session, place: WorkerPlace | undefined) {
    this.#session = session;
    this.#place = place;
  }

  /** Registers this browser, after the answer about permission. */
  async subscribe(asked: Promise<NotificationPermission>): Promise<void> {
    const permission = await asked;
    if (permission !== 'granted')
      throw problem('permission_denied', `notifications are ${permission} for this site`);
    await this.#store(await this.#worker());
    await this.#session.round();
  }

  /** This browser gets nothing more. */
  async unsubscribe(): Promise<void> {
    await this.#session.change(leaveDevice);
    await this.forget();
    await this.#session.round();
  }

  /** The same without a word to the server, which learns it from its next push. */
  async forget(): Promise<void> {
    const registration = await this.#registered();
    const subscription = await registration?.pushManager.getSubscription();
    await subscription?.unsubscribe();
  }

  /** After `init`: the browser may have changed the subscription, or the app its key. */
  async refresh(): Promise<void> {
    const registration = await this.#registered();
    if (registration !== undefined) await this.#store(registration);
  }

  #registered(): Promise<ServiceWorkerRegistration | undefined> {
    const { scope } = { ...defaultWorker, ...this.#place };
    return navigator.serviceWorker.getRegistration(new URL(scope, location.href));
  }

  async #worker(): Promise<ServiceWorkerRegistration> {
    const { url, scope } = { ...defaultWorker, ...this.#place };
    try {
      const registration = await navigator.serviceWorker.register(trusted(url), { scope });
      await active(registration);
      return registration;
    } catch (error) {
      throw problem('no_worker', `${url}: ${(error as Error).message}`);
    }
  }

  /** The browser's subscription with the app's key of today. */
  async #subscription({ pushManager }: ServiceWorkerRegistration): Promise<PushSubscription> {
    const session = this.#session;
    if (session.config === undefined) await session.round();
    const key = session.config?.vapidPublicKey;
    if (!key) throw problem('not_configured', 'the app has no web push key');
    const wanted = keyBytes(key);
    const known = await pushManager.getSubscription();
    if (known !== null && isSame(known.options.applicationServerKey, wanted)) return known;
    // A subscription with another key gets nothing of this app, and blocks a new one.
    await known?.unsubscribe();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted });
  }

  async #store(registration: ServiceWorkerRegistration): Promise<void> {
    const subscription = await this.#subscription(registration);
    await this.#session.change((state) => useDevice(state, 'webpush', subscription.toJSON()));
    this.#session.isNeeded = true;
  }
}

interface Policy {
  createScriptURL(url: string): string;
}

let policy: Policy | undefined;

/** A page that requires Trusted Types registers no worker by a text: it allows our policy. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as {
    readonly trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
  };
  try {
    policy ??= trustedTypes?.createPolicy('engage', { createScriptURL: (text) => text });
  } catch {
    // It does not allow the policy. If it requires none, the text will do.
  }
  return policy?.createScriptURL(url) ?? url;
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

function keyBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function isSame(known: ArrayBuffer | null, wanted: Uint8Array): boolean {
  if (known === null || known.byteLength !== wanted.length) return false;
  const bytes = new Uint8Array(known);
  return wanted.every((byte, at) => byte === bytes[at]);
}
