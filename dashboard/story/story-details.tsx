// What stands below the sentence of a story's entry: when and where, what is next, what was
// checked.

import { useState } from 'react';
import { Link } from 'wouter';
import type { StoryEntry } from '../api/generated.ts';
import { useApp } from '../api/session-context.tsx';
import { appPath } from '../ui/address.ts';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { late } from '../ui/late.tsx';
import { Grey } from '../ui/note.tsx';
import { Time } from '../ui/time.tsx';
import { channelName } from '../words/channels.ts';
import { words } from '../words/en.ts';

const text = words.story;

const SentMessage = late(
  () => import('../preview/sent-message.tsx').then((file) => file.SentMessage),
  () => <Grey rows={8} />,
);

export function StoryLine({ entry }: { readonly entry: StoryEntry }) {
  return (
    <p className="story-line soft">
      <Time at={entry.at} />
      {entry.channel !== undefined && <span>{channelName(entry.channel)}</span>}
      {entry.title !== undefined && <span className="story-title">{entry.title}</span>}
      <Origin entry={entry} />
      {entry.test === true && <Badge tone="accent">{text.test}</Badge>}
    </p>
  );
}

function Origin({ entry }: { readonly entry: StoryEntry }) {
  const app = useApp();
  const { campaignId, campaignName, journeyId, journeyName, sendId } = entry;
  if (campaignId !== undefined)
    return campaignName === undefined ? (
      <span>{text.deletedCampaign}</span>
    ) : (
      <Link to={appPath(app.id, 'campaigns', campaignId)}>{campaignName}</Link>
    );
  if (journeyId !== undefined)
    return journeyName === undefined ? (
      <span>{text.deletedJourney}</span>
    ) : (
      <Link to={appPath(app.id, 'journeys', journeyId)}>{journeyName}</Link>
    );
  if (sendId !== undefined)
    return <Link to={appPath(app.id, 'activity', sendId)}>{text.send}</Link>;
  return null;
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
      {isCalledForMany(entry) && <Said sendId={entry.sendId} at={entry.at} />}
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

type Called = StoryEntry & { readonly sendId: string };

/** A send of a campaign or journey that reached a provider; others have a page of their own. */
function isCalledForMany(entry: StoryEntry): entry is Called {
  const { sendId, campaignId, journeyId, code } = entry;
  const isCalled = code === 'delivered' || code === 'bounced' || code === 'failed';
  return isCalled && sendId !== undefined && (campaignId ?? journeyId) !== undefined;
}

/** The message, drawn once somebody asks for it. */
function Said({ sendId, at }: { readonly sendId: string; readonly at: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="soft">{text.message}</summary>
      {isOpen && (
        <div className="story-message">
          <SentMessage sendId={sendId} at={at} />
        </div>
      )}
    </details>
  );
}
