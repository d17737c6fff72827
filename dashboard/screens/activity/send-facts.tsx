// The facts of one send: the person, the message, and what each device answered.

import { Link } from 'wouter';
import type { ExplainedSend } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { OptOutSince } from '../../person/opt-out-since.tsx';
import { NameOf } from '../../person/person-name.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Copyable } from '../../ui/code.tsx';
import { Facts } from '../../ui/figure.tsx';
import { Time } from '../../ui/time.tsx';
import { channelName } from '../../words/channels.ts';
import { optedOutOf } from '../../words/opt-outs.ts';
import { outcomeTones, outcomeWords } from '../../words/outcomes.ts';
import { reasonText } from '../../words/send-reasons.ts';
import { words } from './words.ts';

type OneOutcome = ExplainedSend['outcomes'][number];

export function SendFacts({ send }: { readonly send: ExplainedSend }) {
  const app = useApp();
  const { id, outcomes, test, acceptedAt, subscriberId, channels = [] } = send;
  const messageId = send.story?.find(({ kind }) => kind === 'send')?.messageId;
  return (
    <div className="stack">
      <section className="card" aria-labelledby="facts">
        <div className="card-head">
          <h2 id="facts">{words.facts}</h2>
        </div>
        <div className="card-body">
          <Facts
            items={[
              ...fact(
                words.who,
                subscriberId == null ? undefined : (
                  <Link to={appPath(app.id, 'people', subscriberId)}>
                    <NameOf subscriberId={subscriberId} externalUserId={send.externalUserId} />
                  </Link>
                ),
              ),
              ...fact(words.accepted, acceptedAt && <Time at={acceptedAt} />),
              ...fact(words.channels, channels.map(channelName).join(', ')),
              ...fact(words.template, send.templateId && <Template id={send.templateId} />),
              ...fact(
                words.saved,
                messageId && <Link to={appPath(app.id, 'messages', messageId)}>{messageId}</Link>,
              ),
              ...fact(words.testSend, test && words.yes),
              [words.id, <Copyable key="id" text={id} />],
            ]}
          />
        </div>
      </section>
      {outcomes.map((one, at) => (
        <OutcomeCard
          key={`${one.deviceId} ${one.at}`}
          one={one}
          label={words.outcomeNth(nameOf(one), at + 1, outcomes.length)}
          personId={subscriberId}
        />
      ))}
    </div>
  );
}

function OutcomeCard({
  one,
  label,
  personId,
}: {
  readonly one: OneOutcome;
  readonly label: string;
  readonly personId: ExplainedSend['subscriberId'];
}) {
  const { reason, channel, providerMessageId, relayName } = one;
  const optOuts = reason === 'opt_out' && personId != null && (
    <OptOuts personId={personId} channel={channel} />
  );
  return (
    <section className="card" aria-label={label}>
      <div className="card-head">
        <h2>{nameOf(one)}</h2>
        <Badge tone={outcomeTones[one.status]}>{outcomeWords[one.status]}</Badge>
      </div>
      <div className="card-body">
        <Facts
          items={[
            ...fact(words.reason, reason && reasonText(reason, channel ?? undefined)),
            ...fact(words.optedOut, optOuts),
            [words.attempts, String(one.attempts)],
            [words.when, <Time key="t" at={one.at} />],
            ...fact(words.relay, relayName),
            ...fact(words.providerId, providerMessageId && <Copyable text={providerMessageId} />),
          ]}
        />
      </div>
    </section>
  );
}

/** As they are now: which addresses, of what, since when and how. */
function OptOuts({
  personId,
  channel,
}: {
  readonly personId: string;
  readonly channel: OneOutcome['channel'];
}) {
  const app = useApp();
  const { data } = useRead('readSubscriber', { path: { appId: app.id, id: personId } });
  if (data === undefined) return null;
  const devices = data.devices.filter(
    (one) => one.suppressed !== null && (channel === null || one.channel === channel),
  );
  if (devices.length === 0) return words.noOptOut;
  return (
    <ul>
      {devices.map((device) => (
        <li key={device.id}>
          {optedOutOf[device.suppressed?.scope ?? 'all']} <OptOutSince device={device} />
        </li>
      ))}
    </ul>
  );
}

function nameOf({ channel }: OneOutcome): string {
  return channel === null ? words.noDevice : channelName(channel);
}

/** Nothing where nothing is known. */
function fact(name: string, value: React.ReactNode) {
  const isKnown = value !== undefined && value !== null && value !== '' && value !== false;
  return isKnown ? [[name, value] as const] : [];
}

function Template({ id }: { readonly id: string }) {
  const app = useApp();
  const { data } = useRead('readMessageTemplate', { path: { appId: app.id, idOrName: id } });
  return <>{data?.name ?? id}</>;
}
