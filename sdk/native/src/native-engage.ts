// The surface on a phone: the core, push with the system's own token, and in-app messages that the
// app draws.

import { type CoreModules, EngageCore } from '../../web/src/core.ts';
import { leaveDevice, ownerOf, useDevice } from '../../web/src/devices.ts';
import { Emitter } from '../../web/src/emitter.ts';
import * as feed from '../../web/src/feed.ts';
import * as inboxCalls from '../../web/src/inbox/inbox-calls.ts';
import type { Platform } from '../../web/src/platform.ts';
import { problem } from '../../web/src/problem.ts';
import * as profile from '../../web/src/profile.ts';
import { enqueue, instantOf, type References } from '../../web/src/queue.ts';
import * as rare from '../../web/src/rare.ts';
import type { Session } from '../../web/src/session.ts';
import { currentOf } from '../../web/src/state.ts';

/** A channel of Engage, and the token that the system gave for it. */
export interface PhoneToken {
  readonly channel: 'fcm' | 'apns';
  readonly endpoint: string;
}

/** The data of a notification, as the system hands it to the app. */
export type PushData = Readonly<Record<string, unknown>>;

/** The push code that the app has. */
export interface PushSource {
  /** Asks for permission where the system wants that. Null if there is no token. */
  token(): Promise<PhoneToken | null>;
  watch(told: {
    /** The system gave another token. */
    token(token: PhoneToken): void;
    received(data: PushData): void;
    /** A person opened a notification. */
    opened(data: PushData): void;
  }): void;
}

/** As events are collected. */
const collectMs = 1_000;

/** All of it is in the app's bundle. */
const modules: CoreModules = {
  rare: async () => rare,
  feed: async () => feed,
  profile: async () => profile,
  inboxCalls: async () => inboxCalls,
};

export class NativeEngage extends EngageCore {
  readonly push = {
    isSupported: () => this.#source !== undefined,
    /** Registers the token that the system gives. */
    subscribe: async () => {
      if (this.#source === undefined) throw problem('unsupported', 'the app gave no push source');
      const session = await this.settled();
      const token = await this.#source.token();
      if (token === null) throw problem('permission_denied', 'the system gives no push token');
      await use(session, token);
      await session.round();
    },
    /** This device gets nothing more. */
    unsubscribe: async () => {
      const session = await this.settled();
      await session.change(leaveDevice);
      await session.round();
    },
    /** `clicked` is reported without a listener too. */
    on: (name: 'received' | 'clicked', listener: (data: PushData) => void) =>
      this.#pushEvents.on(name, listener),
  };
  readonly inApp = {
    /** Messages to show now, the most important first. Draw them, and report what happens. */
    messages: async () => (await this.feed()).messages(),
    report: async (what: 'viewed' | 'clicked' | 'dismissed', messageId: string) => {
      await (await this.started).track(`inapp_${what}`, undefined, { messageId });
    },
  };
  readonly #source: PushSource | undefined;
  readonly #pushEvents = new Emitter<{ received: PushData; clicked: PushData }>();

  constructor(platform: Platform, source?: PushSource) {
    super(platform, modules);
    this.#source = source;
    source?.watch({
      token: (token) => void this.#renewed(token).catch(this.failed),
      received: (data) => this.#pushEvents.emit('received', data),
      opened: (data) => {
        this.#pushEvents.emit('clicked', data);
        this.#opened(data).catch(this.failed);
      },
    });
  }

  /** Only of an app that has subscribed. */
  async #renewed(token: PhoneToken): Promise<void> {
    const session = await this.started;
    if (currentOf(session.state).device === undefined) return;
    await use(session, token);
    session.wakeIn(0);
  }

  /** What is not Engage's is left alone. */
  async #opened({ engageSendId, engageDeviceId }: PushData): Promise<void> {
    if (typeof engageSendId !== 'string') return;
    const session = await this.started;
    await noteOpened(session, engageSendId, engageDeviceId);
    session.wakeIn(collectMs);
  }
}

/** It counts for the person who got the notification, who may have logged out since. */
async function noteOpened(session: Session, sendId: string, device: unknown): Promise<void> {
  const { platform } = session;
  const deviceId = typeof device === 'string' ? device : '';
  const references: References = { sendId, ...(deviceId ? { deviceId } : {}) };
  const at = instantOf(platform, platform.uuid());
  const event = { id: platform.uuid(), name: 'clicked', at, references };
  const dropped = await session.change(async (state, rows) => {
    const { row, dropped } = await enqueue(rows, state, event);
    const owner = ownerOf(state, deviceId);
    const theirs = { ...row[1], n: owner?.n ?? 0, subscriberId: owner?.id };
    if (owner !== undefined) await rows.put('queue', row[0], theirs);
    return dropped;
  });
  session.drop(dropped, 'the queue is full');
}

async function use(session: Session, { channel, endpoint }: PhoneToken): Promise<void> {
  await session.change((state) => useDevice(state, channel, endpoint));
  session.isNeeded = true;
}
