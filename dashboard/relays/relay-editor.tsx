// Adding a relay, and changing one. Secrets live in this component alone and go with it.

import { type FormEvent, useState } from 'react';
import type { ApiError } from '../api/errors.ts';
import type { Relay } from '../api/generated.ts';
import { useSecretAct } from '../api/secret-act.ts';
import { Button } from '../ui/button.tsx';
import { Check, SelectBox } from '../ui/choices.tsx';
import { Field, useFocusError } from '../ui/field.tsx';
import { TextInput } from '../ui/input.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { tellDone } from '../ui/toast.tsx';
import { ConfigFields } from './relay-config-fields.tsx';
import { blank, type Config, type Draft, draftOf, relayBodyOf } from './relay-draft.ts';
import { configOf, relayForms, relayKinds, shownConfig } from './relay-forms.ts';
import { useRelayPlace } from './relay-owner.ts';
import { type Stream, streams } from './relay-standing.ts';
import { relayWords as text } from './relay-words.ts';

export function NewRelay({ onClose }: { readonly onClose: () => void }) {
  const { appId, operations } = useRelayPlace();
  const [draft, setDraft] = useState<Draft>(blank);
  const create = useSecretAct(operations.create);
  const submit = () => {
    const { kind, config } = draft;
    const body = {
      ...relayBodyOf(draft),
      kind,
      config: configOf(kind, config) as unknown as Config,
    };
    create.run({ path: { appId }, body }, () => {
      tellDone(text.added);
      onClose();
    });
  };
  return (
    <Form {...{ draft, setDraft, submit, onClose }} act={create} save={text.create}>
      <Field label={text.kind}>
        <SelectBox
          value={draft.kind}
          choices={relayKinds.map((value) => ({ value, label: relayForms[value].label }))}
          onChange={(kind) => setDraft({ ...draft, kind, config: {} })}
        />
      </Field>
    </Form>
  );
}

export function EditRelay({
  relay,
  onClose,
}: {
  readonly relay: Relay;
  readonly onClose: () => void;
}) {
  const { appId, operations } = useRelayPlace();
  // What was shown when it opened: a change by somebody else in between is a conflict.
  const [base] = useState(relay);
  const [draft, setDraft] = useState<Draft>(() => draftOf(base));
  const update = useSecretAct(operations.update);
  const submit = () => {
    const shown = shownConfig(draft.kind, base.config);
    const config = configOf(draft.kind, draft.config, shown);
    const changed = Object.keys(config).length === 0 ? {} : { config: config as unknown as Config };
    update.run(
      { path: { appId, id: base.id }, body: { ...relayBodyOf(draft), ...changed }, base },
      () => {
        tellDone(text.saved);
        onClose();
      },
      onClose,
    );
  };
  return <Form {...{ draft, setDraft, submit, onClose }} act={update} save={text.save} isStored />;
}

interface FormProps {
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  readonly submit: () => void;
  readonly onClose: () => void;
  readonly act: { readonly isPending: boolean; readonly error: ApiError | undefined };
  readonly save: string;
  readonly isStored?: boolean;
  readonly children?: React.ReactNode;
}

function Form({ draft, setDraft, submit, onClose, act, save, isStored, children }: FormProps) {
  const { error, isPending } = act;
  useFocusError(error);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  const names = Object.keys(relayForms[draft.kind].fields).map((name) => `config.${name}`);
  const all = [...names, 'name', 'streams', 'order', 'perSecond', 'perDay'];
  const isAtField = all.some((name) => error?.of(name) !== undefined);
  return (
    <form className="stack" onSubmit={send} autoComplete="off">
      {children}
      <Field label={text.name} hint={text.nameHint} error={error?.of('name')}>
        <TextInput required value={draft.name} onChange={(name) => set({ name })} />
      </Field>
      <ConfigFields
        {...{ draft, error }}
        isStored={isStored === true}
        onChange={(config) => set({ config })}
      />
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
  readonly draft: Draft;
  readonly error: ApiError | undefined;
  readonly onChange: (streams: readonly Stream[]) => void;
}) {
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
          {text.streamsOf.email[one]}
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
