// The third step: progress with its rate, the result, and the lines that were not imported.

import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Bar, count, Figures, rate } from '../../ui/figure.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { ScrollX } from '../../ui/scroll-x.tsx';
import { csvText } from './csv.ts';
import { failuresMax, type Progress } from './run.ts';
import type { Source } from './source.ts';
import type { Step, useImport } from './use-import.ts';
import { words } from './words.ts';

const shownFailures = 20;

export function RunPanel({
  work,
  source,
}: {
  readonly work: ReturnType<typeof useImport>;
  readonly source: Source;
}) {
  const app = useApp();
  const { step, progress } = work;
  const isDry =
    step.at === 'checking' || step.at === 'checked' || (step.at === 'stopped' && step.wasDry);
  return (
    <>
      <div className="row-between">
        <div className="grow">
          <h2>{titles[step.at]}</h2>
          <p className="soft">{source.file.name}</p>
        </div>
        <div className="row">
          {(step.at === 'running' || step.at === 'checking') && (
            <Button onClick={work.stop}>{words.stop}</Button>
          )}
          {(step.at === 'checked' || (step.at === 'stopped' && step.wasDry)) && (
            <>
              <Button onClick={work.back}>{words.back}</Button>
              <Button kind="primary" onClick={() => work.run(work.from)}>
                {words.start}
              </Button>
            </>
          )}
          {step.at === 'stopped' && !step.wasDry && (
            <Button kind="primary" onClick={() => work.run(work.from)}>
              {words.goOn}
            </Button>
          )}
          {step.at === 'done' && (
            <>
              <Button onClick={work.restart}>{words.another}</Button>
              <ButtonLink kind="primary" to={appPath(app.id, 'people')}>
                {words.seePeople}
              </ButtonLink>
            </>
          )}
        </div>
      </div>
      {step.at === 'running' && <Note>{words.runningText}</Note>}
      {step.at === 'checking' && <Note>{words.checkingText}</Note>}
      {step.at === 'checked' && <Note tone="accent">{words.checkedText}</Note>}
      {step.at === 'stopped' && !step.wasDry && <Note tone="notice">{words.stoppedText}</Note>}
      {step.at === 'stopped' && step.error !== undefined && <ErrorNote error={step.error} />}
      {progress !== undefined && (
        <Counts progress={progress} size={source.file.size} isDry={isDry} />
      )}
      {progress !== undefined && <Flagged flags={progress.flags} />}
      {progress !== undefined && progress.failures.length > 0 && (
        <Failures progress={progress} source={source} />
      )}
    </>
  );
}

const titles: Readonly<Record<Step['at'], string>> = {
  choose: words.title,
  opening: words.opening,
  encoding: words.encodingTitle,
  map: words.mapTitle,
  checking: words.checking,
  checked: words.checked,
  running: words.running,
  stopped: words.stopped,
  done: words.done,
};

function Counts({
  progress,
  size,
  isDry,
}: {
  readonly progress: Progress;
  readonly size: number;
  readonly isDry: boolean;
}) {
  const { bytes, created, updated, failed, inPart, perSecond } = progress;
  return (
    <div className="stack-tight" role="status">
      <Bar label={words.running} part={bytes} all={size} />
      <p className="soft">
        {rate(bytes, size)} {words.ofFile}
      </p>
      <Figures
        items={[
          { name: isDry ? words.wouldCreate : words.created, value: count(created) },
          { name: isDry ? words.wouldUpdate : words.updated, value: count(updated) },
          { name: words.failed, value: count(failed) },
          ...(inPart > 0 ? [{ name: words.inPart, value: count(inPart) }] : []),
          { name: words.rate, value: count(Math.round(perSecond)) },
        ]}
      />
    </div>
  );
}

/** Nothing is wrong with the lines, so nothing is to be done before the import goes on. */
function Flagged({ flags }: Pick<Progress, 'flags'>) {
  const kinds = (['typo', 'disposable', 'role'] as const).flatMap((kind) => {
    const found = flags[kind];
    return found === undefined ? [] : [{ kind, ...found }];
  });
  if (kinds.length === 0) return null;
  return (
    <section className="card">
      <div className="card-head">
        <h2>{words.flagged}</h2>
      </div>
      <div className="card-body stack-tight">
        {kinds.map(({ kind, count: many, first }) => (
          <p key={kind}>
            {words.flags[kind](many)}{' '}
            <span className="soft">
              {first
                .slice(0, 5)
                .map(({ line, domain, meant }) => words.flaggedLine(count(line), domain, meant))
                .join(' · ')}
            </span>
          </p>
        ))}
      </div>
    </section>
  );
}

export function Failures({
  progress,
  source,
}: {
  readonly progress: Pick<Progress, 'failures' | 'failuresCount'>;
  readonly source: Source;
}) {
  const { failures, failuresCount } = progress;
  const rest = failuresCount - Math.min(failures.length, shownFailures);
  const download = () => {
    const header = [words.errorColumn, ...(source.header ?? [words.line])];
    const rows = failures.map(({ error, cells }) => [error, ...cells]);
    saveAs(csvText([header, ...rows]), `${source.file.name}.errors.csv`);
  };
  return (
    <section className="card">
      <div className="card-head">
        <h2>{words.failures}</h2>
        <Button size="small" icon="download" onClick={download}>
          {words.download}
        </Button>
      </div>
      <ScrollX>
        <table className="plain-table">
          <thead>
            <tr>
              <th className="end">{words.line}</th>
              <th>{words.reason}</th>
              <th>{words.values}</th>
            </tr>
          </thead>
          <tbody>
            {failures.slice(0, shownFailures).map(({ line, error, cells, isImported }) => (
              <tr key={`${line} ${error}`}>
                <td className="end">{count(line)}</td>
                <td>{isImported ? words.without(error) : error}</td>
                <td className="soft">{cells.join(' · ').slice(0, 120)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      {rest > 0 && <p className="card-body soft">{words.moreFailures(rest)}</p>}
      {failures.length === failuresMax && (
        <p className="card-body soft">{words.cutFailures(failuresMax)}</p>
      )}
    </section>
  );
}

function saveAs(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
