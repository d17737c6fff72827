// One topic: what people see of it, and what holds for them before and after they choose.

import { useLocation } from 'wouter';
import type { Topic } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { actionsOn, removing } from '../../kit/action.ts';
import { type DraftTools, useDraft } from '../../kit/draft.ts';
import { FormEditor } from '../../kit/form-editor.tsx';
import { appPath } from '../../ui/address.ts';
import { RadioCards, Toggle } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { keptKey } from '../../ui/kept-store.ts';
import { NameAndKey } from '../../ui/name-and-key.tsx';
import { Note } from '../../ui/note.tsx';
import { keyPlace } from '../../ui/thing-key.ts';
import { tellDone } from '../../ui/toast.tsx';
import { TopicAside } from './aside.tsx';
import { words } from './words.ts';

interface TopicDraft extends Pick<Topic, 'key' | 'name' | 'default' | 'doubleOptIn'> {
  readonly description: string;
}

const empty: TopicDraft = {
  key: '',
  name: '',
  description: '',
  default: 'out',
  doubleOptIn: false,
};

function draftOf({ key, name, description, doubleOptIn, ...topic }: Topic): TopicDraft {
  return { key, name, description: description ?? '', default: topic.default, doubleOptIn };
}

function bodyOf({ key, name, description, ...rest }: TopicDraft) {
  return { ...rest, key: key.trim(), name: name.trim(), description: description.trim() || null };
}

const remove = actionsOn<Topic>()({
  ...removing(words.remove),
  confirm: ({ name, key }) => ({
    title: words.removeTitle(name),
    text: words.removeText,
    typed: key,
  }),
  operation: 'deleteTopic',
  args: (topic, appId) => ({ path: { appId, key: topic.key }, base: topic }),
  done: () => words.removed,
  goTo: () => ['topics'],
});

export function TopicEditor({ saved }: { readonly saved: Topic | undefined }) {
  const app = useApp();
  const refused = useRefusal('write');
  const tools = useTopicDraft(saved, refused);
  return (
    <FormEditor
      title={saved?.name ?? words.create}
      crumb={{ to: appPath(app.id, 'topics'), label: words.title }}
      {...{ tools, saved, refused, remove }}
      aside={<TopicAside saved={saved} typedKey={tools.draft.key} />}
    >
      <TopicFields tools={tools} saved={saved} refused={refused} />
    </FormEditor>
  );
}

function useTopicDraft(saved: Topic | undefined, refused: string | undefined) {
  const app = useApp();
  const [, go] = useLocation();
  const create = useAct('createTopic');
  const update = useAct('updateTopic');
  const path = { appId: app.id };
  return useDraft<TopicDraft, Topic>({
    saved,
    start: empty,
    draftOf,
    keptAs: (topic) => keptKey('topic', app.id, topic?.key ?? 'new topic'),
    restore: (kept) => (typeof kept.description === 'string' ? (kept as TopicDraft) : undefined),
    refused,
    send: (draft, now, base) => {
      const { key, ...body } = bodyOf(draft);
      return now === undefined
        ? create.mutateAsync({ path, body: { key, ...body } })
        : update.mutateAsync({ path: { ...path, key: now.key }, body, base });
    },
    onSaved: (topic, isNew) => {
      tellDone(isNew ? words.created : words.saved);
      if (isNew) go(appPath(app.id, ...keyPlace('topics', topic.key)), { replace: true });
    },
  });
}

function TopicFields({
  tools: { draft, change, error },
  saved,
  refused,
}: {
  readonly tools: DraftTools<TopicDraft, Topic>;
  readonly saved: Topic | undefined;
  readonly refused: string | undefined;
}) {
  return (
    <>
      <NameAndKey
        draft={draft}
        change={change}
        errorOf={(field) => error?.of(field)}
        isNew={saved === undefined}
        words={words}
      />
      <Field
        label={words.description}
        hint={words.descriptionHint}
        isOptional
        error={error?.of('description')}
      >
        <TextArea
          value={draft.description}
          rows={3}
          onChange={(description) => change({ description }, 'description')}
        />
      </Field>
      <Rules draft={draft} change={change} error={error} saved={saved} refused={refused} />
    </>
  );
}

/** What holds before people choose, and after. */
function Rules({
  draft,
  change,
  error,
  saved,
  refused,
}: Pick<DraftTools<TopicDraft, Topic>, 'draft' | 'change' | 'error'> & {
  readonly saved: Topic | undefined;
  readonly refused: string | undefined;
}) {
  const choices = (['out', 'in'] as const).map((value) => ({
    value,
    ...words.defaultChoices[value],
  }));
  const isIn = draft.default === 'in';
  const wrong = error?.of('default') ?? error?.of('doubleOptIn');
  return (
    <>
      <RadioCards
        label={words.default}
        choices={choices}
        value={draft.default}
        onChange={(next) =>
          change({ default: next, doubleOptIn: next === 'out' && draft.doubleOptIn })
        }
      />
      {isIn && saved?.default === 'out' && <Note tone="notice">{words.willGet}</Note>}
      <div className="stack-tight">
        <div className="row">
          <Toggle
            label={words.double}
            isOn={draft.doubleOptIn}
            refused={refused ?? (isIn ? words.doubleNeeds : undefined)}
            onChange={(doubleOptIn) => change({ doubleOptIn })}
          />
          <strong>{words.double}</strong>
        </div>
        <p className="field-hint">{words.doubleHint}</p>
      </div>
      {wrong !== undefined && <Note tone="bad">{wrong}</Note>}
    </>
  );
}
