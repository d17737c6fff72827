// One send: its outcome on each device, and the story behind it.

import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { appPath } from '../../frame/address.ts';
import { useApp } from '../../frame/session-context.tsx';
import { Story } from '../../story/story.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Copyable } from '../../ui/code.tsx';
import { Facts } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { Time } from '../../ui/time.tsx';
import { outcomeTones, outcomeWords } from '../../words/outcomes.ts';
import { reasonWords } from '../../words/reasons.ts';
import { words } from './words.ts';

const whileOpenMs = 3_000;

export function OneSend({ id }: { readonly id: string }) {
  const app = useApp();
  const send = useRead(
    'readNotification',
    { path: { appId: app.id, id }, query: { story: 'true' } },
    { everyMs: whileOpenMs },
  );
  const story = send.data?.story ?? [];
  const person = story.find(({ kind }) => kind === 'send');
  return (
    <>
      <ScreenHead
        title={words.one}
        crumb={{ to: appPath(app.id, 'activity'), label: words.title }}
        aside={
          send.data && (
            <Badge tone={outcomeTones[send.data.status]}>{outcomeWords[send.data.status]}</Badge>
          )
        }
      />
      <div className="screen-body">
        <Answer result={send}>
          {({ outcomes, test }) => (
            <div className="split">
              <section className="card" aria-labelledby="story">
                <div className="card-head">
                  <h2 id="story">{words.story}</h2>
                </div>
                <div className="card-body">
                  {story.length === 0 ? (
                    <p className="soft">{words.noStory}</p>
                  ) : (
                    <Story entries={story} />
                  )}
                </div>
              </section>
              <section className="card" aria-labelledby="facts">
                <div className="card-head">
                  <h2 id="facts">{words.facts}</h2>
                </div>
                <div className="card-body stack">
                  <Facts
                    items={[
                      [words.id, <Copyable key="id" text={id} />],
                      ...(test === true ? [[words.test, words.yes] as const] : []),
                      ...(person?.messageId === undefined
                        ? []
                        : [
                            [
                              words.message,
                              <Link key="m" to={appPath(app.id, 'messages', person.messageId)}>
                                {person.messageId}
                              </Link>,
                            ] as const,
                          ]),
                    ]}
                  />
                  {outcomes.map((one, at) => (
                    <Facts
                      key={one.deviceId ?? at}
                      items={[
                        [words.channel, one.channel ?? '–'],
                        [
                          words.status,
                          <Badge key="o" tone={outcomeTones[one.status]}>
                            {outcomeWords[one.status]}
                          </Badge>,
                        ],
                        ...(one.reason === undefined
                          ? []
                          : [[words.reason, reasonWords(one.reason)] as const]),
                        [words.attempts, String(one.attempts)],
                        [words.when, <Time key="t" at={one.at} />],
                        ...(one.providerMessageId === undefined
                          ? []
                          : [
                              [
                                words.providerId,
                                <Copyable key="p" text={one.providerMessageId} />,
                              ] as const,
                            ]),
                      ]}
                    />
                  ))}
                </div>
              </section>
            </div>
          )}
        </Answer>
      </div>
    </>
  );
}
