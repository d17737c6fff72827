// On which channels a step sends: on every one, or on some.

import { useRead } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';
import { Check } from '../ui/choices.tsx';
import { count } from '../ui/figure.tsx';
import { channelName } from '../words/channels.ts';
import { words } from './words.ts';

const text = words.send;

export function ChannelsField({
  value,
  isPreset,
  onChange,
  error,
}: {
  /** `undefined` for every channel. */
  readonly value: readonly string[] | undefined;
  /** They came with the message. */
  readonly isPreset: boolean;
  readonly onChange: (channels: readonly string[] | undefined) => void;
  readonly error?: string | undefined;
}) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const channels = fields.data?.channels ?? [];
  const chosen = new Set(value);
  const toggle = (channel: string) => {
    const next = new Set(chosen);
    if (!next.delete(channel)) next.add(channel);
    onChange([...next]);
  };
  return (
    <fieldset className="stack-tight channels-field">
      <legend className="field-label">{text.channels}</legend>
      <Check
        isChecked={value === undefined}
        onChange={(isEvery) => onChange(isEvery ? undefined : [])}
      >
        {text.every}
      </Check>
      {isPreset && <p className="soft">{text.preset}</p>}
      {value !== undefined && (
        <ul className="channels-list">
          {channels.map(({ channel, reachable }) => (
            <li key={channel} className="row-between">
              <Check isChecked={chosen.has(channel)} onChange={() => toggle(channel)}>
                {channelName(channel)}
              </Check>
              <span className="soft">{text.reachable(count(reachable))}</span>
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
