// Channels to choose, each with how many of the audience it reaches.

import type { Channel } from '../../../api/generated.ts';
import type { FilterCount } from '../../../filter/count.ts';
import { Check } from '../../../ui/choices.tsx';
import { count } from '../../../ui/figure.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { channelName } from '../../../words/channels.ts';

export function ChannelChecks({
  label,
  value,
  onChange,
  counted,
  without = [],
  error,
}: {
  readonly label: string;
  readonly value: readonly Channel[];
  readonly onChange: (value: readonly Channel[]) => void;
  readonly counted: FilterCount;
  /** Taken already by the other list. */
  readonly without?: readonly Channel[];
  readonly error: string | undefined;
}) {
  const reach = counted.reach ?? [];
  return (
    <fieldset className="channel-checks">
      <legend className="field-label">{label}</legend>
      <div className="channel-grid">
        {reach
          .filter(({ channel }) => !without.includes(channel))
          .map(({ channel, reachable }) => (
            <Check
              key={channel}
              isChecked={value.includes(channel)}
              onChange={(isOn) =>
                onChange(isOn ? [...value, channel] : value.filter((one) => one !== channel))
              }
            >
              {channelName(channel)} <span className="soft">{count(reachable)}</span>
            </Check>
          ))}
      </div>
      {error !== undefined && (
        <p className="field-error" role="alert">
          <Icon name="warning" />
          {error}
        </p>
      )}
    </fieldset>
  );
}
