// The previews beside an editor: one channel at a time, drawn from what the server would send, for
// a chosen person, in two widths, light and dark.

import { type ReactNode, useMemo, useRef } from 'react';
import type { Fields } from '../api/generated.ts';
import { useApp } from '../api/session-context.tsx';
import { useQueryParam } from '../ui/address.ts';
import { SelectBox } from '../ui/choices.tsx';
import { classNames } from '../ui/class-names.ts';
import { bytes, count } from '../ui/figure.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNote, Grey, Note } from '../ui/note.tsx';
import { channelName } from '../words/channels.ts';
import { Look } from './look.tsx';
import { lookOf, type PreviewItem, unsubscribesIn } from './look-of.ts';
import { clippedBytes, type Measure, measureOf } from './measure.ts';
import { StageChoices, type StageScreen, useScreen } from './stage.tsx';
import { useEntities } from './use-entities.ts';
import type { usePreview } from './use-preview.ts';
import { words } from './words.ts';

interface PreviewsProps {
  readonly preview: ReturnType<typeof usePreview>;
  readonly person: ReactNode;
  readonly languages: readonly string[];
  readonly language: string | undefined;
  readonly onLanguage: (language: string | undefined) => void;
  /** Shown first if the address names none. */
  readonly first?: string | undefined;
  /** Whether there is a text, right or wrong. */
  readonly isWritten: boolean;
}

/** The chosen channel stands in the address; `next` goes on to the one after it. */
export function useShownChannel(items: readonly PreviewItem[] | undefined, first?: string) {
  const [chosen, choose] = useQueryParam('channel');
  const shown =
    items?.find(({ channel }) => channel === chosen) ??
    items?.find(({ channel }) => channel === first) ??
    items?.[0];
  const next = () => {
    if (items === undefined || shown === undefined) return;
    choose(items[(items.indexOf(shown) + 1) % items.length]?.channel);
  };
  return { shown, choose, next };
}

export function Previews(props: PreviewsProps) {
  const { preview, person, languages, language, onLanguage, first, isWritten } = props;
  const { answer, error, isAsking, again } = preview;
  const items = answer?.items;
  const { shown, choose } = useShownChannel(items, first);
  const lastGood = useLastGood(items);
  const screen = useScreen();
  return (
    <section className="previews" aria-label={words.title} aria-busy={isAsking}>
      <h2 className="sr-only">{words.title}</h2>
      <ChannelTabs items={items ?? []} shown={shown} onChoose={choose} isWritten={isWritten} />
      <div className="preview-bar">
        <StageChoices screen={screen} isMail={shown?.channel === 'email'} />
        {languages.length > 0 && (
          <SelectBox
            label={words.language}
            isAuto
            value={language ?? ''}
            choices={[
              { value: '', label: words.ownLanguage },
              ...languages.map((tag) => ({ value: tag, label: tag })),
            ]}
            onChange={(next) => onLanguage(next === '' ? undefined : next)}
          />
        )}
      </div>
      {person}
      {error !== undefined && <ErrorNote error={error} onAgain={again} />}
      {items === undefined && error === undefined && <Grey rows={10} />}
      {shown !== undefined && !isWritten && <Note>{words.nothing}</Note>}
      {shown !== undefined && isWritten && (
        <ShownItem
          item={shown}
          screen={screen}
          lastGood={lastGood.get(shown.channel)}
          isOld={error !== undefined}
        />
      )}
    </section>
  );
}

export function ChannelTabs({
  items,
  shown,
  onChoose,
  isWritten = true,
}: {
  readonly items: readonly PreviewItem[];
  readonly shown: PreviewItem | undefined;
  readonly onChoose: (channel: string) => void;
  readonly isWritten?: boolean;
}) {
  return (
    <div className="preview-channels" role="toolbar" aria-label={words.channels}>
      {items.map((item) => (
        <button
          key={item.channel}
          type="button"
          className="preview-channel"
          aria-pressed={item === shown}
          onClick={() => onChoose(item.channel)}
        >
          {item.error !== undefined && isWritten && <Icon name="warning" />}
          {channelName(item.channel)}
        </button>
      ))}
    </div>
  );
}

