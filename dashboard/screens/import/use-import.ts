// The steps of an import: choose a file, assign its columns, run, see the result.

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type ApiError, asApiError } from '../../api/errors.ts';
import { useApp } from '../../frame/session-context.tsx';
import { guessMapping, type Mapping } from './mapping.ts';
import { forget, keep, keptOf } from './resume.ts';
import { type Progress, runImport } from './run.ts';
import { openSource, type Source } from './source.ts';
import { words } from './words.ts';

export type Step =
  | { readonly at: 'choose'; readonly problem?: string }
  | { readonly at: 'opening' }
  | { readonly at: 'map' | 'checking' | 'checked' | 'running' }
  | { readonly at: 'stopped'; readonly wasDry: boolean; readonly error?: ApiError }
  | { readonly at: 'done' };

const refreshes = ['searchSubscribers', 'listFields', 'previewSegment', 'countSegment'];

export function useImport() {
  const app = useApp();
  const client = useQueryClient();
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const [source, setSource] = useState<Source>();
  const [mapping, setMapping] = useState<Mapping>([]);
  const [from, setFrom] = useState(0);
  const [progress, setProgress] = useState<Progress>();
  const stopper = useRef<AbortController>(undefined);

  const open = async (file: File) => {
    setStep({ at: 'opening' });
    try {
      const opened = await openSource(file);
      if (opened.header !== undefined && opened.first.length === 0)
        return setStep({ at: 'choose', problem: words.empty });
      const kept = keptOf(app.id, file);
      setSource(opened);
      setFrom(kept?.lines ?? 0);
      setMapping(kept?.mapping ?? guessMapping(opened.header ?? [], opened.first));
      setProgress(undefined);
      setStep({ at: 'map' });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      setStep({
        at: 'choose',
        problem: problem === 'empty' ? words.empty : words.unreadable(problem),
      });
    }
  };

  const run = async (first: number, isDry: boolean) => {
    if (source === undefined) return;
    const abort = new AbortController();
    stopper.current = abort;
    setProgress(undefined);
    setStep({ at: isDry ? 'checking' : 'running' });
    try {
      await runImport({
        appId: app.id,
        source,
        mapping,
        from: first,
        isDry,
        signal: abort.signal,
        onProgress: (next) => {
          setProgress(next);
          if (isDry) return;
          setFrom(next.lines);
          keep(app.id, source.file, { lines: next.lines, mapping });
        },
      });
      if (isDry) return setStep({ at: 'checked' });
      forget(app.id, source.file);
      setStep({ at: 'done' });
    } catch (error) {
      setStep(
        abort.signal.aborted
          ? { at: 'stopped', wasDry: isDry }
          : { at: 'stopped', wasDry: isDry, error: asApiError(error) },
      );
    }
    for (const name of refreshes) void client.invalidateQueries({ queryKey: [name] });
  };

  return {
    step,
    source,
    mapping,
    setMapping,
    from,
    progress,
    open: (file: File) => void open(file),
    run: (first: number) => void run(first, false),
    check: (first: number) => void run(first, true),
    back: () => setStep({ at: 'map' }),
    stop: () => stopper.current?.abort(),
    restart: () => setStep({ at: 'choose' }),
  };
}
