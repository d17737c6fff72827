// What happened to a message or a person, in the API's own words, in the order given.

import { entryKey } from '../api/entry-key.ts';
import type { StoryEntry } from '../api/generated.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icon-paths.ts';
import { StoryDetails, StoryLine } from './story-details.tsx';

const signs: Readonly<Record<StoryEntry['kind'], IconName>> = {
  event: 'events',
  send: 'send',
  attempt: 'refresh',
  receipt: 'check',
  journey: 'journeys',
  opt_out: 'suppressions',
  state: 'clock',
};

const bad = ['failed', 'bounced', 'bounced_later', 'suppressed', 'channel_refused'];

export function Story({ entries }: { readonly entries: readonly StoryEntry[] }) {
  return (
    <ol className="story">
      {numbered(entries).map(([key, entry]) => {
        const isBad = bad.includes(entry.code);
        return (
          <li key={key} className={classNames(`story-${entry.kind}`, isBad && 'bad')}>
            <span className="story-sign">
              <Icon name={isBad ? 'warning' : signs[entry.kind]} />
            </span>
            <div className="grow">
              <p>{entry.text}</p>
              <StoryLine entry={entry} />
              <StoryDetails entry={entry} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** With keys that stay while newer entries come before them: equal ones count from the oldest. */
function numbered(entries: readonly StoryEntry[]): readonly (readonly [string, StoryEntry])[] {
  const seen = new Map<string, number>();
  const keyed = entries.toReversed().map((entry): readonly [string, StoryEntry] => {
    const key = entryKey(entry);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return [`${key} ${nth}`, entry];
  });
  return keyed.toReversed();
}
