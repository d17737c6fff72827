// The first step: drop or choose a file, or add sample people.

import { type DragEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useApp } from '../../api/session-context.tsx';
import { useAddSample } from '../../person/add-sample.ts';
import { appPath, withParams } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CodeLine } from '../../ui/code.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { moveWords } from './move-words.ts';
import { serviceIds } from './services.ts';
import { words } from './words.ts';

const types = '.csv,.tsv,.txt,.jsonl,.ndjson,.json,text/csv';

export function Choose({
  problem,
  refused,
  onFile,
}: {
  readonly problem: string | undefined;
  readonly refused: string | undefined;
  readonly onFile: (file: File) => void;
}) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (file: File | null | undefined) => {
    if (file && refused === undefined) onFile(file);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files.item(0));
  };
  return (
    <>
      {problem !== undefined && <Note tone="bad">{problem}</Note>}
      <section
        className={classNames('import-drop', isOver && 'over')}
        aria-label={words.drop}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Icon name="upload" large />
        <h2>{words.drop}</h2>
        <p className="soft">{words.dropText}</p>
        <input
          ref={input}
          className="sr-only"
          type="file"
          tabIndex={-1}
          aria-label={words.file}
          accept={types}
          onChange={(event) => take(event.target.files?.item(0))}
        />
        <Button kind="primary" refused={refused} onClick={() => input.current?.click()}>
          {words.choose}
        </Button>
      </section>
      <Services />
      <Sample refused={refused} />
      <section className="stack-tight">
        <h3>{words.asApi}</h3>
        <CodeLine
          text={`curl -X POST ${location.origin}/v1/import/subscribers -H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json" -d '{"appId":"${app.id}","rows":[{"externalUserId":"customer-42","tags":{"plan":"pro"},"devices":[{"channel":"email","endpoint":"ada@example.com"}]}]}'`}
        />
      </section>
    </>
  );
}

function Services() {
  const app = useApp();
  return (
    <section className="card card-body stack-tight">
      <h2>{moveWords.choose}</h2>
      <p className="soft">{moveWords.chooseText}</p>
      <div className="row">
        {serviceIds.map((id) => (
          <ButtonLink key={id} to={withParams(appPath(app.id, 'import'), { from: id })}>
            {moveWords.names[id]}
          </ButtonLink>
        ))}
      </div>
    </section>
  );
}

function Sample({ refused }: { readonly refused: string | undefined }) {
  const app = useApp();
  const [, go] = useLocation();
  const { add, isPending, error } = useAddSample(() => go(appPath(app.id, 'people')));
  return (
    <section className="card card-body row-between">
      <div className="grow">
        <h2>{words.sample}</h2>
        <p className="soft">{words.sampleText}</p>
        {error !== undefined && <ErrorNote error={error} />}
      </div>
      <Button icon="people" refused={refused} isBusy={isPending} onClick={add}>
        {words.addSample}
      </Button>
    </section>
  );
}
