// Which channels, of a few: a box for each.

import type { Channel } from '../api/generated.ts';
import { channelName } from '../words/channels.ts';
import { Check } from './choices.tsx';

export function ChannelChecks({
  channels,
  chosen,
  onChange,
}: {
  readonly channels: readonly Channel[];
  readonly chosen: readonly Channel[];
  readonly onChange: (chosen: readonly Channel[]) => void;
}) {
  return channels.map((channel) => (
    <Check
      key={channel}
      isChecked={chosen.includes(channel)}
      onChange={(isOn) =>
        onChange(isOn ? [...chosen, channel] : chosen.filter((one) => one !== channel))
      }
    >
      {channelName(channel)}
    </Check>
  ));
}
