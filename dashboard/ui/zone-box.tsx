// A time zone, found by typing a part of its name; with the time that its clock shows now.

import { wallOf } from '../time/wall-clock.ts';
import { ownZone, zoneNames } from '../time/zones.ts';
import { Combobox } from './combobox.tsx';
import { useNow } from './time.tsx';

export function ZoneBox({
  label,
  value,
  onChange,
}: {
  /** Where no field names it. */
  readonly label?: string;
  readonly value: string;
  readonly onChange: (zone: string) => void;
}) {
  const nowMs = useNow();
  const zones = [...new Set([ownZone(), 'UTC', ...zoneNames()])];
  return (
    <Combobox
      {...(label === undefined ? {} : { label })}
      value={value}
      onChange={onChange}
      suggestions={zones.map((zone) => ({
        value: zone,
        hint: wallOf(nowMs, zone).slice(11),
      }))}
    />
  );
}
