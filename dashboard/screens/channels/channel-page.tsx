// One channel: its credential, the address that its provider calls, and its last seven days.

import { useState } from 'react';
import { Link } from 'wouter';
import type { Channel, WebhookRegistration } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge, Chip } from '../../ui/badge.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { count, Figures } from '../../ui/figure.tsx';
import { Answer, Note } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { failureText, reasonText } from '../../words/send-reasons.ts';
import { callbackUrl, credentialOf, isLocal } from './channels.ts';
import { CredentialSection } from './credential.tsx';
import { Domains } from './domains.tsx';
import { Relays } from './relays.tsx';
import { Sender } from './sender.tsx';
import { SlowedDown } from './slowed-down.tsx';
import { toneOf } from './state.ts';
import { useChannels } from './use-channels.ts';
import { words } from './words.ts';

export function ChannelPage({ channel }: { readonly channel: Channel }) {
  const app = useApp();
  const channels = useChannels();
  const [registration, setRegistration] = useState<WebhookRegistration>();
  const state = channels.stateOf(channel);
  const credential = credentialOf[channel];
  return (
    <>
      <ScreenHead
        crumb={{ to: appPath(app.id, 'channels'), label: words.title }}
        title={words.channels[channel].name}
        aside={
          channels.settings.isPending ? undefined : (
            <Badge tone={toneOf[state]}>{words.states[state]}</Badge>
          )
        }
      />
      <div className="screen-body">
        <Standing standing={channels.standingOf(channel)} />
        {credential !== undefined && (
          <CredentialSection
            channel={channel}
            credential={credential}
            channels={channels}
            onRegistered={setRegistration}
          />
        )}
        {channel === 'email' && (
          <>
            <Sender settings={channels.settings} />
            <Relays channel={channel} />
            <Domains />
          </>
        )}
        {(channel === 'sms' || channel === 'voice') && <Relays channel={channel} />}
        <Callback channel={channel} registration={registration} />
        <Health channel={channel} health={channels.health} />
      </div>
    </>
  );
}

/** Why sends wait, and until when. */
function Standing({
  standing,
}: {
  readonly standing: ReturnType<ReturnType<typeof useChannels>['standingOf']>;
}) {
  if (standing === undefined || standing.state === 'ok') return null;
  return (
    <Note tone={standing.state === 'refused' ? 'bad' : 'notice'}>
      <SlowedDown standing={standing} />
      {words.standings[standing.state]}{' '}
      {standing.reason !== null &&
        `${words.lastFailure(failureText(standing.reason, standing.detail, standing.channel))} `}
      {standing.until !== null && standing.since === null && (
        <>
          {words.nextTry} <Time at={standing.until} />
        </>
      )}
    </Note>
  );
}

function Callback({
  channel,
  registration,
}: {
  readonly channel: Channel;
  readonly registration: WebhookRegistration | undefined;
}) {
  const app = useApp();
  const text = words.callback;
  const url = registration?.url ?? callbackUrl(channel, app.id, location.origin);
  if (url === undefined) return null;
  const hints: Partial<Record<Channel, string>> = text;
  return (
    <Section title={text.title} intro={text.intro}>
      <CodeLine text={url} />
      <p className="soft">{hints[channel]}</p>
      {registration?.registered === true && <Note tone="good">{text.registered}</Note>}
      {registration?.registered === false && (
        <Note tone="notice">
          {text.notRegistered(
            registration.detail ??
              (registration.reason && reasonText(registration.reason, channel)) ??
              '',
          )}
        </Note>
      )}
      {registration === undefined && isLocal(url) && <Note tone="notice">{text.local}</Note>}
    </Section>
  );
}

function Health({
  channel,
  health,
}: {
  readonly channel: Channel;
  readonly health: ReturnType<typeof useChannels>['health'];
}) {
  const app = useApp();
  const text = words.health;
  const failures = useRead('readDeliveryFailures', {
    query: { appId: app.id, days: 7, limit: 100 },
  });
  const reasons = failures.data?.items.filter((one) => one.channel === channel) ?? [];
  return (
    <Section title={text.title} intro={text.intro}>
      <Answer result={health} rows={2}>
        {({ channels }) => {
          const counts = channels[channel];
          if (counts === undefined) return <p className="soft">{text.none}</p>;
          return (
            <Figures
              items={[
                { name: text.delivered, value: count(counts.delivered) },
                { name: text.bounced, value: count(counts.bounced) },
                { name: text.suppressed, value: count(counts.suppressed) },
                { name: text.failed, value: count(counts.failed) },
              ]}
            />
          );
        }}
      </Answer>
      {reasons.length > 0 && (
        <>
          <h3>{text.reasons}</h3>
          <ul className="stack-tight">
            {reasons.map((one) => (
              <li key={`${one.lane} ${one.reason}`} className="row">
                <Chip>{reasonText(one.reason, channel)}</Chip>
                <strong>{count(one.count)}</strong>
                <span className="soft">{one.lane}</span>
                <Time at={one.lastAt} />
                {one.recovered > 0 && <span className="soft">{text.recovered(one.recovered)}</span>}
              </li>
            ))}
          </ul>
          <p>
            <Link to={appPath(app.id, 'activity')}>{text.open}</Link>
          </p>
        </>
      )}
    </Section>
  );
}
