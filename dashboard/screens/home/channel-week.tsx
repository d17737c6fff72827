// What became of the last seven days' messages, by channel.

import { useLiveRead } from '../../api/live.ts';
import { ChannelHealth } from '../../kit/channel-health.tsx';
import { words } from './words.ts';

export function ChannelWeek({ appId }: { readonly appId: string }) {
  const health = useLiveRead(
    appId,
    'readChannelHealth',
    { query: { appId, days: 7 } },
    { topics: ['limits', 'newest-event'], isLive: () => true },
  );
  return (
    <section aria-labelledby="week" className="stack-tight">
      <h2 id="week">{words.week}</h2>
      <ChannelHealth result={health} rows={3} none={<p className="soft">{words.none}</p>} />
    </section>
  );
}
