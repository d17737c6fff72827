// A new message begins with a choice: blank, one of ten starters, or a template of the app.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { starterDesign } from '../../editor/blocks/kinds.ts';
import { appPath } from '../../ui/address.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-paths.ts';
import { Answer } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { channelName } from '../../words/channels.ts';
import { draftOf, emptyDraft, type MessageBody } from './draft.ts';
import { Editor } from './editor.tsx';
import { plainText } from './mini-look.tsx';
import { StarterLook } from './starter-look.tsx';
import { type Starter, starters } from './starters.ts';
import { words } from './words.ts';

const text = words.starters;

/** `start`: `blank`, the id of a starter, `template.<id>`, or nothing to choose. */
export function NewMessage({ start }: { readonly start: string | undefined }) {
  if (start === undefined) return <StarterChoice />;
  if (start.startsWith('template.')) return <FromTemplate id={start.slice('template.'.length)} />;
  const starter = starters.find(({ id }) => id === start);
  const channel = start === 'blocks' ? 'email' : starter?.channel;
  return <Begun start={start} message={starter?.message} channel={channel} />;
}

function Begun({
  start,
  message,
  channel,
}: {
  readonly start: string;
  readonly message: MessageBody | undefined;
  readonly channel?: string | undefined;
}) {
  // A starter is no change yet: leaving it at once asks nothing.
  const [draft] = useState(() => {
    if (start === 'blocks')
      return draftOf({ title: text.blocksSubject, design: { ...starterDesign() } });
    return message === undefined ? emptyDraft : draftOf(message);
  });
  return (
    <Editor
      kind="message"
      saved={undefined}
      start={draft}
      draftId={`new.${start}`}
      channel={channel}
    />
  );
}

function FromTemplate({ id }: { readonly id: string }) {
  const app = useApp();
  const read = useRead('readMessageTemplate', { path: { appId: app.id, idOrName: id } });
  return (
    <Answer result={read}>
      {({ id: _id, createdAt: _created, updatedAt: _updated, ...message }) => (
        <Begun start={`template.${id}`} message={message} />
      )}
    </Answer>
  );
}

function StarterChoice() {
  const app = useApp();
  const [, go] = useLocation();
  const templates = useRead('listMessageTemplates', {
    path: { appId: app.id },
    query: { limit: 50 },
  });
  const begin = (start: string) => go(appPath(app.id, 'messages', 'new', start));
  const cards = [
    { id: 'blank', title: text.blank, about: text.blankText },
    {
      id: 'blocks',
      title: text.blocks,
      about: text.blocksText,
      channel: 'email',
      message: { design: { ...starterDesign() } },
    },
    ...starters,
  ];
  return (
    <>
      <ScreenHead
        title={words.create}
        crumb={{ to: appPath(app.id, 'messages'), label: words.title }}
      />
      <div className="screen-body stack">
        <h2>{text.title}</h2>
        <ul className="starters">
          {cards.map((card) => (
            <StarterCard key={card.id} {...card} onBegin={() => begin(card.id)} />
          ))}
        </ul>
        {(templates.data?.items.length ?? 0) > 0 && (
          <>
            <h2>{text.template}</h2>
            <ul className="starters">
              {templates.data?.items.map((one) => (
                <StarterCard
                  key={one.id}
                  title={one.name}
                  icon="messages"
                  about={plainText(one.title ?? one.body)}
                  onBegin={() => begin(`template.${one.id}`)}
                />
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}

function StarterCard({
  title,
  about,
  channel,
  message,
  icon = 'plus',
  onBegin,
}: Omit<Partial<Starter>, 'title' | 'about'> &
  Pick<Starter, 'title' | 'about'> & {
    /** In the place of a look. */
    readonly icon?: IconName;
    readonly onBegin: () => void;
  }) {
  const app = useApp();
  return (
    <li className="starter">
      {message === undefined || channel === undefined ? (
        <div className="starter-look blank">
          <Icon name={icon} large />
        </div>
      ) : (
        <StarterLook message={message} channel={channel} appName={app.name} />
      )}
      <div className="starter-words">
        <button type="button" className="starter-name" onClick={onBegin}>
          {title}
        </button>
        <span className="soft">{about}</span>
        {channel !== undefined && <span className="chip">{channelName(channel)}</span>}
      </div>
    </li>
  );
}
