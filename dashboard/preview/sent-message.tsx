// What a send said, drawn as its recipient saw it.

import { useRead } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';
import { bytes, Facts } from '../ui/figure.tsx';
import { ErrorNote, Grey, Note } from '../ui/note.tsx';
import { ChannelTabs, ShownItem, useShownChannel } from './previews.tsx';
import { StageChoices, useScreen } from './stage.tsx';
import { words } from './words.ts';

/** The page of a mail is gone after five minutes. */
const renewMs = 4 * 60_000;

export function SentMessage({
  sendId,
  at,
}: {
  readonly sendId: string;
  /** When it was accepted. */
  readonly at?: string | undefined;
}) {
  const app = useApp();
  const sent = useRead(
    'previewNotification',
    { path: { appId: app.id, id: sendId } },
    { everyMs: renewMs },
  );
  const { data, error } = sent;
  const { shown, choose } = useShownChannel(data?.items);
  // Its place is as narrow as a phone.
  const screen = useScreen('phone');
  if (error?.status === 404) return <p className="soft">{words.sent.states.not_kept}</p>;
  if (error !== undefined) return <ErrorNote error={error} onAgain={() => void sent.refetch()} />;
  if (data === undefined) return <Grey rows={8} />;
  const { items, contentState, attachments = [], cc = [], bcc = [] } = data;
  if (shown === undefined)
    return (
      <p className="soft">
        {contentState === 'as_sent' ? words.sent.noDevice : words.sent.states[contentState]}
      </p>
    );
  return (
    <div className="previews">
      {contentState === 'may_differ' && <Note>{words.sent.states.may_differ}</Note>}
      {items.length > 1 && <ChannelTabs items={items} shown={shown} onChoose={choose} />}
      <div className="preview-bar">
        <StageChoices screen={screen} isMail={shown.channel === 'email'} />
      </div>
      <ShownItem item={shown} screen={screen} at={at} />
      {shown.channel === 'email' && (
        <Facts
          items={[
            ...(cc.length > 0 ? [[words.sent.cc, cc.join(', ')] as const] : []),
            ...(bcc.length > 0 ? [[words.sent.bcc, bcc.join(', ')] as const] : []),
            ...attachments.map(
              ({ filename, bytes: size }) => [words.sent.file(filename), bytes(size)] as const,
            ),
          ]}
        />
      )}
    </div>
  );
}
