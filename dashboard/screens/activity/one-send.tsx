// The page of one send: its message and recipient, the outcome on each device, and its story.

import { useLiveRead } from '../../api/live.ts';
import { storyOfSend } from '../../api/send-story.ts';
import { useApp } from '../../api/session-context.tsx';
import { Story } from '../../story/story.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { late } from '../../ui/late.tsx';
import { Answer, Grey } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { outcomeTones, outcomeWords } from '../../words/outcomes.ts';
import { RedriveSend } from './redrive-send.tsx';
import { SendFacts } from './send-facts.tsx';
import { words } from './words.ts';

const SentMessage = late(
  () => import('../../preview/sent-message.tsx').then((file) => file.SentMessage),
  () => <Grey rows={8} />,
);

export function OneSend({ id }: { readonly id: string }) {
  const app = useApp();
  const send = useLiveRead(
    app.id,
    'readNotification',
    storyOfSend(app.id, id),
    // Receipts may follow for a while; a bounce comes late.
    { topics: [`send:${id}`], isLive: () => true },
  );
  return (
    <>
      <ScreenHead
        title={send.data?.title ?? words.one}
        crumb={{ to: appPath(app.id, 'activity'), label: words.title }}
        aside={
          send.data && (
            <Badge tone={outcomeTones[send.data.status]}>{outcomeWords[send.data.status]}</Badge>
          )
        }
        actions={send.data && send.data.failures.open > 0 && <RedriveSend send={send.data} />}
      />
      <div className="screen-body">
        <Answer result={send}>
          {(found) => (
            <div className="split one-send">
              <section className="card" aria-labelledby="story">
                <div className="card-head">
                  <h2 id="story">{words.story}</h2>
                </div>
                <div className="card-body">
                  {found.story === undefined || found.story.length === 0 ? (
                    <p className="soft">{words.noStory}</p>
                  ) : (
                    <Story
                      entries={found.story.map(
                        ({ sendId: _this, title: _told, ...entry }) => entry,
                      )}
                    />
                  )}
                </div>
              </section>
              <section className="card" aria-labelledby="said">
                <div className="card-head">
                  <h2 id="said">{words.said}</h2>
                </div>
                <div className="card-body">
                  <SentMessage sendId={id} at={found.acceptedAt} />
                </div>
              </section>
              <SendFacts send={found} />
            </div>
          )}
        </Answer>
      </div>
    </>
  );
}
