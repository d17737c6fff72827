// The relays that the org shares with its apps and client workspaces, by channel.

import type { Relay } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { RelayList } from '../../relays/relay-list.tsx';
import { RelayPlaceContext } from '../../relays/relay-owner.ts';
import { relayWords, sharedWords } from '../../relays/relay-words.ts';
import { healthEveryMs, Standings } from '../../relays/standings.tsx';
import { Answer } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { Section } from '../../ui/section.tsx';

const channels = ['email', 'sms', 'voice'] as const satisfies readonly Relay['channel'][];

export default function OrgRelays() {
  const shared = useRead('listSharedRelays', { query: { limit: 100 } }, { everyMs: healthEveryMs });
  return (
    <>
      <ScreenHead title={sharedWords.title} />
      <div className="screen-body stack">
        <p className="soft readable">{sharedWords.intro}</p>
        <Answer result={shared} rows={6} toOtherKey={sharedWords.otherKey}>
          {({ items }) => channels.map((one) => <Channel key={one} channel={one} all={items} />)}
        </Answer>
      </div>
    </>
  );
}

function Channel({
  channel,
  all,
}: {
  readonly channel: Relay['channel'];
  readonly all: readonly Relay[];
}) {
  const relays = all.filter((one) => one.channel === channel);
  const text = relayWords[channel];
  return (
    <RelayPlaceContext value={{ owner: 'org', channel }}>
      <Section id={channel} title={text.channel} intro={text.orgIntro}>
        <Standings lists={[relays]} />
        <RelayList relays={relays} />
      </Section>
    </RelayPlaceContext>
  );
}
