// One in-app message: which message, where, for whom, when; with its preview.

import { useLocation } from 'wouter';
import type { InAppMessage } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { FilterEditor } from '../../filter/editor.tsx';
import { actionsOn, asShown, removing } from '../../kit/action.ts';
import { type DraftTools, useDraft } from '../../kit/draft.ts';
import { FormEditor } from '../../kit/form-editor.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { SelectBox } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import { keptKey } from '../../ui/kept-store.ts';
import { tellDone } from '../../ui/toast.tsx';
import { InAppAside } from './aside.tsx';
import { DisplayFields } from './display.tsx';
import { displayBody, displayDraft } from './display-draft.ts';
import type { InAppDraft } from './draft.ts';
import { instantOf, localText, zoneName } from './local-time.ts';
import { MessageChoice } from './message-choice.tsx';
import { words } from './words.ts';

function draftOf(saved: InAppMessage): InAppDraft {
  const { messageId, show, filter, display, startAt, endAt, priority } = saved;
  return {
    messageId,
    show,
    filter: filter ?? undefined,
    display: displayDraft(display),
    start: localText(startAt),
    end: localText(endAt),
    priority,
  };
}

function bodyOf({ messageId, show, filter, display, start, end, priority }: InAppDraft) {
  return {
    messageId,
    show,
    filter: filter ?? null,
    display: displayBody(display),
    startAt: instantOf(start),
    endAt: instantOf(end),
    priority: priority ?? 0,
  };
}

const remove = actionsOn<InAppMessage>()({
  ...removing(words.remove),
  confirm: () => ({ title: words.removeTitle, text: words.removeText }),
  operation: 'deleteInAppMessage',
  args: asShown,
  done: () => words.removed,
  goTo: () => ['inapp'],
});

const blank: InAppDraft = {
  messageId: '',
  show: 'popup',
  filter: undefined,
  display: displayDraft(null),
  start: '',
  end: '',
  priority: 0,
};

export function InAppEditor({ saved }: { readonly saved: InAppMessage | undefined }) {
  const app = useApp();
  const refused = useRefusal('write');
  const tools = useInApp(saved, refused);
  return (
    <FormEditor
      title={useTitle(saved)}
      crumb={{ to: appPath(app.id, 'inapp'), label: words.title }}
      {...{ tools, saved, refused, remove }}
      aside={<InAppAside saved={saved} draft={tools.draft} />}
    >
      <InAppFields tools={tools} />
    </FormEditor>
  );
}

/** It has no name of its own: that of its message. */
function useTitle(saved: InAppMessage | undefined): string {
  const app = useApp();
  const message = useRead(
    'readMessage',
    { path: { appId: app.id, id: saved?.messageId ?? '' } },
    { enabled: saved !== undefined },
  ).data;
  return saved === undefined ? words.create : (message?.name ?? message?.title ?? saved.id);
}

function useInApp(saved: InAppMessage | undefined, refused: string | undefined) {
  const app = useApp();
  const [, go] = useLocation();
  const [messageId = ''] = useQueryParam('message');
  const fresh = messageId === '' ? 'new' : `new.${messageId}`;
  const create = useAct('createInAppMessage');
  const update = useAct('updateInAppMessage');
  const path = { appId: app.id };
  return useDraft<InAppDraft, InAppMessage>({
    saved,
    start: { ...blank, messageId },
    draftOf,
    keptAs: (one) => keptKey('in-app', app.id, one?.id ?? fresh),
    // What an older page did not know is as it is saved.
    restore: (kept) =>
      typeof kept.messageId === 'string'
        ? { ...blank, ...(saved && draftOf(saved)), ...kept }
        : undefined,
    refused,
    send: (draft, now, base) =>
      now === undefined
        ? create.mutateAsync({ path, body: bodyOf(draft) })
        : update.mutateAsync({ path: { ...path, id: now.id }, body: bodyOf(draft), base }),
    onSaved: (one, isNew) => {
      tellDone(isNew ? words.created : words.saved);
      if (isNew) go(appPath(app.id, 'inapp', one.id), { replace: true });
    },
  });
}

function InAppFields({
  tools: { draft, change, error },
}: {
  readonly tools: DraftTools<InAppDraft, InAppMessage>;
}) {
  return (
    <>
      <MessageChoice
        id={draft.messageId}
        error={error?.of('messageId')}
        onChange={(messageId) => change({ messageId })}
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
          onChange={(show) => change({ show })}
        />
      </Field>
      {draft.show !== 'inbox' && (
        <DisplayFields
          draft={draft.display}
          error={error}
          change={(part) => change({ display: { ...draft.display, ...part } })}
        />
      )}
      <section className="stack-tight">
        <FilterEditor
          title={<h2>{words.audience}</h2>}
          hasReach={false}
          value={draft.filter}
          onChange={(filter) => change({ filter })}
          errors={error?.issues ?? []}
        />
      </section>
      <section className="stack-tight">
        <h2>{words.time}</h2>
        <div className="columns">
          <Field label={words.start} error={error?.of('startAt')}>
            <TextInput
              type="datetime-local"
              value={draft.start}
              onChange={(start) => change({ start })}
            />
          </Field>
          <Field label={words.end} error={error?.of('endAt')}>
            <TextInput
              type="datetime-local"
              value={draft.end}
              onChange={(end) => change({ end })}
            />
          </Field>
        </div>
        <p className="field-hint">{words.zone(zoneName())}</p>
      </section>
      <Field label={words.priority} hint={words.priorityHint} error={error?.of('priority')}>
        <NumberInput value={draft.priority} min={0} onChange={(priority) => change({ priority })} />
      </Field>
    </>
  );
}
