// What all relays are asked, around the fields of their kind: name, streams, order and bounds.

import type { FormEvent, ReactNode } from 'react';
import type { ApiError } from '../api/errors.ts';
import { Button } from '../ui/button.tsx';
import { Check } from '../ui/choices.tsx';
import { Field, useFocusError } from '../ui/field.tsx';
import { TextInput } from '../ui/input.tsx';
import { ErrorNote } from '../ui/note.tsx';
import type { RelayDraft } from './relay-draft.ts';
import { type Stream, streams } from './relay-standing.ts';
import { useRelayWords } from './relay-words.ts';

interface FormProps<Drafted extends RelayDraft> {
  readonly draft: Drafted;
  readonly setDraft: (draft: Drafted) => void;
  readonly submit: () => void;
  readonly onClose: () => void;
  readonly act: { readonly isPending: boolean; readonly error: ApiError | undefined };
  readonly save: string;
  /** Fields of the configuration, for what is wrong with them. */
  readonly names: readonly string[];
  /** Before the name. */
  readonly head?: ReactNode;
  /** The configuration. */
  readonly children: ReactNode;
}

export function RelayForm<Drafted extends RelayDraft>({
  draft,
  setDraft,
  submit,
  onClose,
  act,
  save,
  names,
  head,
  children,
}: FormProps<Drafted>) {
  const text = useRelayWords();
  const { error, isPending } = act;
  useFocusError(error);
  const set = (part: Partial<RelayDraft>) => setDraft({ ...draft, ...part });
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  const all = [...names, 'name', 'streams', 'order', 'perSecond', 'perDay'];
  const isAtField = all.some((name) => error?.of(name) !== undefined);
  return (
    <form className="stack" onSubmit={send} autoComplete="off">
      {head}
      <Field label={text.name} hint={text.nameHint} error={error?.of('name')}>
        <TextInput required value={draft.name} onChange={(name) => set({ name })} />
      </Field>
      {children}
      <p className="soft">{text.never}</p>
      <Streams draft={draft} error={error} onChange={(chosen) => set({ streams: chosen })} />
      <div className="columns">
        <Field label={text.order} hint={text.orderHint} isOptional error={error?.of('order')}>
          <TextInput inputMode="numeric" value={draft.order} onChange={(order) => set({ order })} />
        </Field>
        <Field label={text.perSecond} hint={text.noLimit} isOptional error={error?.of('perSecond')}>
          <TextInput
            inputMode="decimal"
            value={draft.perSecond}
            onChange={(perSecond) => set({ perSecond })}
          />
        </Field>
        <Field label={text.perDay} hint={text.noLimit} isOptional error={error?.of('perDay')}>
          <TextInput
            inputMode="numeric"
            value={draft.perDay}
            onChange={(perDay) => set({ perDay })}
          />
        </Field>
      </div>
      {error !== undefined && !isAtField && <ErrorNote error={error} />}
      <div className="row">
        <Button kind="primary" type="submit" isBusy={isPending}>
          {save}
        </Button>
        <Button onClick={onClose}>{text.cancel}</Button>
      </div>
    </form>
  );
}

function Streams({
  draft,
  error,
  onChange,
}: {
  readonly draft: RelayDraft;
  readonly error: ApiError | undefined;
  readonly onChange: (streams: readonly Stream[]) => void;
}) {
  const text = useRelayWords();
  const problem = error?.of('streams');
  return (
    <fieldset className="stack-tight">
      <legend className="field-label">{text.streams}</legend>
      {streams.map((one) => (
        <Check
          key={one}
          isChecked={draft.streams.includes(one)}
          onChange={(isOn) =>
            onChange(streams.filter((each) => (each === one ? isOn : draft.streams.includes(each))))
          }
        >
          {text.streamNames[one]}
        </Check>
      ))}
      {problem !== undefined && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
