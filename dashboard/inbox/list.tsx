// The messages, newest first: one row for all attempts of a call.

import { memo, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { Badge } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';
import { addressOfMessage } from './address.ts';
import { type ReceivedMessage, useChannelName } from './control.ts';
import { OutcomeBadge } from './outcome.tsx';
import { arrivalTime, headline, shortened } from './row-words.ts';
import { Tile } from './tile.tsx';
import { words } from './words.ts';

const titleCharactersMax = 76;
const textCharactersMax = 84;

export function MessageRows({
  calls,
  openId,
}: {
  /** The attempts of each call, newest first. */
  readonly calls: readonly (readonly ReceivedMessage[])[];
  readonly openId: number | undefined;
}) {
  const list = useRef<HTMLOListElement>(null);
  useKeptPlace(list, calls);
  const channelName = useChannelName();
  const hasRows = calls.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll to the open row once listed
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [openId, hasRows]);
  return (
    <ol ref={list} id="list" className="inbox-list" tabIndex={-1} aria-label={words.list.newest}>
      {calls.map((attempts) => (
        <Row
          key={attempts[0]?.id}
          attempts={attempts}
          channel={channelName(attempts[0]?.channel ?? '')}
          isOpen={attempts.some(({ id }) => id === openId)}
        />
      ))}
    </ol>
  );
}

/** Who reads further down stays there when rows come on top. Not every browser sees to that. */
function useKeptPlace(list: RefObject<HTMLElement | null>, calls: readonly unknown[]): void {
  const first = useRef<Element | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the rows
  useLayoutEffect(() => {
    const { current: place } = list;
    const { current: before } = first;
    if (place === null) return;
    if (before instanceof HTMLElement && before.isConnected && place.scrollTop > 8)
      place.scrollTop += before.offsetTop;
    first.current = place.firstElementChild;
  }, [calls]);
}

interface RowProps {
  readonly attempts: readonly ReceivedMessage[];
  readonly channel: string;
  readonly isOpen: boolean;
}

const Row = memo(
  function Row({ attempts, channel, isOpen }: RowProps) {
    const [newest] = attempts;
    if (newest === undefined) return null;
    const { id, look, to, at, isFresh = false } = newest;
    const { heading, text } = wordsOf(attempts, newest);
    return (
      <li className={classNames(isFresh && 'inbox-fresh')}>
        <a
          href={addressOfMessage(id)}
          className="inbox-row"
          aria-current={isOpen ? 'true' : undefined}
        >
          <Tile look={look} title={channel} />
          <span className="inbox-row-body">
            <span className="inbox-row-top soft">
              <span className="grow ellipsis">{`${channel} · ${shortened(to)}`}</span>
              <time dateTime={at}>{arrivalTime(at)}</time>
            </span>
            {heading !== '' && (
              <strong className="inbox-words" dir="auto">
                {heading}
              </strong>
            )}
            {text !== '' && (
              <span className="inbox-words soft" dir="auto">
                {text}
              </span>
            )}
            <span className="row tight">
              <Attempts attempts={attempts} />
              <OutcomeBadge message={newest} />
            </span>
          </span>
        </a>
      </li>
    );
  },
  (before, now) =>
    before.isOpen === now.isOpen &&
    before.channel === now.channel &&
    before.attempts.length === now.attempts.length,
);

/** An attempt that was refused early may have no words: another has them. */
function wordsOf(attempts: readonly ReceivedMessage[], newest: ReceivedMessage) {
  const { title, text = '', note = '' } = attempts.find((one) => one.title || one.text) ?? newest;
  const lines = (title ? [title, text] : text.split('\n')).filter((line) => line !== '');
  const [first = '', ...others] = lines;
  return {
    heading: headline(first, titleCharactersMax),
    text: headline(others.join(' ') || note, textCharactersMax),
  };
}

function Attempts({ attempts }: Pick<RowProps, 'attempts'>) {
  if (attempts.length < 2) return null;
  const accepted = attempts.filter(({ outcome }) => outcome === 'accepted').length;
  return accepted > 1 ? (
    <Badge tone="bad">{words.list.accepted(accepted)}</Badge>
  ) : (
    <Badge tone="off">{words.list.attempts(attempts.length)}</Badge>
  );
}
