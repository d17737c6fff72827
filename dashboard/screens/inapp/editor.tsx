// One in-app message: which message, where, for whom, when; with its preview.

import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Filter, InAppMessage } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { FilterEditor } from '../../filter/editor.tsx';
import { appPath, useQueryParam } from '../../frame/address.ts';
import { useShortcuts } from '../../frame/keys.ts';
import { LeaveDialog } from '../../frame/leave-dialog.tsx';
import { useLeaveGuard } from '../../frame/leaving.ts';
import { useApp, useRefusal } from '../../frame/session-context.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { InAppAside } from './aside.tsx';
import { InAppHead } from './head.tsx';
import { instantOf, localText, zoneName } from './local-time.ts';
import { MessageChoice } from './message-choice.tsx';
import { words } from './words.ts';

export interface InAppDraft {
  readonly messageId: string;
  readonly show: 'popup' | 'inbox' | 'both';
  readonly filter: Filter | undefined;
  /** As in the controls, in the browser's zone. */
  readonly start: string;
  readonly end: string;
  readonly priority: number | undefined;
}

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
  const [leave, setLeave] = useState<() => void>();
  useLeaveGuard(state.isDirtyNow, (next) => setLeave(() => next));
  useShortcuts([{ keys: 'mod+s', label: words.save, run: state.save }]);
  return (
    <>
      <InAppHead
        saved={saved}
        isDirty={state.isDirtyNow()}
        isBusy={state.isBusy}
        onSave={state.save}
      />
      <div className="screen-body split">
        <fieldset className="stack" disabled={refused !== undefined}>
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
      {leave !== undefined && (
        <LeaveDialog onStay={() => setLeave(undefined)} onLeave={leave} onDiscard={leave} />
      )}
    </>
  );
}

function useInApp(saved: InAppMessage | undefined, messageId: string) {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const [base, setBase] = useState<InAppDraft>(() =>
    saved === undefined
      ? { messageId, show: 'popup', filter: undefined, start: '', end: '', priority: 0 }
      : draftOf(saved),
  );
  const [version, setVersion] = useState(saved);
  const [draft, setDraft] = useState(base);
  const latest = useRef({ draft, base });
  latest.current = { draft, base };
  const lists = ['listInAppMessages', 'readInAppMessage'] as const;
  const create = useAct('createInAppMessage', lists);
  const update = useAct('updateInAppMessage', lists);
  const act = saved === undefined ? create : update;
  const settle = (one: InAppMessage) => {
    const own = draftOf(one);
    latest.current = { draft: own, base: own };
    setVersion(one);
    setBase(own);
    setDraft(own);
  };
  const save = () => {
    if (refused !== undefined) return;
    const body = bodyOf(draft);
    const path = { appId: app.id };
    if (saved !== undefined)
      update.mutate(
        { path: { ...path, id: saved.id }, body, base: version ?? saved },
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
    set: (part: Partial<InAppDraft>) => setDraft({ ...draft, ...part }),
    save,
    refused,
    isBusy: act.isPending,
    error: act.error,
    isDirtyNow: () => JSON.stringify(latest.current.draft) !== JSON.stringify(latest.current.base),
  };
}
