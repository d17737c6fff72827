// A person's story, newest first: what they did, what was sent, what became of it and why.

import type { Subscriber } from '../../../api/generated.ts';
import { useApp } from '../../../api/session-context.tsx';
import { Story } from '../../../story/story.tsx';
import { useQueryParam } from '../../../ui/address.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectBox } from '../../../ui/choices.tsx';
import { Empty, ErrorNote, Grey } from '../../../ui/note.tsx';
import { useStory } from './use-story.ts';
import { words } from './words.ts';

const everything = 'all';
const kinds = Object.keys(words.kindNames).filter((kind) => kind !== 'state');

export function PersonStory({ person }: { readonly person: Subscriber }) {
  const app = useApp();
  const [kindText, setKind] = useQueryParam('kind');
  const story = useStory(person.id);
  const kind = kinds.find((one) => one === kindText);
  const entries = story.items?.filter((entry) => kind === undefined || entry.kind === kind);
  return (
    <section className="card" aria-label={words.story}>
      <div className="card-head">
        <h2>{words.story}</h2>
        <SelectBox
          isAuto
          label={words.kinds}
          value={kind ?? everything}
          choices={[
            { value: everything, label: words.all },
            ...kinds.map((one) => ({ value: one, label: words.kindNames[one] ?? one })),
          ]}
          onChange={(next) => setKind(next === everything ? undefined : next)}
        />
      </div>
      {story.error !== undefined && story.items === undefined && (
        <ErrorNote error={story.error} onAgain={story.again} />
      )}
      {story.isLoading && (
        <div className="card-body">
          <Grey rows={8} />
        </div>
      )}
      {story.now.length > 0 && (
        <div className="story-now">
          <h3>{words.now}</h3>
          <Story entries={story.now} />
        </div>
      )}
      {story.items?.length === 0 && (
        <Empty icon="activity" title={words.storyEmpty} curl={trackLine(app.id, person)}>
          {words.storyEmptyText}
        </Empty>
      )}
      {entries?.length === 0 && story.items?.length !== 0 && (
        <p className="card-body soft">{words.storyFiltered}</p>
      )}
      {entries !== undefined && entries.length > 0 && (
        <div className="card-body">
          <Story entries={entries} />
        </div>
      )}
      {story.hasMore && (
        <div className="card-body">
          <Button onClick={story.more}>{words.older}</Button>
        </div>
      )}
    </section>
  );
}

/** A command that makes the first entry. */
function trackLine(appId: string, { externalUserId, id }: Subscriber): string {
  const who = externalUserId === null ? { subscriberId: id } : { externalUserId };
  const body = JSON.stringify({ appId, events: [{ name: 'order', ...who }] });
  return `curl -X POST ${location.origin}/e -H "content-type: application/json" -d '${body}'`;
}
