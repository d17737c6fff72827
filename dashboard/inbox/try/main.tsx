// A page where a newcomer subscribes this very browser: it loads the SDK of the server that runs,
// as a site would, and shows each call that follows.

import { type ReactNode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Badge } from '../../ui/badge.tsx';
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
  loadEngage,
  type Place,
  pretty,
  watchCalls,
} from './engage.ts';
import { words } from './words.ts';

const callsMax = 100;

interface Tried {
  readonly place: Place;
  readonly engage: Engage;
}

function Page() {
  const [tried, setTried] = useState<Tried>();
  const [problem, setProblem] = useState<string>();
  const [calls, setCalls] = useState<readonly HttpCall[]>([]);
  const [news, setNews] = useState<string>();
  const add = (call: HttpCall) =>
    setCalls((all) => [call, ...all.filter((one) => one.id !== call.id)].slice(0, callsMax));
  const [isOnce] = useState({ begun: false });
  useEffect(() => {
    if (isOnce.begun) return;
    isOnce.begun = true;
    begin(add, setProblem, setNews).then(setTried, (error: Error) => setProblem(error.message));
  });
  /** Runs what a button does, and says why it failed. */
  const run = (work: () => Promise<unknown>) => {
    setProblem(undefined);
    work().catch((error: Error) => setProblem(error.message));
  };
  return (
    <>
      <header className="try-top">
        <h1>{words.title}</h1>
        <a href="/">{words.inbox}</a>
        <engage-inbox lang="en" />
      </header>
      <main className="try">
        <div>
          {problem !== undefined && <Note tone="bad">{problem}</Note>}
          {tried !== undefined && <Steps {...tried} run={run} add={add} news={news} />}
        </div>
        <Calls calls={calls} />
      </main>
    </>
  );
}

async function begin(
  add: (call: HttpCall) => void,
  failed: (why: string) => void,
  received: (title: string) => void,
): Promise<Tried> {
  const place = await control<Place>('/try');
  watchCalls(place.engageUrl, add);
  const engage = await loadEngage(place.engageUrl);
  engage.on('error', ({ message }) => failed(message));
  engage.push.on('received', ({ message }) => received(message.title ?? ''));
  await engage.init({ appId: place.appId, baseUrl: place.engageUrl });
  return { place, engage };
}

interface StepsProps extends Tried {
  readonly run: (work: () => Promise<unknown>) => void;
  readonly add: (call: HttpCall) => void;
  readonly news: string | undefined;
}

function Steps({ place, engage, run, add, news }: StepsProps) {
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
  readonly place: Place;
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

function Calls({ calls }: { readonly calls: readonly HttpCall[] }) {
  const text = words.calls;
  return (
    <section className="card" aria-label={text.title}>
      <div className="card-body try-card">
        <h2>{text.title}</h2>
        {calls.length === 0 && <p className="soft">{text.none}</p>}
        <ul className="try-calls">
          {calls.map(({ id, line, status, body, isOfSandbox }) => (
            <li key={id}>
              <details>
                <summary>
                  <code>{line}</code>
                  {isOfSandbox && <span className="soft">{text.bySandbox}</span>}
                  {status !== undefined && (
                    <Badge tone={status >= 200 && status < 400 ? 'good' : 'bad'}>
                      {text.status(status)}
                    </Badge>
                  )}
                </summary>
                {body !== undefined && <pre>{body}</pre>}
              </details>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'engage-inbox': { readonly lang?: string };
    }
  }
}

const place = document.getElementById('root');
if (place !== null) createRoot(place).render(<Page />);
