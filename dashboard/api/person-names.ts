// Names of people that a list names by their ids alone: those of one drawing in one call.

import { useQuery } from '@tanstack/react-query';
import { call } from './client.ts';

const idsMax = 200;
const freshMs = 5 * 60_000;

interface Asked {
  readonly appId: string;
  readonly id: string;
  readonly tell: (name: string | null) => void;
  readonly fail: (error: unknown) => void;
}

let asked: Asked[] = [];

/** `undefined` until it is known; `null` without a name, and where it could not be read. */
export function usePersonName(appId: string, id: string | null): string | null | undefined {
  const result = useQuery({
    // With the searches of people, so that whatever changes those changes names, too.
    queryKey: ['searchSubscribers', 'name', appId, id],
    queryFn: () => nameOf(appId, id ?? ''),
    enabled: id !== null,
    staleTime: freshMs,
  });
  if (id === null) return null;
  return result.isPending ? undefined : (result.data ?? null);
}

function nameOf(appId: string, id: string): Promise<string | null> {
  return new Promise((tell, fail) => {
    if (asked.length === 0) setTimeout(askAll);
    asked.push({ appId, id, tell, fail });
  });
}

function askAll(): void {
  const all = asked;
  asked = [];
  for (const appId of new Set(all.map((one) => one.appId))) {
    const ofApp = all.filter((one) => one.appId === appId);
    for (let at = 0; at < ofApp.length; at += idsMax) void ask(appId, ofApp.slice(at, at + idsMax));
  }
}

async function ask(appId: string, some: readonly Asked[]): Promise<void> {
  const ids = [...new Set(some.map(({ id }) => id))];
  try {
    const body = { ids, limit: ids.length, tags: [] };
    const { items } = await call('searchSubscribers', { path: { appId }, body });
    const names = new Map(items.map(({ id, displayName }) => [id, displayName]));
    for (const { id, tell } of some) tell(names.get(id) ?? null);
  } catch (error) {
    for (const { fail } of some) fail(error);
  }
}
