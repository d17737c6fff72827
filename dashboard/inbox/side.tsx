// The left column: search and filters, the list, and what the list lacks.

import { FilterParam, SearchParam } from '../kit/params.tsx';
import { useQueryParam } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty } from '../ui/note.tsx';
import { clearFilters } from './address.ts';
import { type MessageList, type ReceivedMessage, useStandIns } from './control.ts';
import { MessageRows } from './list.tsx';
import { words } from './words.ts';

const text = words.list;

export function Side({
  list,
  calls,
  openId,
  isFiltered,
}: {
  readonly list: MessageList | undefined;
  readonly calls: readonly (readonly ReceivedMessage[])[];
  readonly openId: number | undefined;
  readonly isFiltered: boolean;
}) {
  const channels = useStandIns();
  const older = list === undefined || isFiltered ? 0 : list.held - list.messages.length;
  return (
    <section className="inbox-side" aria-label={text.messages}>
      <search className="inbox-filters">
        <SearchParam label={text.search} />
        <FilterParam
          name="channel"
          label={text.channel}
          none={text.anyChannel}
          choices={channels.map(({ channel, label }) => ({ value: channel, label }))}
        />
        <Scope name="sendId" label={text.ofSend} />
        <Scope name="app" label={text.ofApp} />
      </search>
      <MessageRows calls={calls} openId={openId} />
      {isFiltered && list?.messages.length === 0 && (
        <div role="status">
          <Empty
            icon="search"
            title={text.nothing}
            action={<Button onClick={clearFilters}>{text.showAll}</Button>}
          />
        </div>
      )}
      {older > 0 && calls.length > 0 && <p className="inbox-older soft">{text.older(older)}</p>}
    </section>
  );
}

/** A filter that a message set, and the way to remove it. */
function Scope({
  name,
  label,
}: {
  readonly name: 'sendId' | 'app';
  readonly label: (send: string) => string;
}) {
  const [send, set] = useQueryParam(name);
  if (send === undefined) return null;
  return (
    <button
      type="button"
      className="inbox-scope"
      aria-label={text.unfilter(label(send))}
      onClick={() => set(undefined)}
    >
      <span className="ellipsis">{label(send)}</span>
      <Icon name="close" />
    </button>
  );
}
