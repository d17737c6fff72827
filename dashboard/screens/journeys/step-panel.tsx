// One step: its name, its form, its figures. Of a live journey only a message's content can change.

import { useState } from 'react';
import type { Journey } from '../../api/generated.ts';
import type { PlacedIssues } from '../../canvas/issues.ts';
import { stepKindOf, stepSentence } from '../../canvas/kinds.ts';
import { type Found, findStep, type Step } from '../../canvas/model.ts';
import { words as canvasWords } from '../../canvas/words.ts';
import { IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextArea, TextInput } from '../../ui/input.tsx';
import { Menu } from '../../ui/menu.tsx';
import { CorrectMessage } from './correct-message.tsx';
import { StepStats } from './step-stats.tsx';
import type { Editing } from './use-editing.ts';
import type { Figures } from './use-figures.ts';
import { useMessageNames } from './use-message-names.ts';
import type { JourneyTools } from './use-saved-draft.ts';
import { words } from './words.ts';

/** Of the API. */
const noteCharsMax = 500;

export interface StepPanelProps {
  readonly journey: Journey | undefined;
  readonly tools: JourneyTools;
  readonly found: Found | undefined;
  readonly issues: PlacedIssues;
  readonly isFrozen: boolean;
  readonly editing: Editing;
  readonly figures: Figures;
}

export function StepPanel(props: StepPanelProps) {
  const { found, isFrozen, figures } = props;
  if (found === undefined) return <p className="soft">{words.chooseStep}</p>;
  const stats = figures.bySteps === undefined ? undefined : figures.stats?.bySteps[found.step.id];
  return (
    <>
      {isFrozen ? <FrozenStep {...props} found={found} /> : <StepForm {...props} found={found} />}
      {stats !== undefined && <StepStats step={found.step} stats={stats} />}
    </>
  );
}

type Shown = StepPanelProps & { readonly found: Found };

function StepForm({ tools, found, issues, editing }: Shown) {
  const { step } = found;
  const kind = stepKindOf(step);
  const own = issues.bySteps.get(step.id) ?? [];
  const errorOf = (field: string) =>
    own.find(
      (issue) =>
        issue.field === field ||
        (field !== '' &&
          (issue.field.startsWith(`${field}.`) || issue.field.startsWith(`${field}[`))),
    )?.error;
  return (
    <>
      <div className="row-between">
        <h2 className="step-kind">
          <Icon name={kind?.icon ?? 'help'} />
          {kind?.label ?? step.type}
        </h2>
        <StepMenu editing={editing} found={found} />
      </div>
      <NameField tools={tools} found={found} editing={editing} error={errorOf('id')} />
      {kind !== undefined && (
        <kind.Form
          step={step}
          issues={own}
          errorOf={errorOf}
          onChange={(next) => editing.replace(step.id, withNote(next, step.note))}
        />
      )}
      <Field label={canvasWords.note} hint={canvasWords.noteHint} error={errorOf('note')}>
        <TextArea
          rows={2}
          value={step.note ?? ''}
          maxLength={noteCharsMax}
          onChange={(note) => editing.replace(step.id, withNote(step, note))}
        />
      </Field>
    </>
  );
}

/** A kind's form knows only its own members. */
function withNote({ note: _, ...step }: Step, note: string | undefined): Step {
  return note === undefined || note === '' ? step : { ...step, note };
}

/** A step's name is its id, so one that is taken or empty is not used yet. */
function NameField({
  tools,
  found,
  editing,
  error,
}: Pick<Shown, 'tools' | 'found' | 'editing'> & { readonly error: string | undefined }) {
  const { step } = found;
  const [typed, setTyped] = useState<string>();
  const text = typed ?? step.id;
  const isTaken = text !== step.id && findStep(tools.draft.steps, text) !== undefined;
  const problem = text === '' ? canvasWords.nameEmpty : isTaken ? canvasWords.nameTaken : undefined;
  return (
    <Field label={canvasWords.name} hint={canvasWords.nameHint} error={problem ?? error}>
      <TextInput
        value={text}
        onChange={(next) => {
          const isFree = next !== '' && findStep(tools.draft.steps, next) === undefined;
          setTyped(isFree ? undefined : next);
          if (isFree) editing.replace(step.id, { ...step, id: next });
        }}
        onBlur={() => setTyped(undefined)}
      />
    </Field>
  );
}

function StepMenu({ editing, found }: Pick<Shown, 'editing' | 'found'>) {
  const { id } = found.step;
  return (
    <div className="row">
      <IconButton size="small" icon="plus" label={words.addAfter} onClick={editing.addAfter} />
      <Menu
        trigger={
          <button
            type="button"
            className="button quiet small icon-only"
            aria-label={words.stepMore}
          >
            <Icon name="more" />
          </button>
        }
        items={[
          {
            label: words.moveUp,
            icon: 'up',
            hint: 'Alt ↑',
            onChoose: () => editing.move(id, -1),
          },
          {
            label: words.moveDown,
            icon: 'down',
            hint: 'Alt ↓',
            onChoose: () => editing.move(id, 1),
          },
          { line: 'copies' },
          { label: words.duplicateStep, icon: 'plus', hint: '⌘D', onChoose: editing.duplicate },
          { label: words.copyStep, icon: 'copy', hint: '⌘C', onChoose: editing.copy },
          { line: 'danger' },
          {
            label: words.removeStep,
            icon: 'trash',
            hint: 'Del',
            isDanger: true,
            onChoose: () => editing.remove(id),
          },
        ]}
      />
    </div>
  );
}

function FrozenStep({ journey, found, tools }: Shown) {
  const { step } = found;
  const kind = stepKindOf(step);
  const names = useMessageNames(tools.draft.steps);
  return (
    <>
      <h2 className="step-kind">
        <Icon name={kind?.icon ?? 'help'} />
        {step.id}
      </h2>
      <p>{stepSentence(step, names)}</p>
      {step.note !== undefined && <p className="step-note">{step.note}</p>}
      {step.type === 'send' && journey?.active === true && (
        <CorrectMessage key={step.id} journey={journey} step={step} onDone={tools.take} />
      )}
    </>
  );
}
