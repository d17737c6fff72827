// Variants of the message with their weights, and sending the best one to the rest.

import { Button, IconButton } from '../../../ui/button.tsx';
import { Check, SelectBox } from '../../../ui/choices.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput, TextInput } from '../../../ui/input.tsx';
import type { Draft, DraftVariant } from './draft.ts';
import type { PartProps } from './part.ts';
import { MessagePicker } from './pickers.tsx';
import { words } from './words.ts';

const variantsMax = 10;

export function Variants({ draft, change, errorOf }: PartProps) {
  const { hasVariants, variants, messageId } = draft;
  const set = (row: number, part: Partial<DraftVariant>) =>
    change({ variants: variants.map((one) => (one.row === row ? { ...one, ...part } : one)) });
  return (
    <div className="stack-tight">
      <Check
        isChecked={hasVariants}
        onChange={(isOn) =>
          change({
            hasVariants: isOn,
            ...(isOn && variants.length === 0 && { variants: firstTwo(messageId) }),
          })
        }
      >
        {words.variants}
      </Check>
      {hasVariants && (
        <div className="fold-inset stack-tight">
          <p className="soft">{words.variantsHint}</p>
          {variants.map((one, at) => (
            <VariantRow
              key={one.row}
              variant={one}
              at={at}
              errorOf={errorOf}
              onChange={(part) => set(one.row, part)}
              onRemove={() => change({ variants: variants.filter(({ row }) => row !== one.row) })}
            />
          ))}
          {variants.length < variantsMax && (
            <div>
              <Button
                size="small"
                icon="plus"
                onClick={() => change({ variants: [...variants, nextVariant(variants)] })}
              >
                {words.addVariant}
              </Button>
            </div>
          )}
          {errorOf('variants') !== undefined && variants.length < 2 && (
            <p className="field-error" role="alert">
              {errorOf('variants')}
            </p>
          )}
          <ExperimentFields draft={draft} change={change} errorOf={errorOf} />
        </div>
      )}
    </div>
  );
}

function VariantRow({
  variant,
  at,
  errorOf,
  onChange,
  onRemove,
}: {
  readonly variant: DraftVariant;
  readonly at: number;
  readonly errorOf: PartProps['errorOf'];
  readonly onChange: (part: Partial<DraftVariant>) => void;
  readonly onRemove: () => void;
}) {
  return (
    <fieldset className="variant">
      <legend className="sr-only">{words.variant(at + 1)}</legend>
      <Field
        label={words.variantKey}
        error={errorOf(`variants[${at}].id`) ?? errorOf(`variants[${at}].key`)}
      >
        <TextInput value={variant.id} onChange={(id) => onChange({ id })} />
      </Field>
      <Field label={words.weight} error={errorOf(`variants[${at}].weight`)}>
        <NumberInput value={variant.weight} min={1} onChange={(weight) => onChange({ weight })} />
      </Field>
      <Field label={words.message} error={errorOf(`variants[${at}].messageId`)}>
        <MessagePicker value={variant.messageId} onChange={(id) => onChange({ messageId: id })} />
      </Field>
      <IconButton label={words.removeVariant(variant.id)} icon="trash" onClick={onRemove} />
    </fieldset>
  );
}

function ExperimentFields({ draft, change, errorOf }: PartProps) {
  return (
    <>
      <Check
        isChecked={draft.hasExperiment}
        onChange={(hasExperiment) => change({ hasExperiment })}
      >
        {words.experiment}
      </Check>
      {draft.hasExperiment && (
        <div className="fold-inset field-row">
          <Field label={words.sample} error={errorOf('experiment.sampleShare')}>
            <NumberInput
              value={draft.samplePercent}
              min={0}
              max={99}
              step="any"
              onChange={(samplePercent) => change({ samplePercent })}
            />
          </Field>
          <Field label={words.metric} error={errorOf('experiment.winnerMetric')}>
            <SelectBox<Draft['winnerMetric']>
              value={draft.winnerMetric}
              choices={(['opened', 'clicked', 'converted'] as const).map((value) => ({
                value,
                label: words.metrics[value],
              }))}
              onChange={(winnerMetric) => change({ winnerMetric })}
            />
          </Field>
          <Field label={words.decide} error={errorOf('experiment.decideAfterMinutes')}>
            <NumberInput
              value={draft.decideAfterMinutes}
              min={1}
              onChange={(decideAfterMinutes) => change({ decideAfterMinutes })}
            />
          </Field>
        </div>
      )}
    </>
  );
}

function firstTwo(messageId: string | undefined): readonly DraftVariant[] {
  return [
    { row: 0, id: 'a', weight: 1, messageId },
    { row: 1, id: 'b', weight: 1, messageId: undefined },
  ];
}

function nextVariant(variants: readonly DraftVariant[]): DraftVariant {
  const row = Math.max(-1, ...variants.map((one) => one.row)) + 1;
  return { row, id: String.fromCharCode('a'.charCodeAt(0) + row), weight: 1, messageId: undefined };
}
