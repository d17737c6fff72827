// The relays that an org shares, as an app sees them: what they are and whether they work.

import type { Relay } from '../api/generated.ts';
import { Badge } from '../ui/badge.tsx';
import { kindLabel } from './relay-forms.ts';
import { inOrder } from './relay-standing.ts';
import { relayTones, streamList, useRelayWords } from './relay-words.ts';

export function SharedRelays({ relays }: { readonly relays: readonly Relay[] }) {
  const text = useRelayWords();
  if (relays.length === 0) return <p className="soft">{text.nothingShared}</p>;
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
          <span className="soft">{streamList(text, streams)}</span>
        </li>
      ))}
    </ol>
  );
}
