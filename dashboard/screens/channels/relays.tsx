// The relays of the app for one channel, and in short those that its org shares with it.

import { Link } from 'wouter';
import type { Relay } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { healthEveryMs } from '../../relays/health-every.ts';
import { RelayList } from '../../relays/relay-list.tsx';
import { RelayPlaceContext } from '../../relays/relay-owner.ts';
import { relayWords as text } from '../../relays/relay-words.ts';
import { SharedRelays } from '../../relays/shared-relays.tsx';
import { Standings } from '../../relays/standings.tsx';
import { appPath } from '../../ui/address.ts';
import { Answer, Note } from '../../ui/note.tsx';
import { Section } from '../../ui/section.tsx';

/** Gateways for texts are shown once there is one. */
export function Relays({ channel }: { readonly channel: Relay['channel'] }) {
  const app = useApp();
  const query = { limit: 100 };
  const everyMs = healthEveryMs;
  const own = useRead('listRelays', { path: { appId: app.id }, query }, { everyMs });
  const shared = useRead('listSharedRelays', { query }, { everyMs });
  const ofChannel = (relays: readonly Relay[] = []) =>
    relays.filter((one) => one.channel === channel);
  const theirs = ofChannel(shared.data?.items);
  const isShown = channel === 'email' || ofChannel(own.data?.items).length + theirs.length > 0;
  if (!isShown) return null;
  return (
    <RelayPlaceContext value={{ owner: 'app', channel }}>
      <Section id="relays" title={text.titleOf[channel]} intro={text.introOf[channel]}>
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
        {shared.error?.status === 403 ? (
          <Note>{text.otherKey}</Note>
        ) : (
          <Answer result={shared} rows={2}>
            {() => <SharedRelays relays={theirs} />}
          </Answer>
        )}
        {shared.error?.status !== 403 && (
          <p>
            <Link to={appPath('org', 'relays')}>{text.openShared}</Link>
          </p>
        )}
      </Section>
    </RelayPlaceContext>
  );
}
