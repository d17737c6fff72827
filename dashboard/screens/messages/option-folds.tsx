// What goes along with the words: delivery options, data for the app, the email's unsubscribe link.

import type { ApiError } from '../../api/errors.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import type { MessageDraft, OptionsDraft } from './draft.ts';
import { Fold } from './fold.tsx';
import { words } from './words.ts';

interface FoldProps {
  readonly draft: MessageDraft;
  readonly onChange: (draft: MessageDraft) => void;
  readonly error: ApiError | undefined;
}

const text = words.options;

export function DeliveryFold({ draft, onChange, error }: FoldProps) {
  const { options } = draft;
  const set = (part: Partial<OptionsDraft>) =>
    onChange({ ...draft, options: { ...options, ...part } });
  const members = ['badgeCount', 'ttlSeconds', 'sound', 'collapseKey', 'androidChannelId'] as const;
  const hasProblem = [...members, 'priority', 'utm'].some((one) => error?.of(one) !== undefined);
  const isSet =
    options.utm !== '' || members.some((one) => options[one] !== undefined && options[one] !== '');
  return (
    <Fold
      title={words.folds.delivery}
      note={words.folds.deliveryNote}
      isSet={isSet}
      hasProblem={hasProblem}
    >
      <div className="columns">
        <Field label={text.badge} hint={text.badgeHint} error={error?.of('badgeCount')}>
          <NumberInput
            value={options.badgeCount}
            onChange={(badgeCount) => set({ badgeCount })}
            min={0}
          />
        </Field>
        <Field label={text.ttl} hint={text.ttlHint} error={error?.of('ttlSeconds')}>
          <NumberInput
            value={options.ttlSeconds}
            onChange={(ttlSeconds) => set({ ttlSeconds })}
            min={0}
          />
        </Field>
        <Field label={text.sound} hint={text.soundHint} error={error?.of('sound')}>
          <TextInput value={options.sound} onChange={(sound) => set({ sound })} />
        </Field>
        <Field label={text.collapse} hint={text.collapseHint} error={error?.of('collapseKey')}>
          <TextInput value={options.collapseKey} onChange={(collapseKey) => set({ collapseKey })} />
        </Field>
        <Field label={text.androidChannel} error={error?.of('androidChannelId')}>
          <TextInput
            value={options.androidChannelId}
            onChange={(androidChannelId) => set({ androidChannelId })}
          />
        </Field>
        <Field label={text.priority} error={error?.of('priority')}>
          <SelectBox
            value={options.priority}
            choices={choicesOf(text.priorities)}
            onChange={(priority) => set({ priority })}
          />
        </Field>
        <Field label={text.utm} hint={text.utmHints[options.utm]} error={error?.of('utm')}>
          <SelectBox
            value={options.utm}
            choices={choicesOf(text.utms)}
            onChange={(utm) => set({ utm })}
          />
        </Field>
      </div>
    </Fold>
  );
}

export function EmailFold({ draft, onChange, error }: FoldProps) {
  const { options } = draft;
  return (
    <Fold
      title={words.folds.email}
      note={words.folds.emailNote}
      isSet={options.unsubscribe !== ''}
      hasProblem={error?.of('unsubscribe') !== undefined}
    >
      <Field
        label={text.unsubscribe}
        hint={text.unsubscribeHints[options.unsubscribe]}
        error={error?.of('unsubscribe')}
      >
        <SelectBox
          value={options.unsubscribe}
          choices={choicesOf(text.unsubscribes)}
          onChange={(unsubscribe) => onChange({ ...draft, options: { ...options, unsubscribe } })}
        />
      </Field>
    </Fold>
  );
}

export function DataFold({ draft, onChange, error }: FoldProps) {
  const { data } = draft;
  const set = (next: MessageDraft['data']) => onChange({ ...draft, data: next });
  const change = (at: number, row: readonly [string, string]) =>
    set(data.map((one, nth) => (nth === at ? row : one)));
  const keys = data.map(([key]) => key).filter((key) => key !== '');
  return (
    <Fold
      title={words.folds.data}
      note={words.folds.dataNote}
      isSet={data.length > 0}
      hasProblem={error?.of('data') !== undefined}
    >
      {data.map(([key, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a key may be half typed or there twice
        <div key={at} className="message-row">
          <Field
            label={words.data.key}
            error={
              error?.of(`data.${key}`) ??
              (keys.indexOf(key) !== keys.lastIndexOf(key) ? words.data.twice : undefined)
            }
          >
            <TextInput
              value={key}
              spellCheck={false}
              onChange={(next) => change(at, [next, value])}
            />
          </Field>
          <Field label={words.data.value}>
            <TextInput value={value} onChange={(next) => change(at, [key, next])} />
          </Field>
          <IconButton
            label={words.data.remove(key)}
            icon="close"
            onClick={() => set(data.filter((_, nth) => nth !== at))}
          />
        </div>
      ))}
      <div>
        <Button size="small" icon="plus" onClick={() => set([...data, ['', '']])}>
          {words.data.add}
        </Button>
      </div>
    </Fold>
  );
}

function choicesOf<Value extends string>(labels: Readonly<Record<Value, string>>) {
  return Object.entries(labels).map(([value, label]) => ({
    value: value as Value,
    label: label as string,
  }));
}
