// Above the list: one channel, or a part of an address.

import { SelectBox } from '../../ui/choices.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { channelNames } from '../../words/channels.ts';
import { words } from './words.ts';

const any = '';

export function FilterBar({
  channel,
  onChannel,
  q,
  onSearch,
}: {
  readonly channel: string | undefined;
  readonly onChannel: (channel: string | undefined) => void;
  readonly q: string | undefined;
  readonly onSearch: (q: string | undefined) => void;
}) {
  return (
    <div className="screen-bar">
      <SelectBox
        isAuto
        label={words.channel}
        choices={[
          { value: any, label: words.anyChannel },
          ...Object.entries(channelNames).map(([value, label]) => ({ value, label })),
        ]}
        value={channel ?? any}
        onChange={(value) => onChannel(value || undefined)}
      />
      <SearchBox label={words.find} value={q ?? ''} onChange={onSearch} />
    </div>
  );
}
