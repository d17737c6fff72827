// Quiet hours: a window of local time in which marketing waits.

import type { AppSettings, Channel } from '../../api/generated.ts';
import { Check, Segmented } from '../../ui/choices.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import { channelChoices } from '../../words/channels.ts';
import type { PartProps } from './form.ts';
import { zones } from './general.tsx';
import { words } from './words.ts';

const text = words.quiet;
type Quiet = NonNullable<AppSettings['quietHours']>;
const own = 'subscriber';

export function QuietHours({ draft, change, errorOf }: PartProps) {
  const quiet = draft.quietHours;
  const error = errorOf('quietHours');
  const set = (part: Partial<Quiet>) =>
    quiet !== null && change({ quietHours: { ...quiet, ...part } });
  return (
    <Section id="quiet-hours" title={text.title} intro={text.intro}>
      <Check
        isChecked={quiet !== null}
        onChange={(isOn) =>
          change({ quietHours: isOn ? { start: '22:00', end: '08:00', timezone: own } : null })
        }
      >
        {text.on}
      </Check>
      {quiet !== null && (
        <>
          <div className="row top">
            <Field label={text.start}>
              <TextInput
                type="time"
                isNarrow
                value={quiet.start}
                onChange={(start) => set({ start })}
              />
            </Field>
            <Field label={text.end} hint={text.endHint}>
              <TextInput type="time" isNarrow value={quiet.end} onChange={(end) => set({ end })} />
            </Field>
          </div>
          <Zone zone={quiet.timezone} onChange={(timezone) => set({ timezone })} />
          <OnlyChannels
            channels={quiet.channels}
            onChange={(channels) => {
              const { channels: _before, ...rest } = quiet;
              change({ quietHours: channels === undefined ? rest : { ...rest, channels } });
            }}
          />
          {error !== undefined && (
            <p className="field-error" role="alert">
              {error}
            </p>
          )}
        </>
      )}
    </Section>
  );
}

function Zone({
  zone,
  onChange,
}: {
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}) {
  return (
    <div className="stack-tight">
      <Segmented
        label={text.zone}
        choices={[
          { value: 'own', label: text.own },
          { value: 'fixed', label: text.fixed },
        ]}
        value={zone === own ? 'own' : 'fixed'}
        onChange={(whose) => onChange(whose === 'own' ? own : 'UTC')}
      />
      {zone !== own && (
        <Field label={text.timezone}>
          <Combobox value={zone} onChange={onChange} suggestions={zones} />
        </Field>
      )}
    </div>
  );
}

function OnlyChannels({
  channels,
  onChange,
}: {
  readonly channels: readonly Channel[] | undefined;
  readonly onChange: (channels: readonly Channel[] | undefined) => void;
}) {
  const toggle = (channel: Channel, isOn: boolean) =>
    onChange(
      isOn ? [...(channels ?? []), channel] : (channels ?? []).filter((one) => one !== channel),
    );
  return (
    <div className="stack-tight">
      <Check
        isChecked={channels !== undefined}
        onChange={(isOn) => onChange(isOn ? ['sms', 'voice'] : undefined)}
      >
        {words.onlyChannels}
      </Check>
      {channels !== undefined && (
        <div className="check-grid">
          {channelChoices.map(({ value, label }) => (
            <Check
              key={value}
              isChecked={channels.includes(value)}
              onChange={(isOn) => toggle(value, isOn)}
            >
              {label}
            </Check>
          ))}
        </div>
      )}
    </div>
  );
}
