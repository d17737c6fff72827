// The platform of a web page or a service worker.

import type { HttpAnswer, Platform } from './platform.ts';
import { browserStore } from './store.ts';

const callMsMax = 30_000;

export const browser: Platform = {
  store: browserStore,

  async send({ method, url, headers, body, keepalive = false }): Promise<HttpAnswer> {
    const answer = await fetch(url, {
      method,
      headers,
      keepalive,
      ...(body === undefined ? {} : { body }),
      credentials: 'omit',
      cache: 'no-store',
      ...(keepalive ? {} : { signal: AbortSignal.timeout(callMsMax) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, header: (name) => answer.headers.get(name) };
  },

  locked(name, work) {
    // Absent outside secure contexts; the server then counts a repeated id once all the same.
    return navigator.locks === undefined ? work() : navigator.locks.request(name, work);
  },

  tell(name, message) {
    channelOf(name).postMessage(message);
  },

  listen(name, heard) {
    const channel = channelOf(name);
    const told = ({ data }: MessageEvent) => heard(data);
    channel.addEventListener('message', told);
    return () => channel.removeEventListener('message', told);
  },

  now: () => Date.now(),
  monotonic: () => performance.now(),
  uuid,
  random: () => Math.random(),

  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },

  watch({ hidden, online, shown }) {
    if (typeof document === 'undefined') return () => undefined;
    const looked = () => (document.visibilityState === 'hidden' ? hidden() : shown());
    document.addEventListener('visibilitychange', looked);
    addEventListener('pagehide', hidden);
    addEventListener('online', online);
    return () => {
      document.removeEventListener('visibilitychange', looked);
      removeEventListener('pagehide', hidden);
      removeEventListener('online', online);
    };
  },

  get isOffline() {
    return navigator.onLine === false;
  },
  get timezone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
  },
  get language() {
    return navigator.language;
  },
};

/** One for each name, because a second one of this page would hear what the first one tells. */
const channels = new Map<string, BroadcastChannel>();

function channelOf(name: string): BroadcastChannel {
  const channel = channels.get(name) ?? new BroadcastChannel(name);
  channels.set(name, channel);
  return channel;
}

/** `crypto.randomUUID` is absent outside secure contexts. */
function uuid(): string {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
