// One entry of a story: a sign of its kind, the sentence, when, and what is behind it.

import { Link } from 'wouter';
import type { StoryEntry } from '../../../api/generated.ts';
import { appPath } from '../../../frame/address.ts';
import { useApp } from '../../../frame/session-context.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Time } from '../../../ui/time.tsx';
import { channelName } from '../../../words/channels.ts';
import { words } from './words.ts';

const signs: Readonly<Record<StoryEntry['kind'], IconName>> = {
  event: 'events',
  send: 'send',
  attempt: 'refresh',
  receipt: 'check',
  journey: 'journeys',
  opt_out: 'suppressions',
  state: 'info',
};

const bad = ['failed', 'bounced', 'bounced_later', 'suppressed', 'channel_refused'];

export function StoryItem({ entry }: { readonly entry: StoryEntry }) {
  const isBad = bad.includes(entry.code);
  const hasMore =
    entry.checks !== undefined || entry.detail !== undefined || entry.dropped !== undefined;
  return (
    <li className={`story-item ${isBad ? 'bad' : ''}`}>
      <span className="story-sign">
        <Icon name={isBad ? 'warning' : signs[entry.kind]} />
      </span>
      <div className="grow">
        <p>
          {entry.text} {entry.test === true && <Badge tone="accent">{words.test}</Badge>}
        </p>
        <p className="story-line soft">
          <Time at={entry.at} />
          {entry.channel !== undefined && <span>{channelName(entry.channel)}</span>}
          <Origin entry={entry} />
        </p>
        {entry.next !== undefined && (
          <p className="story-next">
            <Icon name="clock" />
            <span>
              {words.next}: {entry.next.text} {entry.next.at && <Time at={entry.next.at} />}
            </span>
          </p>
        )}
        {hasMore && <More entry={entry} />}
      </div>
    </li>
  );
}

function Origin({ entry }: { readonly entry: StoryEntry }) {
  const app = useApp();
  if (entry.campaignId !== undefined)
    return <Link to={appPath(app.id, 'campaigns', entry.campaignId)}>{words.campaign}</Link>;
  if (entry.journeyId !== undefined)
    return <Link to={appPath(app.id, 'journeys', entry.journeyId)}>{words.journey}</Link>;
  if (entry.sendId !== undefined)
    return <Link to={appPath(app.id, 'activity', entry.sendId)}>{words.message}</Link>;
  return null;
}

function More({ entry }: { readonly entry: StoryEntry }) {
  return (
    <details className="story-more">
      <summary>{entry.checks === undefined ? words.provider : words.checks}</summary>
      <ul>
        {entry.checks?.map(({ check, passed, text }) => (
          <li key={check}>
            <Icon name={passed ? 'check' : 'close'} />
            <span className="sr-only">{passed ? words.passed : words.failed}</span>
            {text}
          </li>
        ))}
        {entry.dropped?.map(({ field, why }) => (
          <li key={field}>
            <Icon name="minus" />
            {words.dropped(field, why)}
          </li>
        ))}
      </ul>
      {entry.detail !== undefined && (
        <p>
          {words.provider}: <code>{entry.detail}</code>
        </p>
      )}
    </details>
  );
}
