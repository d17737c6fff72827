// Relays of the app, or those that its org shares: which one sends now, and each of them.

import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Answer } from '../../ui/note.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { RelayCard } from './relay-card.tsx';
import { NewRelay } from './relay-editor.tsx';
import type { Relay } from './relay-forms.ts';
import { inOrder, type Sending, sendingOf, streams } from './relay-standing.ts';
import { relayWords as text } from './relay-words.ts';

/** Health changes while nobody does anything. */
const everyMs = 15_000;

export function AppRelays() {
  const app = useApp();
  const relays = useRead(
    'listRelays',
    { path: { appId: app.id }, query: { limit: 100 } },
    { everyMs },
  );
  return (
    <Section id="relays" title={text.title} intro={text.intro}>
      <Answer result={relays} rows={3}>
        {({ items }) => <All relays={items} />}
      </Answer>
    </Section>
  );
}

function All({ relays }: { readonly relays: readonly Relay[] }) {
  const refused = useRefusal('admin');
  const [isAdding, setAdding] = useState(false);
  const sending = streams.flatMap((stream) => sendingOf(relays, stream) ?? []);
  return (
    <>
      {sending.map((one) => (
        <Standing key={one.stream} sending={one} />
      ))}
      {inOrder(relays).map((relay) => (
        <RelayCard key={relay.id} relay={relay} />
      ))}
      {isAdding ? (
        <NewRelay onClose={() => setAdding(false)} />
      ) : (
        <div className="row">
          <Button icon="plus" refused={refused} onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        </div>
      )}
    </>
  );
}

/** "SES is unreachable since 14:02. Postmark sends." */
function Standing({ sending: { stream, by, out } }: { readonly sending: Sending }) {
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
