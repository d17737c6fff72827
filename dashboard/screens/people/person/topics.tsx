// What a person wants messages about, by choice or by default, and the language they read. A call
// of the dashboard counts as confirmed, so it asks before it says so for the person.

import { useState } from 'react';
import { Link } from 'wouter';
import type { Preferences, Subscriber, Topic } from '../../../api/generated.ts';
import { useAct, useRead } from '../../../api/queries.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { personName } from '../../../person/person-ref.ts';
import { appPath } from '../../../ui/address.ts';
import { SelectBox } from '../../../ui/choices.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/figure.tsx';
import { Answer, Note } from '../../../ui/note.tsx';
import { keyPlace } from '../../../ui/thing-key.ts';
import { useAppTopics } from '../../../ui/topic-box.tsx';
import { channelName } from '../../../words/channels.ts';
import { InPlace } from './in-place.tsx';
import { words } from './words.ts';

type Choice = Preferences['topics'][string] | 'none';

export function TopicChoices({ person }: { readonly person: Subscriber }) {
  const app = useApp();
  const path = { appId: app.id, id: person.id };
  const read = useRead('readPreferences', { path });
  return (
    <section className="card card-body stack-tight">
      <h2>{words.topics}</h2>
      <Answer result={read} rows={3}>
        {(preferences) => (
          <>
            <Choices person={person} preferences={preferences} />
            <Facts
              items={[
                [
                  words.language,
                  <Language key="language" person={person} preferences={preferences} />,
                ],
                ...(preferences.suppressed.length === 0
                  ? []
                  : [
                      [
                        words.suppressedOn,
                        preferences.suppressed.map(channelName).join(', '),
                      ] as const,
                    ]),
              ]}
            />
          </>
        )}
      </Answer>
    </section>
  );
}

function Choices({
  person,
  preferences,
}: {
  readonly person: Subscriber;
  readonly preferences: Preferences;
}) {
  const app = useApp();
  const [asked, setAsked] = useState<Topic>();
  const act = useAct('setPreferences');
  // Of its own: a save that is still under way must not close the question about another topic.
  const agreed = useAct('setPreferences');
  const change = (key: string, choice: Choice) => ({
    path: { appId: app.id, id: person.id },
    body: { topics: { [key]: choice === 'none' ? null : choice } },
  });
  return (
    <Answer result={useAppTopics()} rows={2}>
      {({ items }) => (
        <>
          {items.length === 0 && (
            <p className="soft">
              {words.noTopics}{' '}
              <Link to={appPath(app.id, 'topics', 'new')}>{words.createTopic}</Link>
            </p>
          )}
          <ul className="topic-choices">
            {items.map((topic) => (
              <TopicRow
                key={topic.key}
                topic={topic}
                holds={preferences.topics[topic.key] ?? topic.default}
                isChosen={Object.hasOwn(person.tags, `topic.${topic.key}`)}
                onChange={(choice) =>
                  choice === 'in' && topic.doubleOptIn
                    ? setAsked(topic)
                    : act.mutate(change(topic.key, choice))
                }
              />
            ))}
          </ul>
          {act.error !== undefined && <Note tone="bad">{act.error.message}</Note>}
          <Confirm
            isOpen={asked !== undefined}
            title={words.confirmTitle(personName(person), asked?.name ?? '')}
            action={words.confirmAct}
            isBusy={agreed.isPending}
            error={agreed.error?.message}
            onClose={() => setAsked(undefined)}
            onConfirm={() =>
              asked !== undefined &&
              agreed.mutate(change(asked.key, 'in'), { onSuccess: () => setAsked(undefined) })
            }
          >
            {words.confirmText}
          </Confirm>
        </>
      )}
    </Answer>
  );
}

function TopicRow({
  topic,
  holds,
  isChosen,
  onChange,
}: {
  readonly topic: Topic;
  readonly holds: Preferences['topics'][string];
  /** Not by the default. */
  readonly isChosen: boolean;
  readonly onChange: (choice: Choice) => void;
}) {
  const app = useApp();
  const refused = useRefusal('write');
  const { key, name } = topic;
  const choices = [
    { value: 'in', label: words.choices.in },
    { value: 'out', label: words.choices.out },
    { value: 'none', label: words.choices.none[topic.default] },
    ...(holds === 'pending' ? [{ value: 'pending', label: words.choices.pending } as const] : []),
  ] as const;
  const value: Choice = isChosen ? holds : 'none';
  return (
    <li>
      <Link to={appPath(app.id, ...keyPlace('topics', key))}>{name}</Link>
      {refused === undefined ? (
        <SelectBox<Choice>
          isAuto
          label={words.choiceOf(name)}
          choices={choices}
          value={value}
          onChange={onChange}
        />
      ) : (
        <span>{choices.find((one) => one.value === value)?.label}</span>
      )}
    </li>
  );
}

function Language({
  person,
  preferences,
}: {
  readonly person: Subscriber;
  readonly preferences: Preferences;
}) {
  const app = useApp();
  const refused = useRefusal('write');
  const act = useAct('setPreferences');
  return (
    <InPlace
      value={preferences.language}
      none={words.noLanguage}
      base={undefined}
      label={words.languageLabel}
      editLabel={words.editLanguage}
      suggestions={languages}
      refused={refused}
      error={act.error?.message}
      isBusy={act.isPending}
      onSave={(language, _base, onDone) =>
        act.mutate(
          { path: { appId: app.id, id: person.id }, body: { language } },
          { onSuccess: onDone },
        )
      }
    />
  );
}

const names = new Intl.DisplayNames('en', { type: 'language' });
const languages = 'ar de en en-GB es es-MX fr hi id it ja ko nl pl pt-BR ru th tr uk vi zh'
  .split(' ')
  .map((value) => ({ value, label: value, hint: names.of(value) ?? value }));
