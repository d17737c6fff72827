// One message: its head, its other attempts, and its views.

import { useQueryParam } from '../ui/address.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { useShortcuts } from '../ui/keys.ts';
import { useIsNarrow } from '../ui/media.ts';
import { Empty } from '../ui/note.tsx';
import { TabPanel, Tabs, useTab } from '../ui/tabs.tsx';
import { closeMessage } from './address.ts';
import { AttemptLinks } from './attempts.tsx';
import { ControlError, useChannelName, useControl, type WholeMessage } from './control.ts';
import { OutcomeBadge } from './outcome.tsx';
import { arrivalTime, headline, shortened } from './row-words.ts';
import { Tile } from './tile.tsx';
import { Details, Exchange, Seen } from './views.tsx';
import { words } from './words.ts';

const headlineCharactersMax = 100;
const text = words.reader;

export function Reader({ id }: { readonly id: number }) {
  const { data: message, error } = useControl<WholeMessage>(`/messages/${id}`);
  if (message !== undefined) return <OpenMessage message={message} />;
  if (!(error instanceof ControlError)) return null;
  return (
    <Empty icon="search" title={text.gone} action={<BackButton />}>
      {text.kept}
    </Empty>
  );
}

function OpenMessage({ message }: { readonly message: WholeMessage }) {
  const isMail = message.htmlPath !== undefined;
  const tabs = [
    { id: 'seen', label: text.tabs.seen },
    ...(isMail ? [{ id: 'text', label: text.tabs.text }] : []),
    { id: 'details', label: message.look === 'email' ? text.tabs.headers : text.tabs.details },
    { id: 'raw', label: text.tabs.raw },
  ];
  const tab = useTab(tabs);
  const [, setTab] = useQueryParam('tab');
  useShortcuts([
    { keys: 'r', label: text.raw, run: () => setTab(tab === 'raw' ? undefined : 'raw') },
  ]);
  return (
    <>
      <Head message={message} />
      <AttemptLinks message={message} />
      <div className="inbox-tabs">
        <Tabs label={text.views} tabs={tabs} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable by keyboard */}
      <div key={`${message.id} ${tab}`} className="inbox-view" tabIndex={0} role="group">
        <TabPanel id={tab}>
          {tab === 'seen' && <Seen message={message} />}
          {tab === 'text' && <pre className="inbox-text">{message.text ?? text.noText}</pre>}
          {tab === 'details' && <Details message={message} />}
          {tab === 'raw' && <Exchange exchange={message.exchange} />}
        </TabPanel>
      </div>
    </>
  );
}

function Head({ message }: { readonly message: WholeMessage }) {
  const { title, text: said = '', look, channel, to, at, sender } = message;
  const name = useChannelName()(channel);
  const [firstLine = ''] = said.split('\n');
  return (
    <header className="inbox-head">
      <BackButton />
      <Tile look={look} />
      <div className="grow">
        <h2 dir="auto">{title || headline(firstLine, headlineCharactersMax) || name}</h2>
        <p className="inbox-meta soft">
          <span>
            {text.to(name)}
            <strong title={to}>{shortened(to)}</strong>
          </span>
          {sender !== undefined && look !== 'email' && (
            <span>{text.from(sender.replace(/^Call from /, ''))}</span>
          )}
          <time dateTime={at}>{arrivalTime(at)}</time>
        </p>
        <div className="inbox-scopes">
          <OutcomeBadge message={message} />
          <ScopeButtons message={message} />
        </div>
      </div>
    </header>
  );
}

function ScopeButtons({ message: { sendId, app } }: { readonly message: WholeMessage }) {
  const isNarrow = useIsNarrow();
  const [, setSend] = useQueryParam('sendId');
  const [, setApp] = useQueryParam('app');
  if (sendId === undefined) return null;
  const narrow = (set: (value: string) => void) => {
    set(sendId);
    if (isNarrow) closeMessage(); // the list and the reader take turns
  };
  return (
    <>
      <Button kind="quiet" size="small" onClick={() => narrow(setSend)}>
        {text.onlySend}
      </Button>
      {app !== undefined && (
        <Button kind="quiet" size="small" onClick={() => narrow(setApp)}>
          {text.onlyApp}
        </Button>
      )}
    </>
  );
}

/** Where the list is not in sight. */
function BackButton() {
  return (
    <span className="narrow-only">
      <IconButton label={text.close} icon="left" onClick={closeMessage} />
    </span>
  );
}
