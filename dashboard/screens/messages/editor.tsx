// The editor of a message or template: what is written at the left, how it arrives at the right.

import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiError } from '../../api/errors.ts';
import { useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { DraftNotes, EditorFrame } from '../../kit/editor-frame.tsx';
import { nobodyYet, PersonChoice, type PreviewPerson, personOf } from '../../preview/person.tsx';
import { namesOf, Previews, useShownChannel } from '../../preview/previews.tsx';
import { type PreviewAnswer, usePreview } from '../../preview/use-preview.ts';
import { appPath, useQueryParam, withParams } from '../../ui/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { Note } from '../../ui/note.tsx';
import { writtenForOf } from '../../ui/written-for.ts';
import { bodyOf, isWritten, type MessageDraft, type Saved } from './draft.ts';
import { HeadActions } from './editor-head.tsx';
import { useOpenLanguage } from './languages.tsx';
import { TestSend } from './test-send.tsx';
import { type Kind, useSaving } from './use-saving.ts';
import { UsesNote } from './uses-note.tsx';
import { words } from './words.ts';
import { WriteForm } from './write-form.tsx';

interface EditorProps {
  readonly kind: Kind;
  /** Absent for a new one. */
  readonly saved: Saved | undefined;
  readonly start: MessageDraft;
  /** Names the new one among those that are kept in this browser. */
  readonly draftId: string;
  /** Shown first. */
  readonly channel?: string | undefined;
}

export function Editor({ kind, saved: first, start, draftId, channel }: EditorProps) {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const [isBroken, setBroken] = useState(false);
  const [isTesting, setTesting] = useState(false);
  const open = (made: Saved) => go(pathOf(app.id, kind, made), { replace: true });
  const { tools, uses } = useSaving({
    ...{ kind, saved: first, start, draftId, refused, isBroken },
    // An open test dialog stays; the address follows when it is closed.
    onMade: (made) => isTesting || open(made),
  });
  const { draft, saved } = tools;
  const [view, setView] = useQueryParam('view');
  const shown = usePreviewOf(draft, channel);
  const list = appPath(app.id, 'messages');
  return (
    <EditorFrame
      title={titleOf(kind, saved)}
      crumb={
        kind === 'message'
          ? { to: list, label: words.title }
          : { to: withParams(list, { tab: 'templates' }), label: words.tabs.templates }
      }
      tools={tools}
      save={{ refused }}
      actions={
        <HeadActions
          kind={kind}
          saved={saved}
          isDirty={tools.isDirty}
          onTest={() => setTesting(true)}
          onDeleted={() => {
            tools.discard();
            go(list);
          }}
        />
      }
      keys={[{ keys: 'mod+p', label: words.keys.next, run: shown.next }]}
    >
      <div className="screen-bar message-view">
        <Segmented
          label={words.views.label}
          choices={views}
          value={view === 'preview' ? 'preview' : 'write'}
          onChange={(next) => setView(next === 'write' ? undefined : next)}
        />
      </div>
      <div className="screen-body message-editor" data-view={view ?? 'write'}>
        <Written kind={kind} {...{ tools, uses, shown, refused, isBroken, setBroken }} />
        <div className="message-previews">{shown.previews}</div>
      </div>
      {isTesting && (
        <TestSend
          needsSave={tools.isDirty || saved === undefined}
          onSave={async () => {
            const isClean = saved !== undefined && !tools.isDirtyNow();
            return isClean ? saved.id : (await tools.save())?.id;
          }}
          first={shown.person.externalUserId}
          writtenFor={writtenForOf(bodyOf(draft)) ?? []}
          onClose={() => {
            setTesting(false);
            if (first === undefined && saved !== undefined) open(saved);
          }}
        />
      )}
    </EditorFrame>
  );
}

function Written({
  kind,
  tools,
  uses,
  shown,
  refused,
  isBroken,
  setBroken,
}: ReturnType<typeof useSaving> & {
  readonly kind: Kind;
  readonly shown: ReturnType<typeof usePreviewOf>;
  readonly refused: string | undefined;
  readonly isBroken: boolean;
  readonly setBroken: (isBroken: boolean) => void;
}) {
  const { draft, saved, error, change } = tools;
  return (
    <div className="stack message-write">
      <DraftNotes tools={tools} />
      {isBroken && <Note tone="notice">{words.save.waiting}</Note>}
      {error !== undefined && error.issues.length > 0 && <Issues issues={error.issues} />}
      {uses !== undefined && <UsesNote uses={uses} />}
      <WriteForm
        kind={kind}
        saved={saved}
        draft={draft}
        onChange={change}
        facts={{
          issues: shown.issues,
          error,
          names: shown.names,
          isReadOnly: refused !== undefined,
        }}
        onBroken={setBroken}
      />
    </div>
  );
}

const views = [
  { value: 'write', label: words.views.write },
  { value: 'preview', label: words.views.preview },
] as const;

function titleOf(kind: Kind, saved: Saved | undefined): string {
  const created = kind === 'message' ? words.head.newMessage : words.head.newTemplate;
  return saved === undefined ? created : (saved.name ?? saved.title ?? words.unnamed);
}

function Issues({ issues }: Pick<ApiError, 'issues'>) {
  return (
    <Note tone="bad">
      {words.save.wrong}
      <ul>
        {issues.map((issue) => (
          <li key={issue.field}>{issue.error}</li>
        ))}
      </ul>
    </Note>
  );
}

/** The previews of a draft, with what they say of its fields. */
function usePreviewOf(draft: MessageDraft, channel: string | undefined) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } }).data;
  const [person, setPerson] = useState<PreviewPerson>(nobodyYet);
  const [used, setUsed] = useState<readonly string[]>([]);
  const [open, setOpen] = useOpenLanguage(draft);
  const language = open === '' ? undefined : open;
  const { name: _name, design: _design, writtenFor: _for, ...message } = bodyOf(draft);
  const preview = usePreview(app.id, {
    message,
    ...personOf(person, used, fields),
    ...(language === undefined ? {} : { language }),
  });
  const answer = preview.answer;
  if (answer !== undefined && answer.usesVariables.join() !== used.join())
    setUsed(answer.usesVariables);
  const reachable = fields?.channels.toSorted((one, other) => other.reachable - one.reachable)[0];
  const first = channel ?? writtenForOf(bodyOf(draft))?.[0] ?? reachable?.channel;
  const { next } = useShownChannel(answer?.items, first);
  const issues = useMemo(() => byField(answer?.issues), [answer]);
  const names = useMemo(() => namesOf(fields), [fields]);
  return {
    issues,
    names,
    next,
    person,
    previews: (
      <Previews
        preview={preview}
        languages={draft.languages.map(({ tag }) => tag)}
        language={language}
        onLanguage={(tag) => setOpen(tag ?? '')}
        first={first}
        isWritten={isWritten(draft)}
        person={<PersonChoice person={person} onChange={setPerson} names={used} fields={fields} />}
      />
    ),
  };
}

type Issue = PreviewAnswer['issues'][number];

function byField(issues: readonly Issue[] = []): ReadonlyMap<string, readonly Issue[]> {
  const map = new Map<string, Issue[]>();
  for (const issue of issues) map.set(issue.field, [...(map.get(issue.field) ?? []), issue]);
  return map;
}

function pathOf(appId: string, kind: Kind, saved: Saved): string {
  return kind === 'message'
    ? appPath(appId, 'messages', saved.id)
    : appPath(appId, 'messages', 'templates', saved.id);
}
