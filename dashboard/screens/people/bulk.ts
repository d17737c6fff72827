// Changes of several people at once: one call each, a few at a time, with progress. The only place
// that knows how it is done.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { asApiError } from '../../api/errors.ts';
import { useApp } from '../../frame/session-context.tsx';

const atOnce = 4;

type TagPatch = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
export type BulkChange = { readonly tags: TagPatch } | { readonly erase: true };

interface BulkResult {
  readonly changed: number;
  /** Ids that could not be changed, and why the first could not. */
  readonly failed: readonly string[];
  readonly problem: string | undefined;
}

export function useBulk() {
  const app = useApp();
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>();
  const run = async (ids: readonly string[], change: BulkChange): Promise<BulkResult> => {
    const left = [...ids];
    const failed: string[] = [];
    let problem: string | undefined;
    let done = 0;
    setProgress({ done, all: ids.length });
    const work = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        const path = { appId: app.id, id };
        try {
          if ('tags' in change)
            await call('updateSubscriber', { path, body: { tags: change.tags } });
          else await call('deleteSubscriber', { path });
        } catch (error) {
          failed.push(id);
          problem ??= asApiError(error).message;
        }
        setProgress({ done: ++done, all: ids.length });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    setProgress(undefined);
    for (const name of ['searchSubscribers', 'readSubscriber', 'listFields', 'previewSegment'])
      void client.invalidateQueries({ queryKey: [name] });
    return { changed: ids.length - failed.length, failed, problem };
  };
  return { run, progress };
}
