// The relays of the app for one channel, and in short those that its org shares with it.

import { Link } from 'wouter';
import type { Relay } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { RelayList } from '../../relays/relay-list.tsx';
import { RelayPlaceContext } from '../../relays/relay-owner.ts';
import { relayWords, sharedWords } from '../../relays/relay-words.ts';
import { SharedRelays } from '../../relays/shared-relays.tsx';
import { healthEveryMs, Standings } from '../../relays/standings.tsx';
import { appPath } from '../../ui/address.ts';
import { Answer } from '../../ui/note.tsx';
import { Section } from '../../ui/section.tsx';

export function Relays({ channel }: { readonly channel: Relay['channel'] }) {
  const app = useApp();
  const text = relayWords[channel];
  const query = { limit: 100 };
  const everyMs = healthEveryMs;
  const own = useRead('listRelays', { path: { appId: app.id }, query }, { everyMs });
  const shared = useRead('listSharedRelays', { query }, { everyMs });
  const ofChannel = (relays: readonly Relay[] = []) =>
    relays.filter((one) => one.channel === channel);
  const theirs = ofChannel(shared.data?.items);
  return (
    <RelayPlaceContext value={{ owner: 'app', channel }}>
      <Section id="relays" title={text.title} intro={text.intro}>
        <Answer result={own} rows={3}>
          {({ items }) => (
            <>
              <Standings lists={[ofChannel(items), theirs]} />
              <RelayList relays={ofChannel(items)} />
            </>
          )}
        </Answer>
      </Section>
      <Section id="shared-relays" title={text.sharedTitle} intro={text.sharedIntro}>
        <Answer result={shared} rows={2} toOtherKey={sharedWords.otherKey}>
          {() => (
            <>
              <SharedRelays relays={theirs} />
              <p>
                <Link to={appPath('org', 'relays')}>{sharedWords.open}</Link>
              </p>
            </>
          )}
        </Answer>
      </Section>
    </RelayPlaceContext>
  );
}
