// The platform of a web page.

import type { Platform } from './platform.ts';
import { browserStore } from './store.ts';

const callMsMax = 30_000;

export const browser: Platform = {
  store: browserStore,

  async send({ url, ...call }) {
    const answer = await fetch(url, {
      ...call,
      credentials: 'omit',
      cache: 'no-store',
      // A call that outlives the page has nobody who waits for it.
      signal: call.keepalive ? null : AbortSignal.timeout(callMsMax),
    });
    const text = await answer.text();
    return { status: answer.status, text, header: (name) => answer.headers.get(name) };
  },

  // Absent outside secure contexts; the server then counts a repeated id once all the same.
  locked: (name, work) => navigator.locks?.request(name, work) ?? work(),

  tell: (name, message) => channelOf(name).postMessage(message),

  listen(name, heard) {
    const told = ({ data }: MessageEvent) => heard(data);
    channelOf(name).addEventListener('message', told);
    return () => channelOf(name).removeEventListener('message', told);
  },

  now: () => Date.now(),
  monotonic: () => performance.now(),
  // `crypto.randomUUID` is absent outside secure contexts.
  uuid: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join(''),
  random: () => Math.random(),

  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },

  watch({ hidden, online, shown }) {
    const stop = new AbortController();
    const looked = () => (document.visibilityState === 'hidden' ? hidden() : shown());
    document.addEventListener('visibilitychange', looked, stop);
    addEventListener('pagehide', hidden, stop);
    addEventListener('online', online, stop);
    return () => stop.abort();
  },

  get isOffline() {
    return !navigator.onLine;
  },
  get timezone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
  },
  get language() {
    return navigator.language;
  },
};

/** One for each name, because a second one of this page would hear what the first one tells. */
const channels: Record<string, BroadcastChannel> = {};

function channelOf(name: string): BroadcastChannel {
  return (channels[name] ??= new BroadcastChannel(name));
}
