// Relays of the app, or those that its org shares: which one sends now, and each of them.

import { useContext, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Answer } from '../../ui/note.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { NewGateway } from './gateway-editor.tsx';
import { RelayCard } from './relay-card.tsx';
import { NewRelay } from './relay-editor.tsx';
import type { Relay } from './relay-forms.ts';
import { RelayOwnerContext, useRelayOwner } from './relay-owner.ts';
import { inOrder, type Sending, sendingOf, streams } from './relay-standing.ts';
import { type RelayChannel, RelayChannelContext, useRelayWords } from './relay-words.ts';

/** Health changes while nobody does anything. */
const everyMs = 15_000;

export function Relays({ channel }: { readonly channel: RelayChannel }) {
  return (
    <RelayChannelContext value={channel}>
      <Lists />
    </RelayChannelContext>
  );
}

function Lists() {
  const app = useApp();
  const text = useRelayWords();
  const channel = useContext(RelayChannelContext);
  const ours = (items: readonly Relay[]) => items.filter((one) => one.channel === channel);
  const query = { limit: 100 };
  const own = useRead('listRelays', { path: { appId: app.id }, query }, { everyMs });
  const shared = useRead('listSharedRelays', { query }, { everyMs });
  return (
    <>
      <Section id="relays" title={text.title} intro={text.intro}>
        <Answer result={own} rows={3}>
          {({ items }) => (
            <>
              <Standings own={ours(items)} shared={ours(shared.data?.items ?? [])} />
              <All relays={ours(items)} />
            </>
          )}
        </Answer>
      </Section>
      <RelayOwnerContext value="org">
        <Section id="shared-relays" title={text.sharedTitle} intro={text.sharedIntro}>
          <Answer result={shared} rows={2}>
            {({ items }) => <All relays={ours(items)} />}
          </Answer>
        </Section>
      </RelayOwnerContext>
    </>
  );
}

function All({ relays }: { readonly relays: readonly Relay[] }) {
  const refused = useRefusal('admin');
  const owner = useRelayOwner();
  const text = useRelayWords();
  const isGateway = useContext(RelayChannelContext) === 'sms';
  const close = () => setAdding(false);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      {inOrder(relays).map((relay) => (
        <RelayCard key={relay.id} relay={relay} />
      ))}
      {isAdding ? (
        isGateway ? (
          <NewGateway onClose={close} />
        ) : (
          <NewRelay onClose={close} />
        )
      ) : (
        <div className="row">
          <Button icon="plus" refused={refused} onClick={() => setAdding(true)}>
            {owner === 'app' ? text.add : text.addShared}
          </Button>
        </div>
      )}
    </>
  );
}

/** An app with a relay of its own for a stream does not use the shared ones. */
function Standings({
  own,
  shared,
}: {
  readonly own: readonly Relay[];
  readonly shared: readonly Relay[];
}) {
  return streams.map((stream) => {
    const sending = sendingOf(own, stream) ?? sendingOf(shared, stream);
    return sending && <Standing key={stream} sending={sending} />;
  });
}

/** "SES became unreachable 5 minutes ago. Postmark sends." */
function Standing({ sending: { stream, by, out } }: { readonly sending: Sending }) {
  const text = useRelayWords();
  return (
    <p className="relay-standing">
      {out.map(({ id, name, health }) => (
        <span key={id}>
          {health.state !== 'ok' && (
            <>
              <strong>
                <bdi>{name}</bdi>
              </strong>{' '}
              {text.since[health.state]} {health.since !== null && <Time at={health.since} />}
              {'. '}
            </>
          )}
        </span>
      ))}
      {text.streamNames[stream]}: <bdi>{by?.name ?? text.serverRelay}</bdi> {text.sendsNow}
    </p>
  );
}
