// The relays that an org shares, as an app sees them: what they are and whether they work.

import type { Relay } from '../api/generated.ts';
import { Badge } from '../ui/badge.tsx';
import { kindLabel } from './relay-forms.ts';
import { useRelayPlace } from './relay-owner.ts';
import { inOrder } from './relay-standing.ts';
import { relayTones, relayWords as text } from './relay-words.ts';

export function SharedRelays({ relays }: { readonly relays: readonly Relay[] }) {
  const { channel } = useRelayPlace();
  if (relays.length === 0) return <p className="soft">{text.empty.shared}</p>;
  return (
    <ol className="relays">
      {inOrder(relays).map(({ id, name, kind, streams, enabled, health }) => (
        <li key={id} className="row">
          <strong className="relay-name">
            <bdi>{name}</bdi>
          </strong>
          <span className="soft">{kindLabel(kind)}</span>
          <Badge tone={enabled ? relayTones[health.state] : 'off'}>
            {enabled ? text.states[health.state] : text.off}
          </Badge>
          <span className="soft">{text.streamList(channel, streams)}</span>
        </li>
      ))}
    </ol>
  );
}
