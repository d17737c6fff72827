// Changes of many people at once. A small change is done with the call; a large one goes on in the
// server, and is followed here until it is done.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ArgumentsOf, call, refreshAfter } from '../../api/client.ts';
import type { BulkChange, Filter } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';

type Body = ArgumentsOf<'changeSubscribers'>['body'];
export type BulkAction = Pick<Body, 'tags' | 'suppress' | 'delete'>;

/** Who is changed: those named, or all who match at the moment of the call. */
export type BulkWho =
  | { readonly ids: readonly string[] }
  | { readonly filter: Filter }
  | { readonly segmentId: string };

const idsMax = 1_000;
const lookMs = 500;

interface BulkResult {
  readonly changed: number;
  readonly failed: number;
}

export function useBulk() {
  const app = useApp();
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>();

  const follow = async (started: BulkChange): Promise<BulkChange> => {
    let change = started;
    while (change.state === 'running') {
      setProgress({ done: change.looked, all: change.matched });
      await new Promise((wake) => setTimeout(wake, lookMs));
      change = await call('readBulkChange', { path: { appId: app.id, id: change.id } });
    }
    return change;
  };

  /** Throws an `ApiError`. */
  const run = async (who: BulkWho, action: BulkAction): Promise<BulkResult> => {
    const result = { changed: 0, failed: 0 };
    setProgress({ done: 0, all: 'ids' in who ? who.ids.length : 0 });
    try {
      for (const part of partsOf(who)) {
        const body = { ...part, ...action } as Body;
        const options = { idempotencyKey: crypto.randomUUID() };
        const path = { appId: app.id };
        const change = await follow(await call('changeSubscribers', { path, body }, options));
        result.changed += change.changed;
        result.failed += change.failed;
      }
      return result;
    } finally {
      setProgress(undefined);
      void refreshAfter(client, 'changeSubscribers');
    }
  };
  return { run, progress };
}

function partsOf(who: BulkWho): readonly BulkWho[] {
  if (!('ids' in who)) return [who];
  const parts: BulkWho[] = [];
  for (let from = 0; from < who.ids.length; from += idsMax)
    parts.push({ ids: who.ids.slice(from, from + idsMax) });
  return parts;
}
