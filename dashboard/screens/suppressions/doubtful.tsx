// Replies that may be opt-outs, newest first: a person reads each, and opts the address out or
// keeps it. Nothing is shown while there are none.

import { Fragment, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { ArgumentsOf } from '../../api/client.ts';
import { asApiError } from '../../api/errors.ts';
import type { DoubtfulOptOut } from '../../api/generated.ts';
import { useAct, type useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { NameOf } from '../../person/person-name.tsx';
import { appPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { channelNames } from '../../words/channels.ts';
import { words } from './words.ts';

type List = ReturnType<typeof useList<'listDoubtful'>>;
interface Choice {
  readonly label: string;
  readonly kind?: 'quiet';
  readonly body: ArgumentsOf<'decideDoubtful'>['body'];
  readonly told: string;
}

const choices: readonly Choice[] = [
  { label: words.optOut, body: { decision: 'opt_out' }, told: words.added },
  {
    label: words.optOutOfMarketing,
    body: { decision: 'opt_out', scope: 'marketing' },
    told: words.added,
  },
  { label: words.keep, kind: 'quiet', body: { decision: 'dismiss' }, told: words.kept },
];

export function Doubtful({ list }: { readonly list: List }) {
  const app = useApp();
  const decide = useAct('decideDoubtful');
  const { items = [], total, error, hasMore, more, again } = list;
  const [chosen, setChosen] = useState(0);
  // Whichever comes first: the news that it is done, or the list without its row.
  useEffect(() => {
    if (chosen > 0 && items.length >= 0) keepFocus();
  }, [chosen, items.length]);
  if (error !== undefined && items.length === 0)
    return (
      <div className="doubtful">
        <ErrorNote error={error} onAgain={again} />
      </div>
    );
  if (items.length === 0) return null;
  const choose = (one: DoubtfulOptOut, { body, told }: Choice) =>
    decide.mutate(
      { path: { appId: app.id, id: one.id }, body },
      {
        onSuccess: () => {
          setChosen((count) => count + 1);
          tellDone(told);
        },
        onError: (failure) => {
          const { status, message } = asApiError(failure);
          tellError(status === 404 ? words.doubtfulGone : message);
          again();
        },
      },
    );
  const busy = decide.isPending ? decide.variables?.path.id : undefined;
  return (
    <section className="doubtful card" aria-labelledby="doubtful">
      <div className="card-head">
        <h2 id="doubtful" tabIndex={-1}>
          {words.doubtful} <span className="soft">{total}</span>
        </h2>
        <p className="soft">{words.doubtfulAbout}</p>
      </div>
      <ul>
        {items.map((one) => (
          <Row key={one.id} one={one} isBusy={busy === one.id} onChoose={choose} />
        ))}
        {hasMore && (
          <li>
            <Button size="small" onClick={more}>
              {words.moreDoubtful}
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly one: DoubtfulOptOut;
  readonly isBusy: boolean;
  readonly onChoose: (one: DoubtfulOptOut, choice: Choice) => void;
}

function Row({ one, isBusy, onChoose }: RowProps) {
  const refused = useRefusal('write');
  return (
    <li>
      <div className="grow">
        {one.words === '' ? (
          <p className="soft">{words.erasedWords}</p>
        ) : (
          <p className="doubtful-words" dir="auto">
            {one.words}
          </p>
        )}
        <p className="soft">
          <Who one={one} /> · {channelNames[one.channel]} · <Time at={one.receivedAt} />
        </p>
      </div>
      <div className="row tight">
        {choices.map((choice) => (
          <Button
            key={choice.label}
            size="small"
            kind={choice.kind}
            refused={refused}
            isBusy={isBusy}
            onClick={() => onChoose(one, choice)}
          >
            {choice.label} <span className="sr-only">{one.address}</span>
          </Button>
        ))}
      </div>
    </li>
  );
}

/** People by the ids that the tenant knows, and the address. */
function Who({ one: { address, subscribers } }: Pick<RowProps, 'one'>) {
  const app = useApp();
  return (
    <>
      {subscribers.map(({ subscriberId, externalUserId }) => (
        <Fragment key={subscriberId}>
          <Link to={appPath(app.id, 'people', subscriberId)}>
            <NameOf subscriberId={subscriberId} externalUserId={externalUserId} />
          </Link>{' '}
          ·{' '}
        </Fragment>
      ))}
      {address}
    </>
  );
}

/** Where the row that had the focus is gone. */
function keepFocus() {
  if (document.activeElement !== document.body) return;
  (document.getElementById('doubtful') ?? document.querySelector('h1'))?.focus();
}
