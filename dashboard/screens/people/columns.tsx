// The columns of the table of people: the fixed ones, and a column for each chosen tag.

import type { Channel, Subscriber } from '../../api/generated.ts';
import { PersonName } from '../../person/person-name.tsx';
import { bestAddress } from '../../person/person-ref.ts';
import { Chip } from '../../ui/badge.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { channelName } from '../../words/channels.ts';
import { tagText } from './tag-text.ts';
import { words } from './words.ts';

const chipsMax = 3;

export function peopleColumns(tags: readonly string[]): readonly Column<Subscriber>[] {
  return [
    {
      id: 'who',
      head: words.who,
      width: 'minmax(120px, 1fr)',
      cell: (one) => <PersonName person={one} />,
      narrow: 'title',
    },
    {
      id: 'address',
      head: words.address,
      width: 'minmax(0, 1.2fr)',
      cell: (one) => <span className="soft">{bestAddress(one)}</span>,
    },
    {
      id: 'channels',
      head: words.channels,
      width: 'minmax(0, 1.4fr)',
      cell: (one) => <Reachable person={one} />,
      narrow: 'sub',
    },
    ...tags.map(
      (tag): Column<Subscriber> => ({
        id: `tag ${tag}`,
        head: tag,
        width: 'minmax(60px, 0.8fr)',
        cell: ({ tags: own }) => tagText(own[tag]),
      }),
    ),
    {
      id: 'active',
      head: words.lastActive,
      width: '112px',
      cell: ({ lastActiveAt }) =>
        lastActiveAt === null ? (
          <span className="soft">{words.never}</span>
        ) : (
          <Time at={lastActiveAt} />
        ),
      narrow: 'side',
    },
    {
      id: 'created',
      head: words.created,
      width: '100px',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ];
}

function Reachable({ person }: { readonly person: Subscriber }) {
  const channels = [
    ...new Set<Channel>(
      person.devices.filter(({ reachable }) => reachable).map(({ channel }) => channel),
    ),
  ];
  if (channels.length === 0) return <span className="soft">{words.none}</span>;
  return (
    <span className="chips">
      {channels.slice(0, chipsMax).map((channel) => (
        <Chip key={channel}>{channelName(channel)}</Chip>
      ))}
      {channels.length > chipsMax && (
        <span className="soft">{words.more(channels.length - chipsMax)}</span>
      )}
    </span>
  );
}
