// Adding a gateway for text messages, and changing one: by a recipe, or a description of one's own.
// Secrets live in this component alone and go with it.

import { useState } from 'react';
import type { ApiError } from '../../api/errors.ts';
import { useRead } from '../../api/queries.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { useApp } from '../../api/session-context.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/input.tsx';
import { tellDone } from '../../ui/toast.tsx';
import {
  blankGateway,
  credentialNames,
  type GatewayDraft,
  type GatewayRecipe,
  gatewayChange,
  gatewayDraftOf,
  readDescription,
} from './gateway-draft.ts';
import { GatewayTrial } from './gateway-trial.tsx';
import { gatewayWords as text } from './gateway-words.ts';
import { type Config, relayBodyOf } from './relay-draft.ts';
import { RelayForm } from './relay-form.tsx';
import type { Relay } from './relay-forms.ts';
import { relayOperations, useRelayOwner } from './relay-owner.ts';
import { useRelayWords } from './relay-words.ts';

type Set = (part: Partial<GatewayDraft>) => void;

export function NewGateway({ onClose }: { readonly onClose: () => void }) {
  const app = useApp();
  const words = useRelayWords();
  const [draft, setDraft] = useState(blankGateway);
  const create = useSecretAct(relayOperations[useRelayOwner()].create);
  const submit = () => {
    const config = gatewayChange(draft) as unknown as Config;
    const body = { ...relayBodyOf(draft), channel: 'sms' as const, kind: 'http' as const, config };
    create.run({ path: { appId: app.id }, body }, () => {
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
  const app = useApp();
  const words = useRelayWords();
  // What was shown when it opened: a change by somebody else in between is a conflict.
  const [base] = useState(relay);
  const [draft, setDraft] = useState(() => gatewayDraftOf(base));
  const update = useSecretAct(relayOperations[useRelayOwner()].update);
  const change = () => gatewayChange(draft, base.config);
  const submit = () => {
    const config = change() as unknown as Config;
    const body = { ...relayBodyOf(draft), ...(Object.keys(config).length > 0 && { config }) };
    update.run(
      { path: { appId: app.id, id: base.id }, body, base },
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
  const recipes = useRead('listRelayRecipes', { query: { limit: 100 } }).data?.items ?? [];
  const recipe = recipes.find((one) => one.recipe === draft.recipe);
  const set: Set = (part) => setDraft({ ...draft, ...part });
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
      <Prices {...{ draft, set, error }} />
      {trial}
    </RelayForm>
  );
}

function Recipe({
  draft,
  set,
  recipes,
  recipe,
}: {
  readonly draft: GatewayDraft;
  readonly set: Set;
  readonly recipes: readonly GatewayRecipe[];
  readonly recipe: GatewayRecipe | undefined;
}) {
  const hints = [
    recipe?.countries != null && text.where(recipe.countries.join(', ')),
    recipe?.setup,
  ].filter(Boolean);
  return (
    <Field label={text.recipe} hint={hints.length > 0 ? hints.join(' ') : text.recipeHint}>
      <SelectBox
        value={draft.recipe}
        choices={[
          { value: '', label: text.ownDescription },
          ...recipes.map((one) => ({ value: one.recipe, label: one.name })),
        ]}
        onChange={(chosen) => set({ recipe: chosen, credentials: {} })}
      />
    </Field>
  );
}

function Secrets({
  draft,
  set,
  recipe,
  error,
  isStored,
}: {
  readonly draft: GatewayDraft;
  readonly set: Set;
  readonly recipe: GatewayRecipe | undefined;
  readonly error: ApiError | undefined;
  readonly isStored: boolean;
}) {
  const labels = recipe?.credentials ?? {};
  const names = recipe === undefined ? credentialNames(draft.description) : Object.keys(labels);
  return names.map((name) => (
    <Field
      key={name}
      label={recipe === undefined ? name : (labels[name] ?? name)}
      hint={isStored ? text.stored : text.secretOf(name)}
      isOptional={isStored}
      error={error?.of(`config.credentials.${name}`)}
    >
      <TextInput
        type="password"
        autoComplete="new-password"
        required={!isStored}
        spellCheck={false}
        value={draft.credentials[name] ?? ''}
        onChange={(typed) => set({ credentials: { ...draft.credentials, [name]: typed } })}
      />
    </Field>
  ));
}

function Prices({
  draft: { currency, perSegment, byCountry },
  set,
  error,
}: {
  readonly draft: GatewayDraft;
  readonly set: Set;
  readonly error: ApiError | undefined;
}) {
  return (
    <fieldset className="stack">
      <legend className="field-label">{text.price}</legend>
      <p className="soft">{text.priceIntro}</p>
      <div className="columns">
        <Field
          label={text.currency}
          hint={text.currencyHint}
          isOptional
          error={error?.of('config.price.currency') ?? error?.of('config.price')}
        >
          <TextInput
            value={currency}
            maxLength={3}
            onChange={(typed) => set({ currency: typed })}
          />
        </Field>
        <Field
          label={text.perSegment}
          hint={text.perSegmentHint}
          isOptional
          error={error?.of('config.price.perSegment')}
        >
          <TextInput
            inputMode="decimal"
            value={perSegment}
            onChange={(typed) => set({ perSegment: typed })}
          />
        </Field>
        <Field label={text.byCountry} hint={text.byCountryHint} isOptional>
          <TextArea
            rows={3}
            spellCheck={false}
            value={byCountry}
            onChange={(typed) => set({ byCountry: typed })}
          />
        </Field>
      </div>
    </fieldset>
  );
}
