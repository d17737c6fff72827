// What the cards and a channel's page read: credentials, sender, counts. Each may be refused or
// late without holding up the rest.

import type { Channel } from '../../api/generated.ts';
import { useLiveRead } from '../../api/live.ts';
import { useRead } from '../../api/queries.ts';
import { useApp, useSession } from '../../api/session-context.tsx';
import { type ChannelState, channelState } from './state.ts';

const healthDays = 7;

export function useChannels() {
  const { id: appId } = useApp();
  const { session } = useSession();
  const isAdmin = session.scopes.includes('admin');
  const credentials = useRead(
    'listCredentials',
    { path: { appId }, query: { limit: 100 } },
    { enabled: isAdmin },
  );
  const settings = useRead('readSettings', { path: { appId } });
  const health = useRead('readChannelHealth', { query: { appId, days: healthDays } });
  const standings = useLiveRead(
    appId,
    'listChannels',
    { path: { appId } },
    { topics: ['channels'], isLive: () => true },
  );
  const standingOf = (channel: Channel) =>
    standings.data?.items.find((one) => one.channel === channel);
  const email = settings.data?.email;
  const names = credentials.data?.items.map(({ channel }) => channel);
  const stateOf = (channel: Channel): ChannelState =>
    channelState(channel, {
      mode: session.mode,
      credentials: names,
      hasSender: email !== undefined && (email.fromAddress ?? email.platformAddress) !== null,
      counts: health.data?.channels[channel],
      standing: standingOf(channel)?.state,
    });
  return { credentials, settings, health, standingOf, stateOf, isAdmin };
}
