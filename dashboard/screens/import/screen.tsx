// Import: a file of people, its columns assigned, sent in calls that can be stopped and resumed.

import { useLocation } from 'wouter';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Bar } from '../../ui/figure.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { Grey, Note } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { Choose } from './choose.tsx';
import { ChooseEncoding } from './choose-encoding.tsx';
import { LeaveImport } from './leave-import.tsx';
import { MapColumns } from './map-columns.tsx';
import { Move } from './move.tsx';
import { moveWords } from './move-words.ts';
import { RunPanel } from './run-panel.tsx';
import { type ServiceId, serviceIds } from './services.ts';
import { type Step, useImport } from './use-import.ts';
import { words } from './words.ts';

export default function Import() {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const work = useImport();
  const { step, source } = work;
  const [from] = useQueryParam('from');
  const service = serviceIds.find((id) => id === from);
  const toPeople = appPath(app.id, 'people');
  useShortcuts([{ keys: 'Escape', label: words.people, run: () => go(toPeople) }]);
  if (service !== undefined) return <MoveScreen service={service} refused={refused} />;
  return (
    <>
      <ScreenHead title={words.title} crumb={{ to: toPeople, label: words.people }} />
      <div className="screen-body">
        <div className="stack import">
          {refused !== undefined && <Note tone="notice">{refused}</Note>}
          {step.at === 'choose' && (
            <Choose problem={step.problem} refused={refused} onFile={work.open} />
          )}
          {step.at === 'opening' && (
            <>
              <p role="status">{words.opening}</p>
              <Bar label={words.opening} part={step.bytes} all={step.size} />
              <Grey rows={4} />
            </>
          )}
          {step.at === 'encoding' && (
            <ChooseEncoding
              key={step.file.name}
              file={step.file}
              sample={step.sample}
              readings={step.readings}
              problem={step.problem}
              onChoose={(encoding) => work.readIn(step, encoding)}
              onOther={work.restart}
            />
          )}
          {step.at === 'map' && source !== undefined && (
            <MapColumns
              source={source}
              mapping={work.mapping}
              onChange={work.setMapping}
              done={work.from}
              onStart={work.run}
              onCheck={work.check}
              onOther={work.restart}
            />
          )}
          {isRun(step) && source !== undefined && <RunPanel work={work} source={source} />}
          <LeaveImport isRunning={step.at === 'running'} onStop={work.stop} />
        </div>
      </div>
    </>
  );
}

function MoveScreen({
  service,
  refused,
}: {
  readonly service: ServiceId;
  readonly refused: string | undefined;
}) {
  const app = useApp();
  const crumb = { to: appPath(app.id, 'import'), label: words.title };
  return (
    <>
      <ScreenHead title={moveWords.title(moveWords.names[service])} crumb={crumb} />
      <div className="screen-body">
        <div className="stack import">
          {refused !== undefined && <Note tone="notice">{refused}</Note>}
          <Move key={service} service={service} refused={refused} />
        </div>
      </div>
    </>
  );
}

/** Whether there is progress or a result to show. */
function isRun({ at }: Step): boolean {
  return at !== 'choose' && at !== 'opening' && at !== 'encoding' && at !== 'map';
}
