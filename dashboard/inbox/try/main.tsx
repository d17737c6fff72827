// A page where a newcomer subscribes this very browser: it loads the SDK of the server that runs,
// as a site would, and shows each call that follows.

import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Badge } from '../../ui/badge.tsx';
import { Note } from '../../ui/note.tsx';
import { control, type HttpCall, loadEngage, type TryAt, watchCalls } from './engage.ts';
import { Steps, type Tried } from './steps.tsx';
import { words } from './words.ts';

const callsMax = 100;

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
  const place = await control<TryAt>('/try');
  watchCalls(place.engageUrl, add);
  const engage = await loadEngage(place.engageUrl);
  engage.on('error', ({ message }) => failed(message));
  engage.push.on('received', ({ message }) => received(message.title ?? ''));
  await engage.init({ appId: place.appId, baseUrl: place.engageUrl });
  return { place, engage };
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
