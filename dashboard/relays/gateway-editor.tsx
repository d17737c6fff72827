// Adding a gateway for text messages or calls, and changing one: by a recipe, or a description of
// one's own. Secrets live in this component alone and go with it.

import { useState } from 'react';
import type { ApiError } from '../api/errors.ts';
import type { Relay } from '../api/generated.ts';
import { useRead } from '../api/queries.ts';
import { useSecretAct } from '../api/secret-act.ts';
import { Field } from '../ui/field.tsx';
import { TextArea, TextInput } from '../ui/input.tsx';
import { tellDone } from '../ui/toast.tsx';
import {
  blankGateway,
  type GatewayDraft,
  gatewayChange,
  gatewayDraftOf,
  readDescription,
} from './gateway-draft.ts';
import { Prices, Recipe, Secrets } from './gateway-fields.tsx';
import { GatewayTrial } from './gateway-trial.tsx';
import { gatewayWords as text } from './gateway-words.ts';
import { type Config, relayBodyOf } from './relay-draft.ts';
import { RelayForm } from './relay-form.tsx';
import { useRelayPlace } from './relay-owner.ts';
import { useRelayWords } from './relay-words.ts';

export function NewGateway({ onClose }: { readonly onClose: () => void }) {
  const { appId, channel, operations } = useRelayPlace();
  const words = useRelayWords();
  const [draft, setDraft] = useState(blankGateway);
  const create = useSecretAct(operations.create);
  const submit = () => {
    const config = gatewayChange(draft) as unknown as Config;
    const body = { ...relayBodyOf(draft), channel, kind: 'http' as const, config };
    create.run({ path: { appId }, body }, () => {
      tellDone(words.added);
      onClose();
    });
  };
  return <GatewayForm {...{ draft, setDraft, submit, onClose }} act={create} save={words.create} />;
}

export function EditGateway({
  relay,
  onClose,
}: {
  readonly relay: Relay;
  readonly onClose: () => void;
}) {
  const { appId, operations } = useRelayPlace();
  const words = useRelayWords();
  // What was shown when it opened: a change by somebody else in between is a conflict.
  const [base] = useState(relay);
  const [draft, setDraft] = useState(() => gatewayDraftOf(base));
  const update = useSecretAct(operations.update);
  const change = () => gatewayChange(draft, base.config);
  const submit = () => {
    const config = change() as unknown as Config;
    const body = { ...relayBodyOf(draft), ...(Object.keys(config).length > 0 && { config }) };
    update.run(
      { path: { appId, id: base.id }, body, base },
      () => {
        tellDone(words.saved);
        onClose();
      },
      onClose,
    );
  };
  return (
    <GatewayForm
      {...{ draft, setDraft, submit, onClose, base }}
      act={update}
      save={words.save}
      trial={<GatewayTrial relayId={base.id} change={change} />}
    />
  );
}

function GatewayForm({
  draft,
  setDraft,
  submit,
  onClose,
  act,
  save,
  base,
  trial,
}: {
  readonly draft: GatewayDraft;
  readonly setDraft: (draft: GatewayDraft) => void;
  readonly submit: () => void;
  readonly onClose: () => void;
  readonly act: { readonly isPending: boolean; readonly error: ApiError | undefined };
  readonly save: string;
  readonly base?: Relay;
  readonly trial?: React.ReactNode;
}) {
  const { error } = act;
  const { channel } = useRelayPlace();
  const all = useRead('listRelayRecipes', { query: { limit: 100 } }).data?.items ?? [];
  const recipes = all.filter((one) => one.channel === channel);
  const recipe = recipes.find((one) => one.recipe === draft.recipe);
  const set = (part: Partial<GatewayDraft>) => setDraft({ ...draft, ...part });
  const isTaken = draft.recipe !== '' && draft.recipe !== base?.config['recipe'];
  const read = readDescription(draft.description);
  const send = () => {
    if (isTaken || 'members' in read) submit();
  };
  return (
    <RelayForm
      {...{ draft, setDraft, onClose, act, save }}
      submit={send}
      names={['config.from', 'config.price', 'config.credentials', 'config.recipe']}
      head={<Recipe {...{ draft, set, recipes, recipe }} />}
    >
      <Field label={text.from} hint={text.fromHint} isOptional error={error?.of('config.from')}>
        <TextInput value={draft.from} onChange={(from) => set({ from })} />
      </Field>
      <Secrets {...{ draft, set, recipe, error }} isStored={base !== undefined && !isTaken} />
      {isTaken ? (
        <p className="soft">{text.takenAnew}</p>
      ) : (
        <div className="gateway-json">
          <Field
            label={text.description}
            hint={text.descriptionHint}
            error={'problem' in read ? read.problem : undefined}
          >
            <TextArea
              rows={16}
              spellCheck={false}
              value={draft.description}
              onChange={(description) => set({ description })}
            />
          </Field>
        </div>
      )}
      {channel === 'sms' && <Prices {...{ draft, set, error }} />}
      {trial}
    </RelayForm>
  );
}
