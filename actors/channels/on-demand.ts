// Adapters that are loaded when the first attempt needs one: the providers' code (mail composing, HTTP, signing) is a
// third of an idle process's memory, and a server that sends nothing has no use for it.

import type { Adapter } from './adapter.ts';
import { builtChannels } from './built.ts';
import type { ChannelId } from './catalog.ts';

/** What `load` makes: the real adapters, and how to end what they share. */
export interface LoadedAdapters {
  readonly adapters: ReadonlyMap<ChannelId, Adapter>;
  close(): Promise<void>;
}

/** A stand-in for every built channel; all of them are loaded together, once. */
export function adaptersOnDemand(load: () => Promise<LoadedAdapters>): {
  readonly adapters: ReadonlyMap<ChannelId, Adapter>;
  close(): Promise<void>;
} {
  let loading: Promise<LoadedAdapters> | undefined;
  let loaded: LoadedAdapters | undefined;
  const adapters = new Map<ChannelId, Adapter>();
  for (const channel of builtChannels) {
    adapters.set(channel, {
      send: async (attempt, credentials) => {
        if (loaded === undefined) {
          loading ??= load();
          loaded = await loading;
        }
        const adapter = loaded.adapters.get(channel);
        if (adapter === undefined) return { outcome: 'permanent', reason: 'not_configured' };
        return adapter.send(attempt, credentials);
      },
      close: async () => loaded?.adapters.get(channel)?.close(),
    });
  }
  return { adapters, close: async () => (await loading)?.close() };
}
