// A card for each channel: whether it can send, and what became of its sends lately.

import { Link } from 'wouter';
import type { Channel, ChannelState as Standing } from '../../api/generated.ts';
import { useApp, useSession } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Bar } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNote, Grey, Note } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { channelIds } from './channels.ts';
import { SlowedDown } from './slowed-down.tsx';
import { type ChannelState, toneOf } from './state.ts';
import { useChannels } from './use-channels.ts';
import { words } from './words.ts';

type Health = ReturnType<typeof useChannels>['health']['data'];

/** What needs a person comes first, what is not used last. */
const order: readonly ChannelState[] = [
  'refused',
  'unreachable',
  'failing',
  'slowed',
  'ready',
  'sandbox',
  'unknown',
  'missing',
];

export function ChannelCards() {
  const { session } = useSession();
  const { credentials, settings, health, stateOf, standingOf } = useChannels();
  const error = credentials.error ?? settings.error ?? health.error;
  const isLoading = settings.isPending || (credentials.isPending && credentials.isFetching);
  const sorted = channelIds.toSorted(
    (one, other) => order.indexOf(stateOf(one)) - order.indexOf(stateOf(other)),
  );
  return (
    <>
      <ScreenHead title={words.title} />
      <div className="screen-body stack">
        <p className="soft">{words.intro}</p>
        {session.mode === 'sandbox' && <Note>{words.sandboxNote}</Note>}
        {error !== undefined && <ErrorNote error={error} onAgain={() => void settings.refetch()} />}
        {isLoading ? (
          <Grey rows={10} />
        ) : (
          <ul className="channel-cards">
            {sorted.map((channel) => (
              <Card
                key={channel}
                channel={channel}
                state={stateOf(channel)}
                standing={standingOf(channel)}
                health={health.data}
              />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

function Card({
  channel,
  state,
  standing,
  health,
}: {
  readonly channel: Channel;
  readonly state: ChannelState;
  readonly standing: Standing | undefined;
  readonly health: Health;
}) {
  const app = useApp();
  const { name, by } = words.channels[channel];
  const counts = health?.channels[channel];
  const all = counts === undefined ? 0 : counts.delivered + counts.bounced + counts.failed;
  return (
    <li className="card channel-card">
      <div className="row-between">
        <Link to={appPath(app.id, 'channels', channel)} className="channel-name">
          {name}
          <Icon name="right" />
        </Link>
        <Badge tone={toneOf[state]}>{words.states[state]}</Badge>
      </div>
      <p className="soft">{by}</p>
      {standing !== undefined && <SlowedDown standing={standing} />}
      <div className="channel-counts">
        {counts !== undefined && all > 0 && (
          <Bar label={words.health.delivered} part={counts.delivered} all={all} tone="good" />
        )}
        <p className="field-hint">
          {health === undefined ? '\u00a0' : all === 0 ? words.noSends : words.delivered(all)}
          {counts !== undefined && counts.failed > 0 && (
            <strong className="channel-failed"> {words.failed(counts.failed)}</strong>
          )}
        </p>
      </div>
    </li>
  );
}
