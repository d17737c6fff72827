// One tag of a person: its value, and the field that changes it.

import type { Subscriber } from '../../../api/generated.ts';
import { IconButton } from '../../../ui/button.tsx';
import { tagText } from '../tag-text.ts';
import { EditTag } from './tag-form.tsx';
import { words } from './words.ts';

export type TagPatch = Readonly<
  Record<string, string | number | boolean | readonly string[] | null>
>;

export function TagRow({
  name,
  value,
  isEditing,
  refused,
  error,
  isBusy,
  onEdit,
  onSave,
  onClose,
  onRemove,
}: {
  readonly name: string;
  readonly value: Subscriber['tags'][string];
  readonly isEditing: boolean;
  readonly refused: string | undefined;
  readonly error: string | undefined;
  readonly isBusy: boolean;
  readonly onEdit: () => void;
  readonly onSave: (tags: TagPatch) => void;
  readonly onClose: () => void;
  readonly onRemove: () => void;
}) {
  return (
    <li>
      <span className="tag-name">{name}</span>
      {isEditing ? (
        <EditTag
          name={name}
          value={value}
          error={error}
          isBusy={isBusy}
          onSave={onSave}
          onClose={onClose}
        />
      ) : (
        <>
          <button
            type="button"
            className="tag-value"
            aria-label={`${words.editTag(name)}: ${tagText(value)}`}
            aria-disabled={refused !== undefined || undefined}
            title={refused}
            onClick={() => refused === undefined && onEdit()}
          >
            {tagText(value)}
          </button>
          <IconButton
            label={words.removeTag(name)}
            icon="close"
            size="small"
            refused={refused}
            onClick={onRemove}
          />
        </>
      )}
    </li>
  );
}
