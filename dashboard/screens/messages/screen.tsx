// Messages and templates: the tables, a new one, and the editor.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Answer } from '../../ui/note.tsx';
import type { ScreenProps } from '../screen-props.ts';
import { emptyDraft } from './draft.ts';
import { Editor } from './editor.tsx';
import { MessageList } from './list.tsx';
import { NewMessage } from './new-message.tsx';

export default function Messages({ rest }: ScreenProps) {
  const [first, second] = rest;
  if (first === undefined) return <MessageList />;
  if (first === 'new') return <NewMessage key={second} start={second} />;
  if (first === 'templates')
    return second === undefined || second === 'new' ? (
      <Editor
        key="new"
        kind="template"
        saved={undefined}
        start={emptyDraft}
        draftId="new-template"
      />
    ) : (
      <SavedTemplate key={second} id={second} />
    );
  return <SavedMessage key={first} id={first} />;
}

function SavedMessage({ id }: { readonly id: string }) {
  const app = useApp();
  const read = useRead('readMessage', { path: { appId: app.id, id } });
  return (
    <Answer result={read}>
      {(saved) => <Editor kind="message" saved={saved} start={emptyDraft} draftId={id} />}
    </Answer>
  );
}

function SavedTemplate({ id }: { readonly id: string }) {
  const app = useApp();
  const read = useRead('readMessageTemplate', { path: { appId: app.id, idOrName: id } });
  return (
    <Answer result={read}>
      {(saved) => <Editor kind="template" saved={saved} start={emptyDraft} draftId={saved.id} />}
    </Answer>
  );
}
