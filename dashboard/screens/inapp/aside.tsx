// Beside one in-app message: how it looks, what people did with it, and what an app asks.

import type { InAppMessage } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { InAppLook } from '../../preview/in-app-look.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { count, Facts } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { feedCurl } from './curl.ts';
import type { InAppDraft } from './draft.ts';
import { words } from './words.ts';

export function InAppAside({
  saved,
  draft,
}: {
  readonly saved: InAppMessage | undefined;
  readonly draft: Pick<InAppDraft, 'messageId' | 'show'>;
}) {
  return (
    <div className="stack">
      <h2>{words.preview}</h2>
      {draft.messageId === '' ? (
        <p className="soft">{words.chooseFirst}</p>
      ) : (
        <Preview id={draft.messageId} show={draft.show} />
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
function Preview({ id, show }: { readonly id: string; readonly show: InAppDraft['show'] }) {
  const app = useApp();
  const read = useRead('previewMessage', {
    path: { appId: app.id, id },
    body: { channel: 'webpush' },
  });
  return (
    <Answer result={read}>
      {({ items }) => <InAppLook content={items[0]?.content ?? {}} show={show} />}
    </Answer>
  );
}
