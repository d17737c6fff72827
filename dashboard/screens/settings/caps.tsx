// Frequency caps: up to five, each for a channel or for all.

import type { AppSettings, Channel } from '../../api/generated.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { NumberInput } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import { channelChoices } from '../../words/channels.ts';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.caps;
const capsMax = 5;
type Cap = AppSettings['caps'][number];

export function Caps({ draft, change, errorOf }: PartProps) {
  const { caps } = draft;
  const set = (next: readonly Cap[]) => change({ caps: next });
  const error = errorOf('caps');
  return (
    <Section id="caps" title={text.title} intro={text.intro}>
      {caps.length === 0 && <p className="soft">{text.none}</p>}
      {caps.map((cap, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={at} className="cap-row">
          <CapRow
            cap={cap}
            onChange={(next) => set(caps.map((one, nth) => (nth === at ? next : one)))}
          />
          <IconButton
            label={text.remove}
            icon="trash"
            onClick={() => set(caps.filter((_one, nth) => nth !== at))}
          />
        </div>
      ))}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {caps.length < capsMax && (
        <div className="row">
          <Button icon="plus" onClick={() => set([...caps, { max: 3, perHours: 24 }])}>
            {text.add}
          </Button>
        </div>
      )}
    </Section>
  );
}

function CapRow({ cap, onChange }: { readonly cap: Cap; readonly onChange: (cap: Cap) => void }) {
  const { channel, ...rest } = cap;
  return (
    <>
      <span>{text.max}</span>
      <NumberInput
        aria-label={text.max}
        min={1}
        value={cap.max}
        onChange={(max) => onChange({ ...cap, max: max ?? 0 })}
      />
      <span>{text.per}</span>
      <NumberInput
        aria-label={text.hours}
        min={1}
        value={cap.perHours}
        onChange={(perHours) => onChange({ ...cap, perHours: perHours ?? 0 })}
      />
      <span>
        {text.hours} {text.on}
      </span>
      <SelectBox<Channel | 'all'>
        isAuto
        label={text.on}
        choices={[{ value: 'all', label: words.allChannels }, ...channelChoices]}
        value={channel ?? 'all'}
        onChange={(next) => onChange(next === 'all' ? rest : { ...rest, channel: next })}
      />
    </>
  );
}
