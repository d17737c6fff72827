// Beside one topic: how many people it reaches, each number a way to them, and the same as a call.

import { Link } from 'wouter';
import type { Topic } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { CodeLine } from '../../ui/code.tsx';
import { count, Facts } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { words } from './words.ts';

export function TopicAside({
  saved,
  typedKey,
}: {
  readonly saved: Topic | undefined;
  readonly typedKey: string;
}) {
  const { snippet } = words;
  return (
    <div className="stack">
      {saved !== undefined && <PeopleOf topic={saved} />}
      <section className="card">
        <h2 className="card-head">{snippet.title}</h2>
        <div className="card-body stack-tight">
          <p className="soft">{snippet.text}</p>
          <CodeLine text={choiceCurl(useApp().id, saved?.key ?? (typedKey.trim() || 'news'))} />
        </div>
      </section>
    </div>
  );
}

function choiceCurl(appId: string, key: string): string {
  return [
    `curl -X PUT ${location.origin}/v1/apps/${appId}/subscribers/external:customer-42/preferences`,
    '  -H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json"',
    `  -d '{"topics": {"${key}": "in"}}'`,
  ].join(' \\\n');
}

function PeopleOf({ topic }: { readonly topic: Topic }) {
  const app = useApp();
  // Not from the draft's version: choices come in while it is edited.
  const now = useRead('readTopic', { path: { appId: app.id, key: topic.key } }).data ?? topic;
  const all = useRead('listSubscribers', { path: { appId: app.id }, query: { limit: 1 } });
  const { people } = now;
  const chosen = (choice: keyof typeof people) => (
    <ChoiceLink topic={topic.key} choice={choice} people={people[choice]} />
  );
  return (
    <section className="card">
      <h2 className="card-head">{words.people.title}</h2>
      <div className="card-body stack-tight">
        <Answer result={all} rows={4}>
          {({ total }) => {
            const rest = Math.max(0, (total ?? 0) - people.in - people.out - people.pending);
            return (
              <>
                <Facts
                  items={[
                    [words.people.in, chosen('in')],
                    [words.people.out, chosen('out')],
                    [words.people.pending, chosen('pending')],
                    [words.people.rest[now.default], count(rest)],
                  ]}
                />
                <p className="soft">
                  {words.people.all(people.in + (now.default === 'in' ? rest : 0))}
                </p>
              </>
            );
          }}
        </Answer>
      </div>
    </section>
  );
}

function ChoiceLink({
  topic,
  choice,
  people,
}: {
  readonly topic: string;
  readonly choice: 'in' | 'out' | 'pending';
  readonly people: number;
}) {
  const app = useApp();
  if (people === 0) return count(people);
  const filter = JSON.stringify({ tag: `topic.${topic}`, eq: choice });
  return <Link to={withParams(appPath(app.id, 'people'), { filter })}>{count(people)}</Link>;
}
