// The second step: what each column becomes, with its first values beside it.

import { useState } from 'react';
import { noFacts } from '../../../files/column-facts.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Check } from '../../ui/choices.tsx';
import { Note } from '../../ui/note.tsx';
import { Clashes, refusalOf } from './clashes.tsx';
import { ColumnRow } from './column-row.tsx';
import { moveWords } from './move-words.ts';
import { type ServiceId, serviceOfColumns } from './services.ts';
import type { Source } from './source.ts';
import type { Mapping } from './target.ts';
import { words } from './words.ts';

interface MapProps {
  readonly source: Source;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
  /** Lines that were imported before. */
  readonly done: number;
  readonly onStart: (from: number) => void;
  /** Tries the lines without storing anything. */
  readonly onCheck: (from: number) => void;
  readonly onOther: () => void;
}

export function MapColumns(props: MapProps) {
  const { source, mapping, onChange, done } = props;
  const { header, first, facts, leftOut } = source;
  const ids = mapping.filter(({ kind }) => kind === 'externalId').length;
  const isMapped = header !== undefined;
  const service = header && serviceOfColumns(header);
  const [isStored, setStored] = useState(false);
  const unsafe = service !== undefined && !isStored ? moveWords.anywayFirst : undefined;
  const refused = unsafe ?? (isMapped ? refusalOf(mapping) : undefined);
  return (
    <>
      <MapHead {...props} refused={refused} />
      {done > 0 && (
        <Note tone="accent">
          <strong>{words.resume(done)}</strong> {words.resumeText}
        </Note>
      )}
      {service !== undefined && (
        <IsMove service={service} isStored={isStored} onStored={setStored} />
      )}
      {isMapped && ids === 0 && <Note tone="notice">{words.noId}</Note>}
      {leftOut.length > 0 && <Note tone="notice">{words.leftOut(leftOut)}</Note>}
      {isMapped && <Clashes mapping={mapping} header={header} />}
      {isMapped && (
        <div className="card import-columns">
          {header.map((name, column) => (
            <ColumnRow
              key={`${name} ${header.slice(0, column).filter((one) => one === name).length}`}
              name={name || `${words.column} ${column + 1}`}
              values={first.map((cells) => cells[column] ?? '')}
              facts={facts[column] ?? noFacts}
              target={mapping[column] ?? { kind: 'skip' }}
              onChange={(next) =>
                onChange(
                  header.map((_, at) => (at === column ? next : (mapping[at] ?? { kind: 'skip' }))),
                )
              }
            />
          ))}
        </div>
      )}
    </>
  );
}

/** The file is an export of a service, which says who opted out in its own way. */
function IsMove({
  service,
  isStored,
  onStored,
}: {
  readonly service: ServiceId;
  readonly isStored: boolean;
  readonly onStored: (isStored: boolean) => void;
}) {
  const app = useApp();
  const name = moveWords.names[service];
  return (
    <Note tone="bad">
      <div className="stack-tight">
        <p>{moveWords.looksLike(name)}</p>
        <div>
          <ButtonLink size="small" to={withParams(appPath(app.id, 'import'), { from: service })}>
            {moveWords.useMove(name)}
          </ButtonLink>
        </div>
        <Check isChecked={isStored} onChange={onStored}>
          {moveWords.anyway}
        </Check>
      </div>
    </Note>
  );
}

function MapHead({
  source,
  done,
  refused,
  onStart,
  onCheck,
  onOther,
}: MapProps & { readonly refused: string | undefined }) {
  const isMapped = source.header !== undefined;
  return (
    <div className="row-between">
      <div className="grow">
        <h2>{isMapped ? words.mapTitle : source.file.name}</h2>
        <p className="soft">{isMapped ? `${aboutOf(source)} ${words.mapText}` : words.noMap}</p>
      </div>
      <div className="row">
        <Button onClick={onOther}>{words.other}</Button>
        {done > 0 && (
          <Button refused={refused} onClick={() => onStart(0)}>
            {words.again}
          </Button>
        )}
        <Button refused={refused} onClick={() => onStart(done)}>
          {done > 0 ? words.goOn : words.startNow}
        </Button>
        <Button kind="primary" refused={refused} onClick={() => onCheck(done)}>
          {words.check}
        </Button>
      </div>
    </div>
  );
}

/** The file, and how it was read. */
function aboutOf({ file, encoding, form }: Source): string {
  const separated = form === undefined ? [] : [words.separatedBy(form.separator)];
  return `${[file.name, words.readAs(encoding), ...separated].join(', ')}.`;
}
