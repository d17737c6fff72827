// Since when a provider, or domains alone, have asked for fewer messages, and when the next try is.

import type { ChannelState } from '../../api/generated.ts';
import { useNow } from '../../ui/time.tsx';
import { slowedDown } from '../../words/slowed-down.ts';
import { words } from './words.ts';

const domainsShown = 3;

export function SlowedDown({ standing }: { readonly standing: ChannelState }) {
  const nowMs = useNow();
  const { channel, domains } = standing;
  const by = channel === 'email' ? words.relay : words.provider;
  const shown = domains.slice(0, domainsShown);
  return (
    <>
      {standing.since !== null && (
        <p className="slowed-down">{slowedDown(words.slowedBy(by), standing, nowMs)}</p>
      )}
      {shown.map((one) => (
        <p key={one.domain} className="slowed-down">
          {slowedDown(words.slowedBy(one.domain), one, nowMs)}
        </p>
      ))}
      {domains.length > shown.length && (
        <p className="slowed-down">{words.moreDomains(domains.length - shown.length)}</p>
      )}
    </>
  );
}
