// The steps of the page to try the web SDK: log in, subscribe, send oneself a message, set a tag,
// track an event.

import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Note } from '../../ui/note.tsx';
import {
  browserCommand,
  control,
  type Engage,
  type HttpCall,
  isReached,
  linesOf,
  pretty,
  type TryAt,
} from './engage.ts';
import { words } from './words.ts';

export interface Tried {
  readonly place: TryAt;
  readonly engage: Engage;
}

interface StepsProps extends Tried {
  readonly run: (work: () => Promise<unknown>) => void;
  readonly add: (call: HttpCall) => void;
  readonly news: string | undefined;
}

export function Steps({ place, engage, run, add, news }: StepsProps) {
  const [who, setWho] = useState<string>();
  useEffect(() => {
    engage.user().then(
      ({ externalUserId }) => setWho(externalUserId ?? undefined),
      () => undefined, // the core reports it
    );
  }, [engage]);
  return (
    <>
      <Card title={words.lines.title} text={words.lines.text}>
        <CodeLine text={linesOf(place)} />
      </Card>
      <LogIn place={place} engage={engage} run={run} who={who} onDone={setWho} />
      <Subscribe engage={engage} run={run} />
      <Card title={words.send.title} text={words.send.text}>
        <div className="try-row">
          {(['push', 'popup', 'inbox'] as const).map((kind) => (
            <Button
              key={kind}
              isDisabled={who === undefined}
              onClick={() => run(() => send(engage, kind, who ?? '', add))}
            >
              {words.send[kind]}
            </Button>
          ))}
        </div>
        <p role="status">{news === undefined ? '' : words.send.received(news)}</p>
      </Card>
      <More engage={engage} run={run} />
    </>
  );
}

function Card({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="card">
      <div className="card-body try-card">
        <h2>{title}</h2>
        {text !== undefined && <p className="soft">{text}</p>}
        {children}
      </div>
    </section>
  );
}

type StepProps = Pick<StepsProps, 'engage' | 'run'>;

function LogIn({
  place,
  engage,
  run,
  who,
  onDone,
}: StepProps & {
  readonly place: TryAt;
  readonly who: string | undefined;
  readonly onDone: (who: string) => void;
}) {
  const [id, setId] = useState(() => `visitor-${Math.floor(Math.random() * 1e6)}`);
  const logIn = async () => {
    await engage.login(id);
    await engage.setTags({ [place.tag]: id });
    await engage.flush();
    onDone(id);
  };
  return (
    <Card title={words.who.title} text={words.who.text}>
      <form
        className="try-row"
        onSubmit={(event) => {
          event.preventDefault();
          run(logIn);
        }}
      >
        <Field label={words.who.id}>
          <TextInput value={id} onChange={setId} required maxLength={128} />
        </Field>
        <Button kind="primary" type="submit">
          {words.who.go}
        </Button>
      </form>
      <p role="status">{who === undefined ? '' : words.who.done(who)}</p>
    </Card>
  );
}

function Subscribe({ engage, run }: StepProps) {
  const [command, setCommand] = useState<string>();
  const [reached, setReached] = useState<boolean>();
  useEffect(() => {
    browserCommand().then(setCommand, () => undefined); // the step works without it
    if (engage.push.permission() === 'granted')
      isReached().then(
        (is) => setReached(is || undefined),
        () => undefined,
      );
  }, [engage]);
  const subscribe = async () => {
    await engage.push.subscribe();
    setReached(await isReached());
  };
  return (
    <Card title={words.push.title} text={words.push.text}>
      {command !== undefined && <CodeLine text={command} />}
      <p className="soft">{words.push.profile}</p>
      <div className="try-row">
        <Button kind="primary" onClick={() => run(subscribe)}>
          {words.push.go}
        </Button>
      </div>
      <div role="status">
        {reached === true && <Note tone="good">{words.push.done}</Note>}
        {reached === false && <Note tone="notice">{words.push.elsewhere}</Note>}
      </div>
    </Card>
  );
}

async function send(
  engage: Engage,
  kind: 'push' | 'popup' | 'inbox',
  externalUserId: string,
  add: (call: HttpCall) => void,
): Promise<void> {
  const { calls } = await control<{
    readonly calls: readonly { readonly line: string; readonly body: object }[];
  }>('/try/send', { kind, externalUserId });
  for (const { line, body } of calls)
    add({
      id: performance.now() + Math.random(),
      line,
      status: 200,
      body: pretty(JSON.stringify(body)),
      isOfSandbox: true,
    });
  if (kind === 'inbox') await engage.inbox.refresh();
  if (kind === 'popup') await engage.inApp.refresh();
}

function More({ engage, run }: StepProps) {
  const [tag, setTag] = useState('plan');
  const [value, setValue] = useState('pro');
  const [name, setName] = useState('looked');
  return (
    <Card title={words.more.title}>
      <div className="try-row">
        <Field label={words.more.tag}>
          <TextInput value={tag} onChange={setTag} />
        </Field>
        <Field label={words.more.value}>
          <TextInput value={value} onChange={setValue} />
        </Field>
        <Button onClick={() => run(() => engage.setTags({ [tag]: value }))}>
          {words.more.set}
        </Button>
      </div>
      <div className="try-row">
        <Field label={words.more.event}>
          <TextInput value={name} onChange={setName} />
        </Field>
        <Button onClick={() => run(() => engage.track(name))}>{words.more.track}</Button>
      </div>
    </Card>
  );
}
