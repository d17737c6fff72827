// One in-app message: which message, where, for whom, when; with its preview.

import { useLocation } from 'wouter';
import type { InAppMessage } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { FilterEditor } from '../../filter/editor.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { SelectBox } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import { useKeptDraft } from '../../ui/kept-draft.ts';
import { KeptNote } from '../../ui/kept-note.tsx';
import { keptKey } from '../../ui/kept-store.ts';
import { useShortcuts } from '../../ui/keys.ts';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { InAppAside } from './aside.tsx';
import type { InAppDraft } from './draft.ts';
import { InAppHead } from './head.tsx';
import { instantOf, localText, zoneName } from './local-time.ts';
import { MessageChoice } from './message-choice.tsx';
import { words } from './words.ts';

function draftOf({ messageId, show, filter, startAt, endAt, priority }: InAppMessage): InAppDraft {
  return {
    messageId,
    show,
    filter: filter ?? undefined,
    start: localText(startAt),
    end: localText(endAt),
    priority,
  };
}

function bodyOf({ messageId, show, filter, start, end, priority }: InAppDraft) {
  return {
    messageId,
    show,
    filter: filter ?? null,
    startAt: instantOf(start),
    endAt: instantOf(end),
    priority: priority ?? 0,
  };
}

export function InAppEditor({ saved }: { readonly saved: InAppMessage | undefined }) {
  const [message = ''] = useQueryParam('message');
  const state = useInApp(saved, message);
  const { draft, set, error, refused } = state;
  useShortcuts([{ keys: 'mod+s', label: words.save, run: state.save }]);
  return (
    <>
      <InAppHead
        saved={saved}
        isDirty={state.kept.isDirty}
        isBusy={state.isBusy}
        onSave={state.save}
        onRemoved={state.kept.discard}
      />
      <div className="screen-body split">
        <fieldset className="stack" disabled={refused !== undefined}>
          <KeptNote state={state.kept} />
          {error !== undefined && error.issues.length === 0 && <ErrorNote error={error} />}
          <MessageChoice
            id={draft.messageId}
            error={error?.of('messageId')}
            onChange={(messageId) => set({ messageId })}
          />
          <Field
            label={words.presentation}
            hint={words.showHints[draft.show]}
            error={error?.of('show')}
          >
            <SelectBox
              value={draft.show}
              choices={[
                { value: 'popup', label: words.shows.popup },
                { value: 'inbox', label: words.shows.inbox },
                { value: 'both', label: words.shows.both },
              ]}
              onChange={(show) => set({ show })}
            />
          </Field>
          <section className="stack-tight">
            <FilterEditor
              title={<h2>{words.audience}</h2>}
              hasReach={false}
              value={draft.filter}
              onChange={(filter) => set({ filter })}
              errors={error?.issues.filter(({ field }) => field.startsWith('filter')) ?? []}
            />
          </section>
          <section className="stack-tight">
            <h2>{words.time}</h2>
            <div className="columns">
              <Field label={words.start} error={error?.of('startAt')}>
                <TextInput
                  type="datetime-local"
                  value={draft.start}
                  onChange={(start) => set({ start })}
                />
              </Field>
              <Field label={words.end} error={error?.of('endAt')}>
                <TextInput
                  type="datetime-local"
                  value={draft.end}
                  onChange={(end) => set({ end })}
                />
              </Field>
            </div>
            <p className="field-hint">{words.zone(zoneName())}</p>
          </section>
          <Field label={words.priority} hint={words.priorityHint} error={error?.of('priority')}>
            <NumberInput
              value={draft.priority}
              min={0}
              onChange={(priority) => set({ priority })}
            />
          </Field>
        </fieldset>
        <InAppAside saved={saved} draft={draft} />
      </div>
      <LeaveQuestion isDirtyNow={state.kept.isDirtyNow} onDiscard={state.kept.discard} />
    </>
  );
}

function isGood({ messageId, show }: Partial<InAppDraft>): boolean {
  return typeof messageId === 'string' && show !== undefined;
}

function useInApp(saved: InAppMessage | undefined, messageId: string) {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const fresh = messageId === '' ? 'new' : `new.${messageId}`;
  const kept = useKeptDraft<InAppDraft, InAppMessage>({
    key: keptKey('in-app', app.id, saved?.id ?? fresh),
    saved,
    start: { messageId, show: 'popup', filter: undefined, start: '', end: '', priority: 0 },
    draftOf,
    isGood,
  });
  const { draft, settle } = kept;
  const create = useAct('createInAppMessage');
  const update = useAct('updateInAppMessage');
  const act = saved === undefined ? create : update;
  const save = () => {
    if (refused !== undefined) return;
    const body = bodyOf(draft);
    const path = { appId: app.id };
    if (saved !== undefined)
      update.mutate(
        { path: { ...path, id: saved.id }, body, base: kept.base ?? saved },
        {
          onTheirs: settle,
          onSuccess: (one) => {
            settle(one);
            tellDone(words.saved);
          },
        },
      );
    else
      create.mutate(
        { path, body },
        {
          onSuccess: (one) => {
            settle(one);
            tellDone(words.created);
            go(appPath(app.id, 'inapp', one.id), { replace: true });
          },
        },
      );
  };
  return {
    draft,
    kept,
    set: (part: Partial<InAppDraft>) => kept.change({ ...draft, ...part }),
    save,
    refused,
    isBusy: act.isPending,
    error: act.error,
  };
}
