// Whether a person can be reached on a channel: an enabled device that has not opted out.

import type { Channel } from '../../api/generated.ts';
import { SelectBox } from '../../ui/choices.tsx';
import { channelName } from '../../words/channels.ts';
import type { ConditionKind, EditProps } from '../kind.ts';
import type { Condition } from '../model.ts';
import { words } from '../words.ts';

type OnChannel = Extract<Condition, { readonly channel: unknown }>;
const text = words.channel;

export const channel: ConditionKind<OnChannel> = {
  id: 'channel',
  label: text.label,
  owns: (one): one is OnChannel => 'channel' in one,
  blank: () => ({ channel: 'email' }),
  isComplete: () => true,
  sentence: (one) =>
    one.exists === false
      ? text.notSentence(channelName(one.channel))
      : text.sentence(channelName(one.channel)),
  Edit,
};

function Edit({ condition, onChange, fields }: EditProps<OnChannel>) {
  const known = fields?.channels ?? [{ channel: condition.channel, reachable: undefined }];
  return (
    <>
      <SelectBox
        isAuto
        label={text.operator}
        value={condition.exists === false ? 'cannot' : 'can'}
        choices={[
          { value: 'can', label: text.can },
          { value: 'cannot', label: text.cannot },
        ]}
        onChange={(next) =>
          onChange(
            next === 'can'
              ? { channel: condition.channel }
              : { channel: condition.channel, exists: false },
          )
        }
      />
      <SelectBox<Channel>
        isAuto
        label={text.channel}
        value={condition.channel}
        choices={known.map((one) => ({
          value: one.channel,
          label: channelName(one.channel),
          ...(one.reachable === undefined ? {} : { hint: text.people(one.reachable) }),
        }))}
        onChange={(next) => onChange({ ...condition, channel: next })}
      />
    </>
  );
}
