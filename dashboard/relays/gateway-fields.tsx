// The fields of a gateway that are no JSON: its recipe, its secrets, and what a text costs.

import type { ApiError } from '../api/errors.ts';
import { SelectBox } from '../ui/choices.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/input.tsx';
import { credentialNames, type GatewayDraft, type GatewayRecipe } from './gateway-draft.ts';
import { gatewayWords as text } from './gateway-words.ts';
import { PriceFields } from './price-fields.tsx';

type Set = (part: Partial<GatewayDraft>) => void;

export function Recipe({
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

export function Secrets({
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

export function Prices({
  draft,
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
      <PriceFields
        draft={draft}
        set={set}
        errorOf={(member) =>
          error?.of(member === undefined ? 'config.price' : `config.price.${member}`)
        }
      />
    </fieldset>
  );
}
