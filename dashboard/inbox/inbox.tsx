// The sandbox's inbox: a bar with the panels, the list of messages, and the one that is open.

import { useEffect } from 'react';
import { Logo } from '../frame/logo.tsx';
import { useQueryParam } from '../ui/address.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useShortcuts } from '../ui/keys.ts';
import { Empty } from '../ui/note.tsx';
import type { Tone } from '../words/tone.ts';
import { addressOfMessage, closeMessage, useFilters, useOpenMessage } from './address.ts';
import { type MessageList, type ReceivedMessage, useControl, useControlChange } from './control.ts';
import { DnsPanel, useDns } from './dns-panel.tsx';
import { FaultsPanel, useFaultRules } from './faults-panel.tsx';
import { allMessages, type Connection, useLive } from './live.ts';
import { Reader } from './reader.tsx';
import { groupedByCall } from './row-words.ts';
import { Side } from './side.tsx';
import { useReceiver, WebhooksPanel } from './webhooks-panel.tsx';
import { Welcome } from './welcome.tsx';
import { words } from './words.ts';

const tones: Readonly<Record<Connection, Tone>> = {
  connecting: 'notice',
  live: 'good',
  lost: 'bad',
  silent: 'bad',
};

export function Inbox() {
  const connection = useLive();
  const openId = useOpenMessage();
  const filters = String(useFilters());
  const isFiltered = filters !== '';
  const { data: list, isPlaceholderData } = useControl<MessageList>(
    isFiltered ? `${allMessages}&${filters}` : allMessages,
    { keepsPrevious: true },
  );
  const calls = groupedByCall(list?.messages ?? []);
  useListKeys(calls, openId);
  const isFiltersOwn = isFiltered && list !== undefined && !isPlaceholderData;
  const isOutside = isFiltersOwn && list.messages.every(({ id }) => id !== openId);
  useEffect(() => {
    if (isOutside) closeMessage();
  }, [isOutside]);
  const isEmpty = list?.held === 0;
  return (
    <div
      className={classNames(
        'inbox',
        isEmpty && 'without-messages',
        openId !== undefined && 'reading',
      )}
    >
      <a className="skip" href="#list">
        {words.skip}
      </a>
      <TopBar connection={connection} />
      <main className="inbox-panes">
        <Side list={list} calls={calls} openId={openId} isFiltered={isFiltered} />
        <section className="inbox-reader" aria-label={words.reader.message}>
          {openId !== undefined && <Reader id={openId} />}
          {openId === undefined && isEmpty && <Welcome />}
          {openId === undefined && list !== undefined && !isEmpty && (
            <Empty icon="messages" title={words.reader.select}>
              {words.reader.keys}
            </Empty>
          )}
        </section>
      </main>
    </div>
  );
}

function useListKeys(
  calls: readonly (readonly ReceivedMessage[])[],
  openId: number | undefined,
): void {
  const move = (by: number) => {
    const at = calls.findIndex((attempts) => attempts.some(({ id }) => id === openId));
    const next = at === -1 ? 0 : Math.min(Math.max(at + by, 0), calls.length - 1);
    const id = calls[next]?.[0]?.id;
    if (id !== undefined) location.hash = addressOfMessage(id);
  };
  useShortcuts([
    { keys: 'j', label: words.reader.next, run: () => move(1) },
    { keys: 'k', label: words.reader.previous, run: () => move(-1) },
    { keys: 'Escape', label: words.reader.close, run: closeMessage },
    {
      keys: '/',
      label: words.list.search,
      run: () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    },
  ]);
}

function TopBar({ connection }: { readonly connection: Connection }) {
  const [panel, setPanel] = useQueryParam('panel');
  const { change } = useControlChange('/messages');
  const close = () => setPanel(undefined);
  const receiver = useReceiver();
  const panels = {
    webhooks: receiver?.deliveries.length ?? 0,
    dns: useDns().records.length,
    faults: useFaultRules().length,
  };
  const button = (name: keyof typeof panels) => (
    <Button onClick={() => setPanel(name)}>
      {words.panels[name]}
      {panels[name] > 0 && (
        <span className={classNames('badge plain', name === 'faults' ? 'bad' : 'accent')}>
          {panels[name]}
        </span>
      )}
    </Button>
  );
  return (
    <header className="inbox-top">
      <h1>
        <Logo />
        {words.title}
      </h1>
      <span role="status">
        <Badge tone={tones[connection]}>{words.connection[connection]}</Badge>
      </span>
      <div className="inbox-actions">
        <a className="button" href="/try">
          {words.tryIt}
        </a>
        {button('webhooks')}
        <a className="button" href="/stripe/">
          {words.billing}
        </a>
        {button('dns')}
        {button('faults')}
        <Button onClick={() => void change('DELETE')}>{words.clear}</Button>
      </div>
      <Dialog
        kind="drawer"
        title={words.panels.webhooks}
        isOpen={panel === 'webhooks'}
        onClose={close}
      >
        <WebhooksPanel />
      </Dialog>
      <Dialog kind="drawer" title={words.dns.title} isOpen={panel === 'dns'} onClose={close}>
        <DnsPanel />
      </Dialog>
      <Dialog kind="drawer" title={words.faults.title} isOpen={panel === 'faults'} onClose={close}>
        <FaultsPanel />
      </Dialog>
    </header>
  );
}
