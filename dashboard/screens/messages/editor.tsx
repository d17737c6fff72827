// The editor of a message or template: what is written at the left, how it arrives at the right.

import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { TheirsKept } from '../../api/saves.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { designOf } from '../../editor/blocks/model.ts';
import { nobodyYet, PersonChoice, type PreviewPerson, personOf } from '../../preview/person.tsx';
import { namesOf, Previews, useShownChannel } from '../../preview/previews.tsx';
import { type PreviewAnswer, usePreview } from '../../preview/use-preview.ts';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { KeptNote } from '../../ui/kept-note.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { writtenForOf } from '../../ui/written-for.ts';
import { bodyOf, isWritten, type MessageDraft, type Saved } from './draft.ts';
import { EditorHead } from './editor-head.tsx';
import { useOpenLanguage } from './languages.tsx';
import { TestSend } from './test-send.tsx';
import { type DraftState, useDraft } from './use-draft.ts';
import { type Kind, type Uses, useSaving } from './use-saving.ts';
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
  const [saved, setSaved] = useState(first);
  const state = useDraft(draftId, first, start);
  const { draft } = state;
  const saving = useSaving(kind);
  const [uses, setUses] = useState<Uses>();
  const [isBroken, setBroken] = useState(false);
  const [isTesting, setTesting] = useState(false);
  const refused = useRefusal('write');
  const [view, setView] = useQueryParam('view');
  const shown = usePreviewOf(draft, channel);

  const take = (next: Saved) => {
    state.settle(next);
    setSaved(next);
  };
  const save = async (): Promise<string | undefined> => {
    if (refused !== undefined || isBroken) return undefined;
    if (saved !== undefined && !state.isDirtyNow()) return saved.id;
    const whole = await withMadeBody(draft);
    const result = await saving.save(whole, saved, state.base).catch((error: unknown) => {
      if (error instanceof TheirsKept && error.theirs !== undefined) take(error.theirs as Saved);
      return undefined;
    });
    if (result === undefined) return undefined;
    take(result.saved);
    setUses(result.uses);
    tellDone(saved === undefined ? words.save.created : words.save.saved);
    // An open test dialog stays; the address follows when it is closed.
    if (saved === undefined && !isTesting)
      go(pathOf(app.id, kind, result.saved), { replace: true });
    return result.saved.id;
  };
  useShortcuts([
    { keys: 'mod+s', label: words.keys.save, run: () => void save() },
    { keys: 'mod+p', label: words.keys.next, run: shown.next },
  ]);
  return (
    <>
      <EditorHead
        kind={kind}
        saved={saved}
        isDirty={state.isDirty}
        isBusy={saving.isBusy}
        refused={refused}
        onSave={() => void save()}
        onTest={kind === 'message' ? () => setTesting(true) : undefined}
        onDeleted={() => {
          state.discard();
          go(appPath(app.id, 'messages'));
        }}
      />
      <div className="screen-bar message-view">
        <Segmented
          label={words.views.label}
          choices={[
            { value: 'write', label: words.views.write },
            { value: 'preview', label: words.views.preview },
          ]}
          value={view === 'preview' ? 'preview' : 'write'}
          onChange={(next) => setView(next === 'write' ? undefined : next)}
        />
      </div>
      <div className="screen-body message-editor" data-view={view ?? 'write'}>
        <div className="stack message-write">
          <Notes state={state} error={saving.error} isBroken={isBroken} uses={uses} />
          <WriteForm
            kind={kind}
            saved={saved}
            draft={draft}
            onChange={state.change}
            facts={{
              issues: shown.issues,
              error: saving.error,
              names: shown.names,
              isReadOnly: refused !== undefined,
            }}
            onBroken={setBroken}
          />
        </div>
        <div className="message-previews">{shown.previews}</div>
      </div>
      {isTesting && (
        <TestSend
          needsSave={state.isDirty || saved === undefined}
          onSave={save}
          first={shown.person.externalUserId}
          writtenFor={writtenForOf(bodyOf(draft)) ?? []}
          onClose={() => {
            setTesting(false);
            if (first === undefined && saved !== undefined) go(pathOf(app.id, kind, saved));
          }}
        />
      )}
      <LeaveQuestion isDirtyNow={state.isDirtyNow} onDiscard={state.discard} />
    </>
  );
}

function Notes({
  state,
  error,
  isBroken,
  uses,
}: {
  readonly state: DraftState;
  readonly error: ReturnType<typeof useSaving>['error'];
  readonly isBroken: boolean;
  readonly uses: Uses | undefined;
}) {
  return (
    <>
      <KeptNote state={state} />
      {isBroken && <Note tone="notice">{words.save.waiting}</Note>}
      {error !== undefined &&
        (error.issues.length > 0 ? (
          <Note tone="bad">
            {words.save.wrong}
            <ul>
              {error.issues.map((issue) => (
                <li key={issue.field}>{issue.error}</li>
              ))}
            </ul>
          </Note>
        ) : (
          <ErrorNote error={error} />
        ))}
      {uses !== undefined && <UsesNote uses={uses} />}
    </>
  );
}

/** A design that was changed a moment ago is not made yet. */
async function withMadeBody(draft: MessageDraft): Promise<MessageDraft> {
  const design = designOf(draft.design);
  if (design === undefined) return draft;
  const { compile } = await import('../../editor/blocks/compile.ts');
  const { html } = await compile(design);
  return html === '' ? draft : { ...draft, base: { ...draft.base, body: html } };
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
