// What stands below the sentence of a story's entry: when and where, what is next, what was checked.

import { Link } from 'wouter';
import type { StoryEntry } from '../api/generated.ts';
import { useRead } from '../api/queries.ts';
import { appPath } from '../frame/address.ts';
import { useApp } from '../frame/session-context.tsx';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { channelName } from '../words/channels.ts';
import { words } from '../words/en.ts';

const text = words.story;

export function StoryLine({ entry }: { readonly entry: StoryEntry }) {
  return (
    <p className="story-line soft">
      <Time at={entry.at} />
      {entry.channel !== undefined && <span>{channelName(entry.channel)}</span>}
      <Origin entry={entry} />
      {entry.test === true && <Badge tone="accent">{text.test}</Badge>}
    </p>
  );
}

function Origin({ entry }: { readonly entry: StoryEntry }) {
  const app = useApp();
  if (entry.campaignId !== undefined) return <CampaignLink appId={app.id} id={entry.campaignId} />;
  if (entry.journeyId !== undefined) return <JourneyLink appId={app.id} id={entry.journeyId} />;
  if (entry.sendId !== undefined)
    return <Link to={appPath(app.id, 'activity', entry.sendId)}>{text.send}</Link>;
  return null;
}

interface Named {
  readonly appId: string;
  readonly id: string;
}

function CampaignLink({ appId, id }: Named) {
  const { data } = useRead('readCampaignOfApp', { path: { appId, id } });
  return <Link to={appPath(appId, 'campaigns', id)}>{text.campaign(data?.name)}</Link>;
}

function JourneyLink({ appId, id }: Named) {
  const { data } = useRead('readJourney', { path: { appId, id } });
  return <Link to={appPath(appId, 'journeys', id)}>{text.journey(data?.name)}</Link>;
}

export function StoryDetails({ entry }: { readonly entry: StoryEntry }) {
  const { next, checks = [], dropped = [], detail } = entry;
  return (
    <>
      {detail !== undefined && (
        <p className="soft">
          {text.provider} <code>{detail}</code>
        </p>
      )}
      {dropped.map(({ field, why }) => (
        <p key={field} className="soft">
          {text.dropped(field, why)}
        </p>
      ))}
      {next !== undefined && (
        <p className="story-next">
          <Icon name="clock" />
          <span>
            {text.next}{' '}
            {next.at === undefined ? (
              next.text
            ) : (
              <>
                {text.beforeTime(next.text)} (<Time at={next.at} />
                ).
              </>
            )}
          </span>
        </p>
      )}
      {checks.length > 0 && (
        <details>
          <summary className="soft">{text.checks}</summary>
          <ul className="story-checks">
            {checks.map(({ check, passed, text: sentence }) => (
              <li key={check}>
                <Icon name={passed ? 'check' : 'close'} />
                <span className="sr-only">{passed ? text.passed : text.stopped}</span>
                {sentence}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
