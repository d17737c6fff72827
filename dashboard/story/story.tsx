// What happened to a message or a person, in the API's own words, oldest or newest first.

import type { StoryEntry } from '../api/generated.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/en.ts';

const signs: Readonly<Record<StoryEntry['kind'], IconName>> = {
  event: 'events',
  send: 'send',
  attempt: 'refresh',
  receipt: 'check',
  journey: 'journeys',
  opt_out: 'suppressions',
  state: 'clock',
};

export function Story({ entries }: { readonly entries: readonly StoryEntry[] }) {
  return (
    <ol className="story">
      {entries.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added, and some are alike
        <li key={`${entry.at} ${entry.code} ${at}`} className={`story-${entry.kind}`}>
          <span className="story-sign">
            <Icon name={signs[entry.kind]} />
          </span>
          <div className="grow">
            <div className="row-between">
              <span>{entry.text}</span>
              <span className="soft">
                <Time at={entry.at} />
              </span>
            </div>
            {entry.detail !== undefined && <p className="soft">{entry.detail}</p>}
            {entry.next !== undefined && (
              <p className="soft">
                {words.story.next} {entry.next.text}{' '}
                {entry.next.at !== undefined && <Time at={entry.next.at} />}
              </p>
            )}
            {entry.checks !== undefined && entry.checks.length > 0 && (
              <details>
                <summary>{words.story.checks}</summary>
                <ul className="story-checks">
                  {entry.checks.map(({ check, passed, text }) => (
                    <li key={check}>
                      <Icon name={passed ? 'check' : 'close'} />
                      <span className="sr-only">
                        {passed ? words.story.passed : words.story.stopped}
                      </span>
                      {text}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