/** What each channel showed last without an error: it stays while a text is half typed. */
function useLastGood(items: readonly PreviewItem[] | undefined): ReadonlyMap<string, PreviewItem> {
  const lastGood = useRef(new Map<string, PreviewItem>());
  for (const item of items ?? [])
    if (item.error === undefined) lastGood.current.set(item.channel, item);
  return lastGood.current;
}

export function ShownItem({
  item,
  screen: { isNarrow, isDark },
  lastGood,
  isOld = false,
  at: given,
}: {
  readonly item: PreviewItem;
  readonly screen: StageScreen;
  readonly lastGood?: PreviewItem | undefined;
  /** The newest text was not answered. */
  readonly isOld?: boolean;
  /** When it was sent. */
  readonly at?: string | undefined;
}) {
  const app = useApp();
  useEntities();
  // One instant for all, or the clock on the phone would move with each key.
  const now = useMemo(() => new Date().toISOString(), []);
  const at = given ?? now;
  const { content = {}, error, deviceId, dropped = [] } = item;
  const drawn = error === undefined ? item : lastGood;
  const problem = error !== undefined && (
    <Note tone="notice">
      <p>{words.cannot}</p>
      <p>{error.error}</p>
      {drawn !== undefined && <p>{words.before}</p>}
    </Note>
  );
  if (drawn === undefined) return problem;
  const measure = measureOf(drawn);
  const isStale = isOld || error !== undefined;
  return (
    <>
      {problem}
      <div
        className={classNames(
          'preview-stage',
          isNarrow ? 'phone' : 'desk',
          isDark && 'dark',
          isStale && 'stale',
        )}
        inert={isStale}
      >
        <Look message={lookOf(drawn, { at, appName: app.name })} />
      </div>
      <div className="preview-facts">
        {measure !== undefined && <MeasureLine measure={measure} channel={item.channel} />}
        {drawn.channel === 'email' && <p>{words.unsubscribes[unsubscribesIn(drawn)]}</p>}
        {content.deepLink !== undefined && (
          <p>
            {words.opens} <code>{content.deepLink}</code>
          </p>
        )}
        {deviceId === null && <p className="soft">{words.noDevice}</p>}
        {dropped.length > 0 && (
          <Note tone="notice">
            {words.dropped}
            <ul>
              {dropped.map(({ field, why }) => (
                <li key={`${field} ${why}`}>{words.drop(field, why)}</li>
              ))}
            </ul>
          </Note>
        )}
      </div>
    </>
  );
}

function MeasureLine({
  measure,
  channel,
}: {
  readonly measure: Measure;
  readonly channel: string;
}) {
  const { unit, used, max, alphabet, characters = 0 } = measure;
  const isOver = max !== undefined && used > max;
  const isClipped = channel === 'email' && used > clippedBytes;
  return (
    <>
      <p className={isOver ? 'field-error' : undefined}>
        {isOver && <Icon name="warning" />}
        {unit === 'bytes' && words.measure(bytes(used), bytes(max ?? 0))}
        {unit === 'characters' && words.characters(count(used), count(max ?? 0))}
        {unit === 'parts' && words.sms(characters, alphabet ?? '', used)}
        {isOver && ` ${words.tooLarge}`}
      </p>
      {alphabet === 'UCS-2' && <p className="soft">{words.ucs2}</p>}
      {isClipped && <p className="soft">{words.clipped}</p>}
    </>
  );
}

/** Completion of templates: the app's tags, those that most people have first. */
export function namesOf(fields: Fields | undefined) {
  return (fields?.tags ?? []).map(({ key, people }) => ({ name: key, detail: count(people) }));
}
