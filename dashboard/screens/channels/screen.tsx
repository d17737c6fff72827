// Channels: a card for each, and a page for the one in the address.

import type { Channel } from '../../api/generated.ts';
import type { ScreenProps } from '../screen-props.ts';
import { ChannelCards } from './cards.tsx';
import { ChannelPage } from './channel-page.tsx';
import { channelIds } from './channels.ts';

export default function Channels({ rest }: ScreenProps) {
  const channel = channelIds.find((id) => id === rest[0]);
  return channel === undefined ? (
    <ChannelCards />
  ) : (
    <ChannelPage key={channel} channel={channel satisfies Channel} />
  );
}
