// Beside one in-app message: how it looks, what people did with it, and what an app asks.

import { useState } from 'react';
import type { InAppMessage } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { InAppLook } from '../../preview/in-app-look.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { count, Facts } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { feedCurl } from './curl.ts';
import { displayBody } from './display-draft.ts';
import { displayWords } from './display-words.ts';
import type { InAppDraft } from './draft.ts';
import { words } from './words.ts';

const schemes = [
  { value: 'light', label: words.light },
  { value: 'dark', label: words.dark },
] as const;

export function InAppAside({
  saved,
  draft,
}: {
  readonly saved: InAppMessage | undefined;
  readonly draft: Pick<InAppDraft, 'messageId' | 'show' | 'display'>;
}) {
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  return (
    <div className="stack">
      <div className="row-between">
        <h2>{words.preview}</h2>
        <Segmented label={words.scheme} choices={schemes} value={scheme} onChange={setScheme} />
      </div>
      {draft.messageId === '' ? (
        <p className="soft">{words.chooseFirst}</p>
      ) : (
        <Preview id={draft.messageId} draft={draft} scheme={scheme} />
      )}
      {saved !== undefined && (
        <section className="card">
          <h2 className="card-head">{words.counts}</h2>
          <div className="card-body">
            <Facts
              items={[
                [words.columns.viewed, count(saved.counts.viewed)],
                [words.columns.clicked, count(saved.counts.clicked)],
                [words.columns.dismissed, count(saved.counts.dismissed)],
                [words.read, count(saved.counts.read)],
              ]}
            />
          </div>
        </section>
      )}
      <section className="card">
        <h2 className="card-head">{words.snippet}</h2>
        <div className="card-body stack-tight">
          <p className="soft">{words.snippetText}</p>
          <CodeLine text={feedCurl()} />
        </div>
      </section>
    </div>
  );
}

/** Rendered as for web push, which shows every member that an app can. */
function Preview({
  id,
  draft: { show, display },
  scheme,
}: {
  readonly id: string;
  readonly draft: Pick<InAppDraft, 'show' | 'display'>;
  readonly scheme: 'light' | 'dark';
}) {
  const app = useApp();
  const read = useRead('previewMessage', {
    path: { appId: app.id, id },
    body: { channel: 'webpush' },
  });
  return (
    <Answer result={read}>
      {({ items }) => (
        <InAppLook
          content={items[0]?.content ?? {}}
          show={show}
          display={displayBody(display)}
          scheme={scheme}
          byApp={displayWords.byApp}
        />
      )}
    </Answer>
  );
}
