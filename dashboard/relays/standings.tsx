// Which relay sends each stream now, in one sentence, and why the ones before it do not.

import type { Relay } from '../api/generated.ts';
import { Time } from '../ui/time.tsx';
import { isUsedUp, type Sending, sendingOf, streams } from './relay-standing.ts';
import { useRelayWords } from './relay-words.ts';

/** Health changes while nobody does anything; a list that is refused stays refused. */
export function healthEveryMs(answer: object | undefined): number | false {
  return answer === undefined ? false : 15_000;
}

/** `lists`: the first that has a relay of the stream counts, as for the server. */
export function Standings({ lists }: { readonly lists: readonly (readonly Relay[])[] }) {
  return streams.map((stream) => {
    for (const relays of lists) {
      const sending = sendingOf(relays, stream);
      if (sending !== undefined) return <Standing key={stream} sending={sending} />;
    }
    return null;
  });
}

/** "SES became unreachable 5 minutes ago. Postmark sends." */
function Standing({ sending: { stream, by, out } }: { readonly sending: Sending }) {
  const text = useRelayWords();
  return (
    <p className="relay-standing">
      {out.map((relay) => (
        <Out key={relay.id} relay={relay} />
      ))}
      {text.streamNames[stream]}: {by === undefined ? text.otherWay : <bdi>{by.name}</bdi>}{' '}
      {by !== undefined && text.sendsNow}
    </p>
  );
}

function Out({ relay }: { readonly relay: Relay }) {
  const text = useRelayWords();
  const { name, health } = relay;
  return (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      {isUsedUp(relay) || health.state === 'ok' ? (
        text.dayUsed
      ) : (
        <>
          {text.since[health.state]} {health.since !== null && <Time at={health.since} />}
        </>
      )}
      {'. '}
    </>
  );
}
