// A person's tags, changed in place: a click on a value, Enter saves, Escape leaves.

import { useState } from 'react';
import type { Subscriber } from '../../../api/generated.ts';
import { useAct } from '../../../api/queries.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { Button } from '../../../ui/button.tsx';
import { useShortcuts } from '../../../ui/keys.ts';
import { tellDone, tellError } from '../../../ui/toast.tsx';
import { useAppTopics } from '../../../ui/topic-box.tsx';
import { AddTag } from './tag-form.tsx';
import { type TagPatch, TagRow } from './tag-row.tsx';
import { words } from './words.ts';

export function Tags({ person }: { readonly person: Subscriber }) {
  const refused = useRefusal('write');
  const [editing, setEditing] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const { update, save, remove } = useTags(person);
  const topics = useAppTopics().data?.items;
  const names = Object.keys(person.tags)
    .filter((name) => !isChoice(name, topics))
    .sort();
  useShortcuts([
    {
      keys: 'e',
      label: words.editTags,
      run: () => {
        const [first] = names;
        if (refused !== undefined) return;
        if (first === undefined) setAdding(true);
        else setEditing(first);
      },
    },
  ]);
  const close = () => {
    update.reset();
    setEditing(undefined);
    setAdding(false);
  };
  return (
    <section className="card card-body stack-tight">
      <div className="row-between">
        <h2>{words.tags}</h2>
        <Button size="small" icon="plus" refused={refused} onClick={() => setAdding(true)}>
          {words.addTag}
        </Button>
      </div>
      {isAdding && (
        <AddTag
          error={editing === undefined ? update.error?.message : undefined}
          isBusy={update.isPending}
          onSave={(tags) => save(tags, close)}
          onClose={close}
        />
      )}
      {names.length === 0 && !isAdding && <p className="soft">{words.noTags}</p>}
      <ul className="tag-list">
        {names.map((name) => {
          const value = person.tags[name];
          if (value === undefined) return null;
          return (
            <TagRow
              key={name}
              name={name}
              value={value}
              isEditing={editing === name}
              refused={refused}
              error={update.error?.message}
              isBusy={update.isPending}
              onEdit={() => setEditing(name)}
              onSave={(tags) => save(tags, close)}
              onClose={close}
              onRemove={() => remove(name)}
            />
          );
        })}
      </ul>
    </section>
  );
}

/** Choices of topics have a card of their own; those of a deleted topic are tags like others. */
function isChoice(tag: string, topics: readonly { readonly key: string }[] | undefined): boolean {
  if (!tag.startsWith('topic.')) return false;
  return topics === undefined || topics.some(({ key }) => tag === `topic.${key}`);
}

function useTags(person: Subscriber) {
  const app = useApp();
  const update = useAct('updateSubscriber');
  const path = { appId: app.id, id: person.id };
  const save = (tags: TagPatch, onDone: () => void) =>
    update.mutate({ path, body: { tags }, base: person }, { onSuccess: onDone, onTheirs: onDone });
  const remove = (name: string) => {
    const before = person.tags[name];
    update.mutate(
      { path, body: { tags: { [name]: null } }, base: person },
      {
        onSuccess: (answer) =>
          tellDone(words.tagRemoved(name), {
            label: words.undo,
            run: () =>
              before !== undefined &&
              update.mutate({ path, body: { tags: { [name]: before } }, base: answer }),
          }),
        onError: (error) => tellError(error.message),
      },
    );
  };
  return { update, save, remove };
}
