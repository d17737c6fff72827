// The steps of an import: choose a file, name its encoding if it does not, assign its columns, run,
// see the result.

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { refreshAfter } from '../../api/client.ts';
import { type ApiError, asApiError } from '../../api/errors.ts';
import { useApp } from '../../api/session-context.tsx';
import { guessMapping } from './mapping.ts';
import { type Reading, readingsOf } from './readings.ts';
import { forget, keep, keptOf } from './resume.ts';
import { type Progress, runImport } from './run.ts';
import type { SampleLines } from './sample-lines.ts';
import { type Opened, openSource, type Source } from './source.ts';
import type { Mapping } from './target.ts';
import { words } from './words.ts';

export type Step =
  | { readonly at: 'choose'; readonly problem?: string }
  | { readonly at: 'opening'; readonly bytes: number; readonly size: number }
  | AskedEncoding
  | { readonly at: 'map' | 'checking' | 'checked' | 'running' }
  | { readonly at: 'stopped'; readonly wasDry: boolean; readonly error?: ApiError }
  | { readonly at: 'done' };

interface AskedEncoding {
  readonly at: 'encoding';
  readonly file: File;
  readonly sample: SampleLines;
  readonly readings: readonly Reading[];
  readonly problem?: string;
}

export function useImport() {
  const app = useApp();
  const client = useQueryClient();
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const [source, setSource] = useState<Source>();
  const [mapping, setMapping] = useState<Mapping>([]);
  const [from, setFrom] = useState(0);
  const [progress, setProgress] = useState<Progress>();
  const stopper = useRef<AbortController>(undefined);

  /** `asked`: the question of which `encoding` is the answer. */
  const open = async (file: File, encoding?: string, asked?: AskedEncoding) => {
    const kept = keptOf(app.id, file);
    const onBytes = (bytes: number) => setStep({ at: 'opening', bytes, size: file.size });
    onBytes(0);
    const opened = await tryOpen(file, encoding ?? kept?.encoding, onBytes);
    if (opened.kind !== 'source') return setStep(stepOf(file, opened, asked));
    if (opened.source.lines === 0) return setStep({ at: 'choose', problem: words.empty });
    const { header, first, facts } = opened.source;
    setSource(opened.source);
    setFrom(kept?.lines ?? 0);
    setMapping(kept?.mapping ?? guessMapping(header ?? [], first, facts));
    setProgress(undefined);
    setStep({ at: 'map' });
  };

  const run = async (first: number, isDry: boolean) => {
    if (source === undefined) return;
    const abort = new AbortController();
    stopper.current = abort;
    setProgress(undefined);
    setStep({ at: isDry ? 'checking' : 'running' });
    const { file, encoding } = source;
    const onProgress = (next: Progress) => {
      setProgress(next);
      if (isDry) return;
      setFrom(next.lines);
      keep(app.id, file, { lines: next.lines, mapping, encoding });
    };
    try {
      const { signal } = abort;
      await runImport({ appId: app.id, source, mapping, from: first, isDry, signal, onProgress });
      if (isDry) return setStep({ at: 'checked' });
      forget(app.id, file);
      setStep({ at: 'done' });
    } catch (error) {
      const stopped = { at: 'stopped', wasDry: isDry } as const;
      setStep(abort.signal.aborted ? stopped : { ...stopped, error: asApiError(error) });
    }
    void refreshAfter(client, 'importSubscribers');
  };

  return {
    step,
    source,
    mapping,
    setMapping,
    from,
    progress,
    open: (file: File) => void open(file),
    readIn: (asked: AskedEncoding, encoding: string) => void open(asked.file, encoding, asked),
    run: (first: number) => void run(first, false),
    check: (first: number) => void run(first, true),
    back: () => setStep({ at: 'map' }),
    stop: () => stopper.current?.abort(),
    restart: () => setStep({ at: 'choose' }),
  };
}

async function tryOpen(
  file: File,
  encoding: string | undefined,
  onBytes: (bytes: number) => void,
): Promise<Opened> {
  try {
    return await openSource(file, encoding, onBytes);
  } catch (error) {
    return { kind: 'problem', problem: error instanceof Error ? error.message : String(error) };
  }
}

/** What to do about a file that cannot be read yet. */
function stepOf(
  file: File,
  opened: Exclude<Opened, { readonly kind: 'source' }>,
  asked: AskedEncoding | undefined,
): Step {
  if (opened.kind === 'encoding') {
    const readings = readingsOf(opened.sample.lines, navigator.languages);
    return { at: 'encoding', file, sample: opened.sample, readings };
  }
  if (opened.kind === 'noText') return { at: 'choose', problem: words.noText(opened.noText) };
  if (asked !== undefined) return { ...asked, problem: opened.problem };
  return { at: 'choose', problem: words.unreadable(opened.problem) };
}
