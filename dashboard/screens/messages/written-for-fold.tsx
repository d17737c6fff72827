// The channels a message is written for: what campaigns, steps of journeys and tests begin with.

import type { ApiError } from '../../api/errors.ts';
import type { Channel } from '../../api/generated.ts';
import { Check } from '../../ui/choices.tsx';
import { writtenForOf } from '../../ui/written-for.ts';
import { channelName, channelNames } from '../../words/channels.ts';
import { bodyOf, type MessageDraft } from './draft.ts';
import { Fold } from './fold.tsx';
import { words } from './words.ts';

const all = Object.keys(channelNames) as readonly Channel[];

export function WrittenForFold({
  draft,
  onChange,
  error,
}: {
  readonly draft: MessageDraft;
  readonly onChange: (draft: MessageDraft) => void;
  readonly error: ApiError | undefined;
}) {
  const { writtenFor = [] } = draft;
  const found = writtenForOf(bodyOf(draft)) ?? [];
  const problem = error?.of('writtenFor');
  const toggle = (channel: Channel, isOn: boolean) =>
    onChange({
      ...draft,
      writtenFor: all.filter((one) => (one === channel ? isOn : writtenFor.includes(one))),
    });
  return (
    <Fold
      title={words.folds.writtenFor}
      note={found.length === 0 ? words.folds.everyChannel : found.map(channelName).join(', ')}
      isSet={false}
      hasProblem={problem !== undefined}
    >
      <p className="soft">{words.writtenFor.text}</p>
      <fieldset className="test-channels">
        <legend className="sr-only">{words.folds.writtenFor}</legend>
        {all.map((channel) => (
          <Check
            key={channel}
            isChecked={writtenFor.includes(channel)}
            onChange={(isOn) => toggle(channel, isOn)}
          >
            {channelName(channel)}
          </Check>
        ))}
      </fieldset>
      {writtenFor.length === 0 && found.length > 0 && (
        <p className="field-hint">{words.writtenFor.found(found.map(channelName).join(', '))}</p>
      )}
      {problem !== undefined && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </Fold>
  );
}
