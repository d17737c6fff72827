// What is sent: the message, its variants and how the best one is found, and what is a conversion.

import { useApp } from '../../../api/session-context.tsx';
import { appPath } from '../../../ui/address.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Check } from '../../../ui/choices.tsx';
import { EventBox } from '../../../ui/event-box.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/input.tsx';
import { channelName } from '../../../words/channels.ts';
import type { PartProps, PresetProps } from './part.ts';
import { MessagePicker } from './pickers.tsx';
import { Variants } from './variants.tsx';
import { words } from './words.ts';

export function What(props: PresetProps) {
  const { draft, change, errorOf, preset, onGo } = props;
  const app = useApp();
  return (
    <>
      <div className="stack-tight">
        <Field label={words.message} error={errorOf('messageId')}>
          <MessagePicker value={draft.messageId} onChange={(messageId) => change({ messageId })} />
        </Field>
        {preset !== undefined && (
          <p className="soft">
            {words.presetOf(preset.map(channelName).join(', '))}{' '}
            <button type="button" className="link-button" onClick={() => onGo('who')}>
              {words.presetChange}
            </button>
          </p>
        )}
        <div className="row">
          <ButtonLink size="small" to={appPath(app.id, 'messages', 'new')} icon="plus">
            {words.newMessage}
          </ButtonLink>
          {draft.messageId !== undefined && (
            <ButtonLink size="small" kind="quiet" to={appPath(app.id, 'messages', draft.messageId)}>
              {words.openMessage}
            </ButtonLink>
          )}
        </div>
      </div>
      <Variants {...props} />
      <Goal {...props} />
    </>
  );
}

function Goal({ draft, change, errorOf }: PartProps) {
  return (
    <div className="stack-tight">
      <Check isChecked={draft.hasGoal} onChange={(hasGoal) => change({ hasGoal })}>
        {words.goal}
      </Check>
      {draft.hasGoal && (
        <div className="fold-inset field-row">
          <Field label={words.goalEvent} error={errorOf('goal.event') ?? errorOf('goal')}>
            <EventBox value={draft.goalEvent} onChange={(goalEvent) => change({ goalEvent })} />
          </Field>
          <Field label={words.goalHours} error={errorOf('goal.withinHours')}>
            <NumberInput
              value={draft.goalHours}
              min={1}
              onChange={(goalHours) => change({ goalHours })}
            />
          </Field>
        </div>
      )}
    </div>
  );
}
