// Loads adapters on the first attempt: provider code is a third of an idle process's memory. A
// failed load is repeated on the next attempt, when its cause (a key file, a module) may be fixed.

import { type ChannelId, channelIds } from './channel-ids.ts';
import type { Adapter } from './port/adapter.ts';
import { AdaptersUnavailable } from './port/adapters-unavailable.ts';
import type { LateResults } from './port/late-results.ts';
import type { CredentialCheck, TrialResult } from './port/outcome.ts';

const noResults: LateResults = {
  state: 'failed',
  failure: { outcome: 'permanent', reason: 'not_supported' },
};

const noCheck: CredentialCheck = {
  checked: false,
  why: 'the provider has no call that tries a credential without sending',
};

const noTrial: TrialResult = { outcome: { outcome: 'config', reason: 'not_supported' } };

/** The real adapters, and how to close what they share. */
interface LoadedAdapters {
  readonly adapters: ReadonlyMap<ChannelId, Adapter>;
  close(): Promise<void>;
}

/** Stand-ins; the first use loads all adapters. Rejects with `AdaptersUnavailable`. */
export function adaptersOnDemand(load: () => Promise<LoadedAdapters>): {
  readonly adapters: ReadonlyMap<ChannelId, Adapter>;
  close(): Promise<void>;
} {
  let loading: Promise<LoadedAdapters | undefined> | undefined;
  let loaded: LoadedAdapters | undefined;
  let problem: unknown;
  const ready = async (): Promise<LoadedAdapters> => {
    loading ??= load().catch((error: unknown) => {
      problem = error;
      loading = undefined;
      return undefined;
    });
    const made = await loading;
    if (made === undefined) throw new AdaptersUnavailable(problem);
    loaded = made;
    return made;
  };
  const adapters = new Map<ChannelId, Adapter>();
  for (const channel of channelIds) {
    adapters.set(channel, {
      send: async (attempt, credentials, mayBegin, relay) => {
        const adapter = (loaded ?? (await ready())).adapters.get(channel);
        if (adapter === undefined) return { outcome: 'permanent', reason: 'not_configured' };
        return adapter.send(attempt, credentials, mayBegin, relay);
      },
      registerWebhook: async (url, credentials) => {
        const adapter = (loaded ?? (await ready())).adapters.get(channel);
        const done = await adapter?.registerWebhook?.(url, credentials);
        return done ?? { registered: false, reason: 'not_supported' };
      },
      check: async (credentials, relay) => {
        const adapter = (loaded ?? (await ready())).adapters.get(channel);
        return (await adapter?.check?.(credentials, relay)) ?? noCheck;
      },
      tryOut: async (trial, relay) => {
        const adapter = (loaded ?? (await ready())).adapters.get(channel);
        return (await adapter?.tryOut?.(trial, relay)) ?? noTrial;
      },
      results: async (query, credentials) => {
        const adapter = (loaded ?? (await ready())).adapters.get(channel);
        return (await adapter?.results?.(query, credentials)) ?? noResults;
      },
      close: async () => loaded?.adapters.get(channel)?.close(),
    });
  }
  return { adapters, close: async () => (await loading)?.close() };
}
