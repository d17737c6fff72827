// Up to five buttons, in order.

import { CodeEditor } from '../../editor/code-editor.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import type { ButtonDraft } from './draft.ts';
import type { FieldFacts } from './field-facts.ts';
import { words } from './words.ts';

const buttonsMax = 5;
const none: readonly never[] = [];
const text = words.buttons;

export function ButtonsEditor({
  buttons,
  onChange,
  facts,
  prefix,
}: {
  readonly buttons: readonly ButtonDraft[];
  readonly onChange: (buttons: readonly ButtonDraft[]) => void;
  readonly facts: FieldFacts;
  readonly prefix: string;
}) {
  const { isReadOnly } = facts;
  const change = (at: number, part: Partial<ButtonDraft>) =>
    onChange(buttons.map((one, nth) => (nth === at ? { ...one, ...part } : one)));
  const moveUp = (at: number) => {
    const moved = [...buttons];
    const [one] = moved.splice(at, 1);
    if (one !== undefined) moved.splice(at - 1, 0, one);
    onChange(moved);
  };
  return (
    <fieldset className="message-buttons">
      <legend className="field-label">{text.title}</legend>
      {buttons.map((button, at) => (
        <ButtonRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a button has no other name than its place
          key={at}
          button={button}
          at={at}
          field={`${prefix}[${at}]`}
          facts={facts}
          onChange={(part) => change(at, part)}
          onUp={() => moveUp(at)}
          onRemove={() => onChange(buttons.filter((_, nth) => nth !== at))}
        />
      ))}
      {!isReadOnly && (
        <div>
          <Button
            size="small"
            icon="plus"
            refused={buttons.length >= buttonsMax ? text.max : undefined}
            onClick={() => onChange([...buttons, { id: '', label: '', url: '' }])}
          >
            {text.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function ButtonRow({
  button,
  at,
  field,
  facts,
  onChange,
  onUp,
  onRemove,
}: {
  readonly button: ButtonDraft;
  readonly at: number;
  /** As the API names it. */
  readonly field: string;
  readonly facts: FieldFacts;
  readonly onChange: (part: Partial<ButtonDraft>) => void;
  readonly onUp: () => void;
  readonly onRemove: () => void;
}) {
  const { issues, error, names, isReadOnly } = facts;
  return (
    <div className="message-button">
      <CodeEditor
        label={text.label}
        isOneLine
        value={button.label}
        onChange={(label) => onChange({ label })}
        issues={issues.get(`${field}.label`) ?? none}
        error={error?.of(`${field}.label`)}
        names={names}
        isReadOnly={isReadOnly}
      />
      <CodeEditor
        label={text.url}
        isOneLine
        value={button.url}
        onChange={(url) => onChange({ url })}
        issues={issues.get(`${field}.url`) ?? none}
        error={error?.of(`${field}.url`)}
        names={names}
        isReadOnly={isReadOnly}
      />
      <Field label={text.id} error={error?.of(`${field}.id`)}>
        <TextInput
          value={button.id}
          onChange={(id) => onChange({ id })}
          spellCheck={false}
          readOnly={isReadOnly}
        />
      </Field>
      {!isReadOnly && (
        <div className="message-button-ends">
          {at > 0 && <IconButton label={text.up(at + 1)} icon="up" onClick={onUp} />}
          <IconButton label={text.remove(at + 1)} icon="close" onClick={onRemove} />
        </div>
      )}
    </div>
  );
}
