// The CSV of OneSignal: chosen, judged, and imported with its opt-outs first.

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { refreshAfter } from '../../api/client.ts';
import { type ApiError, asApiError } from '../../api/errors.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Bar, count, Figures } from '../../ui/figure.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { LeaveImport } from './leave-import.tsx';
import { type Moved, runMove } from './move-run.ts';
import { moveWords as text } from './move-words.ts';
import { oneSignalLack } from './one-signal.ts';
import { Failures } from './run-panel.tsx';
import { openSource, type Source } from './source.ts';
import { words } from './words.ts';

type Step =
  | { readonly at: 'choose'; readonly problem?: string }
  | { readonly at: 'opening' | 'judging' | 'judged' | 'running' | 'done' }
  | { readonly at: 'stopped'; readonly error?: ApiError };

export function MoveFile({ refused }: { readonly refused: string | undefined }) {
  const work = useMove();
  const { step, source, moved } = work;
  const isRunning = step.at === 'running';
  return (
    <section className="stack-tight">
      <h2>{text.here}</h2>
      <p className="soft">{text.hereText}</p>
      {step.at === 'choose' && step.problem !== undefined && <Note tone="bad">{step.problem}</Note>}
      {step.at === 'judged' && <Note tone="accent">{text.checked}</Note>}
      {step.at === 'done' && <Note tone="good">{text.done}</Note>}
      {step.at === 'stopped' && <Note tone="notice">{text.stopped}</Note>}
      {step.at === 'stopped' && step.error !== undefined && <ErrorNote error={step.error} />}
      <div className="row">
        <Actions work={work} refused={refused} />
      </div>
      {step.at === 'opening' && <p role="status">{text.reading}</p>}
      {source !== undefined && moved !== undefined && (
        <Numbers
          moved={moved}
          size={source.file.size}
          isBusy={isRunning || step.at === 'judging'}
        />
      )}
      {source !== undefined && moved !== undefined && moved.failures.length > 0 && (
        <Failures progress={moved} source={source} />
      )}
      <LeaveImport isRunning={isRunning} onStop={work.stop} />
    </section>
  );
}

function Actions({
  work: { step, open, run, stop },
  refused,
}: {
  readonly work: ReturnType<typeof useMove>;
  readonly refused: string | undefined;
}) {
  const app = useApp();
  if (step.at === 'opening') return null;
  if (step.at === 'judging' || step.at === 'running')
    return <Button onClick={stop}>{text.stop}</Button>;
  return (
    <>
      {step.at !== 'done' && step.at !== 'choose' && (
        <Button kind="primary" refused={refused} onClick={run}>
          {step.at === 'stopped' ? text.again : text.start}
        </Button>
      )}
      {step.at === 'done' && (
        <ButtonLink kind="primary" to={appPath(app.id, 'people')}>
          {text.seePeople}
        </ButtonLink>
      )}
      <ChooseFile
        label={step.at === 'choose' ? text.chooseFile : text.other}
        refused={refused}
        onFile={open}
      />
    </>
  );
}

function ChooseFile({
  label,
  refused,
  onFile,
}: {
  readonly label: string;
  readonly refused: string | undefined;
  readonly onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        className="sr-only"
        type="file"
        tabIndex={-1}
        aria-label={text.file}
        accept=".csv,.txt,text/csv"
        onChange={({ target }) => {
          const file = target.files?.item(0);
          // The same file can be chosen again after it was exported anew.
          target.value = '';
          if (file && refused === undefined) onFile(file);
        }}
      />
      <Button icon="upload" refused={refused} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}

function Numbers({
  moved,
  size,
  isBusy,
}: {
  readonly moved: Moved;
  readonly size: number;
  readonly isBusy: boolean;
}) {
  const { pass, bytes, lines, optOuts, stored, created, updated, left, failuresCount } = moved;
  const isJudged = pass === 'judge';
  return (
    <div className="stack-tight" role="status">
      {isBusy && (
        <>
          <p>{text.passes[pass]}</p>
          <Bar label={text.passes[pass]} part={bytes} all={size} />
        </>
      )}
      <Figures
        items={[
          { name: text.figures.lines, value: count(lines) },
          { name: text.figures.optOuts, value: count(optOuts) },
          ...(isJudged
            ? []
            : [
                { name: text.figures.stored, value: count(stored) },
                { name: text.figures.created, value: count(created) },
                { name: text.figures.updated, value: count(updated) },
              ]),
          { name: text.figures.left, value: count(left) },
          { name: text.figures.failed, value: count(failuresCount) },
        ]}
      />
      {left > 0 && <p className="soft">{text.leftText(left)}</p>}
    </div>
  );
}

function useMove() {
  const app = useApp();
  const client = useQueryClient();
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const [source, setSource] = useState<Source>();
  const [moved, setMoved] = useState<Moved>();
  const stopper = useRef<AbortController>(undefined);
  const pass = async (from: Source, isDry: boolean) => {
    const abort = new AbortController();
    stopper.current = abort;
    setStep({ at: isDry ? 'judging' : 'running' });
    const { signal } = abort;
    try {
      await runMove({ appId: app.id, source: from, signal, onProgress: setMoved }, isDry);
      setStep({ at: isDry ? 'judged' : 'done' });
    } catch (error) {
      if (isDry) setStep({ at: 'choose', ...(!signal.aborted && { problem: messageOf(error) }) });
      else setStep({ at: 'stopped', ...(!signal.aborted && { error: asApiError(error) }) });
    }
    if (isDry) return;
    void refreshAfter(client, 'importSuppressions');
    void refreshAfter(client, 'importSubscribers');
  };
  const open = async (file: File) => {
    setMoved(undefined);
    setSource(undefined);
    setStep({ at: 'opening' });
    const opened = await openedFile(file);
    if (typeof opened === 'string') return setStep({ at: 'choose', problem: opened });
    setSource(opened);
    await pass(opened, true);
  };
  return {
    step,
    source,
    moved,
    open: (file: File) => void open(file),
    run: () => void (source !== undefined && pass(source, false)),
    stop: () => stopper.current?.abort(),
  };
}

/** The file, or why it cannot be imported here. */
async function openedFile(file: File): Promise<Source | string> {
  try {
    const opened = await openSource(file, undefined, () => undefined);
    if (opened.kind === 'encoding') return text.notUtf8;
    if (opened.kind === 'noText') return words.noText(opened.noText);
    if (opened.kind === 'problem') return words.unreadable(opened.problem);
    if (opened.source.lines === 0) return words.empty;
    const lack = oneSignalLack(opened.source.header ?? []);
    return lack === undefined ? opened.source : text.lacks[lack];
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return words.unreadable(error instanceof Error ? error.message : String(error));
}
