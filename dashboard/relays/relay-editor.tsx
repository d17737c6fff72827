// Adding a relay, and changing one. Secrets live in this component alone and go with it.

import { useState } from 'react';
import type { Relay } from '../api/generated.ts';
import { useSecretAct } from '../api/secret-act.ts';
import { SelectBox } from '../ui/choices.tsx';
import { Field } from '../ui/field.tsx';
import { tellDone } from '../ui/toast.tsx';
import { ConfigFields } from './relay-config-fields.tsx';
import { blank, type Config, type Draft, draftOf, relayBodyOf } from './relay-draft.ts';
import { RelayForm } from './relay-form.tsx';
import { configOf, relayForms, relayKinds, shownConfig } from './relay-forms.ts';
import { useRelayPlace } from './relay-owner.ts';
import { useRelayWords } from './relay-words.ts';

export function NewRelay({ onClose }: { readonly onClose: () => void }) {
  const { appId, operations } = useRelayPlace();
  const text = useRelayWords();
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
    <RelayForm
      {...{ draft, setDraft, submit, onClose }}
      act={create}
      save={text.create}
      names={fieldNames(draft.kind)}
      head={
        <Field label={text.kind}>
          <SelectBox
            value={draft.kind}
            choices={relayKinds.map((value) => ({ value, label: relayForms[value].label }))}
            onChange={(kind) => setDraft({ ...draft, kind, config: {} })}
          />
        </Field>
      }
    >
      <ConfigFields
        {...{ draft, error: create.error }}
        isStored={false}
        onChange={(config) => setDraft({ ...draft, config })}
      />
    </RelayForm>
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
  const text = useRelayWords();
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
  return (
    <RelayForm
      {...{ draft, setDraft, submit, onClose }}
      act={update}
      save={text.save}
      names={fieldNames(draft.kind)}
    >
      <ConfigFields
        {...{ draft, error: update.error }}
        isStored
        onChange={(config) => setDraft({ ...draft, config })}
      />
    </RelayForm>
  );
}

function fieldNames(kind: Draft['kind']): readonly string[] {
  return Object.keys(relayForms[kind].fields).map((name) => `config.${name}`);
}
