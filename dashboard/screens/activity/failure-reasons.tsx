// What failed lately, by reason: how many, on which channel, since when it has been quiet. Each
// reason leads to its letters, to its channel, and can be sent again as a whole.

import { Link } from 'wouter';
import type { AnswerOf } from '../../api/client.ts';
import type { Channel } from '../../api/generated.ts';
import { useLiveRead } from '../../api/live.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { channelName } from '../../words/channels.ts';
import { reasonText } from '../../words/send-reasons.ts';
import type { Asked } from './redrive-dialog.tsx';
import { words } from './words.ts';

type Failure = AnswerOf<'readDeliveryFailures'>['items'][number];

const days = 90;

/** `undefined` until it is known. */
export function useFailures(): readonly Failure[] | undefined {
  const app = useApp();
  const { data } = useLiveRead(
    app.id,
    'readDeliveryFailures',
    { query: { appId: app.id, days, limit: 100 } },
    { topics: ['limits', 'newest-event'], isLive: () => true },
  );
  return data?.items;
}

/** Open letters, of one reason or of all. */
export function openOf(failures: readonly Failure[], reason: string | undefined): number {
  return failures
    .filter((one) => reason === undefined || one.reason === reason)
    .reduce((sum, one) => sum + one.count - one.recovered, 0);
}

/** Whether the message may have arrived: the provider did not say what became of it. */
export function mayRepeat({ reason }: Pick<Failure, 'reason'>): boolean {
  return reason === 'unknown_outcome';
}

export function FailureReasons({
  failures,
  reason,
  onRedrive,
}: {
  readonly failures: readonly Failure[];
  /** The one that is chosen. */
  readonly reason: string | undefined;
  readonly onRedrive: (asked: Asked) => void;
}) {
  const shown = failures.filter((one) => reason === undefined || one.reason === reason);
  if (shown.length === 0) return null;
  return (
    <ul className="failure-reasons" aria-label={words.byReason}>
      {shown.map((one) => (
        <Reason
          key={`${one.reason} ${one.lane} ${one.channel}`}
          one={one}
          isOneOfMany={reason === undefined && shown.length > 1}
          onRedrive={onRedrive}
        />
      ))}
    </ul>
  );
}

function Reason({
  one,
  isOneOfMany,
  onRedrive,
}: {
  readonly one: Failure;
  readonly isOneOfMany: boolean;
  readonly onRedrive: (asked: Asked) => void;
}) {
  const app = useApp();
  const refused = useRefusal('send');
  const { reason, lane, channel } = one;
  const open = one.count - one.recovered;
  const name = reasonText(reason, channel ?? undefined);
  const action = words.redriveSome(count(open));
  const what = { reason, channel: channel as Channel, lane, open };
  return (
    <li className="card failure-reason">
      <Icon name={open > 0 ? 'warning' : 'check'} />
      <div className="grow">
        <strong>{name}</strong>
        <p className="soft">
          <Link to={appPath(app.id, 'channels', channel)}>{channelName(channel)}</Link>
          {` · ${words.lanes[lane]} · ${words.failedOf(one.count)}`}
          {one.recovered > 0 && `, ${words.recoveredOf(count(one.recovered))}`}
          {` · ${words.lastOne} `}
          <Time at={one.lastAt} />
        </p>
      </div>
      <div className="row">
        {isOneOfMany && (
          <Link
            className="button small quiet"
            to={withParams(appPath(app.id, 'activity'), { tab: 'failures', reason })}
          >
            {words.seeThem}
            <span className="sr-only">{name}</span>
          </Link>
        )}
        {open > 0 && (
          <Button
            size="small"
            icon="refresh"
            refused={refused}
            onClick={() => onRedrive({ what, action, mayRepeat: mayRepeat(one) })}
          >
            {action}
            <span className="sr-only">
              {name}, {channelName(channel)}
            </span>
          </Button>
        )}
      </div>
    </li>
  );
}
