// One relay: whether it works, what leaves by it, where its service posts events; and its actions.

import { useState } from 'react';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { actionsOn, removing } from '../../kit/action.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { count, Facts } from '../../ui/figure.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import { failureText } from '../../words/send-reasons.ts';
import { EditGateway } from './gateway-editor.tsx';
import { EditRelay } from './relay-editor.tsx';
import { kindLabel, type Relay, relayForms } from './relay-forms.ts';
import { type RelayOwner, relayOperations, useRelayOwner } from './relay-owner.ts';
import { isUsedUp } from './relay-standing.ts';
import { relayTones, relayWords, useRelayWords } from './relay-words.ts';

const remove = (owner: RelayOwner) =>
  actionsOn<Relay>()({
    ...removing(relayWords.remove, 'admin'),
    confirm: ({ name }) => ({
      title: relayWords.removeTitle(name),
      text: relayWords.removeText,
      typed: name,
    }),
    operation: relayOperations[owner].remove,
    args: (one, appId) => ({ path: { appId, id: one.id }, base: one }),
    done: ({ name }) => relayWords.removed(name),
  });

const turn = (owner: RelayOwner, enabled: boolean) =>
  actionsOn<Relay>()({
    id: enabled ? 'enable' : 'disable',
    label: enabled ? relayWords.enable : relayWords.disable,
    needs: 'admin',
    operation: relayOperations[owner].update,
    args: (one, appId) => ({ path: { appId, id: one.id }, body: { enabled }, base: one }),
    done: ({ name }) => (enabled ? relayWords.enabled(name) : relayWords.disabled(name)),
  });

const actionsOf = (owner: RelayOwner) => ({
  remove: remove(owner),
  turnOn: turn(owner, true),
  turnOff: turn(owner, false),
});
const actions = { app: actionsOf('app'), org: actionsOf('org') } as const;

export function RelayCard({ relay }: { readonly relay: Relay }) {
  const refused = useRefusal('admin');
  const text = useRelayWords();
  const { remove, turnOn, turnOff } = actions[useRelayOwner()];
  const [isEditing, setEditing] = useState(false);
  const { name, kind, enabled, health } = relay;
  const close = () => setEditing(false);
  const Editor = kind === 'http' ? EditGateway : EditRelay;
  return (
    <article className="relay stack-tight" aria-label={name}>
      <div className="row-between">
        <div className="row">
          <h3>
            <bdi>{name}</bdi>
          </h3>
          <span className="soft">{kindLabel(kind)}</span>
          <Badge tone={enabled ? relayTones[health.state] : 'off'}>
            {enabled ? text.states[health.state] : text.off}
          </Badge>
        </div>
        {!isEditing && (
          <div className="row">
            <Button size="small" refused={refused} onClick={() => setEditing(true)}>
              {text.edit}
            </Button>
            <ActionButton action={enabled ? turnOff : turnOn} thing={relay} size="small" />
            <ActionButton action={remove} thing={relay} size="small" kind="quiet" />
          </div>
        )}
      </div>
      {isEditing ? <Editor relay={relay} onClose={close} /> : <About relay={relay} />}
    </article>
  );
}

function About({ relay }: { readonly relay: Relay }) {
  const text = useRelayWords();
  const { streams, order, perSecond, perDay, health } = relay;
  return (
    <>
      <Trouble relay={relay} />
      <Facts
        items={[
          [text.streams, streams.map((one) => text.streamNames[one]).join(', ')],
          [text.order, count(order)],
          ...(perSecond === null ? [] : [[text.perSecond, count(perSecond)] as const]),
          ...(perDay === null
            ? []
            : [[text.perDay, text.today(health.callsToday, perDay)] as const]),
        ]}
      />
      <Events relay={relay} />
      <CheckRelay relay={relay} />
    </>
  );
}

function Trouble({ relay }: { readonly relay: Relay }) {
  const text = useRelayWords();
  const { health, perDay, channel } = relay;
  const { state, since, reason, detail, until } = health;
  if (isUsedUp(relay) && perDay !== null) return <Note tone="notice">{text.usedUp(perDay)}</Note>;
  if (state === 'ok') return null;
  return (
    <Note tone={state === 'paused' ? 'notice' : 'bad'}>
      {since !== null && (
        <>
          {text.itSince[state]} <Time at={since} />
          {'. '}
        </>
      )}
      {reason !== null && `${failureText(reason, detail, channel)}. `}
      {until !== null && (
        <>
          {text.next} <Time at={until} />
        </>
      )}
    </Note>
  );
}

function Events({ relay: { events, kind } }: { readonly relay: Relay }) {
  const app = useApp();
  const text = useRelayWords();
  if (events === null) return null;
  const isGateway = kind === 'http';
  return (
    <div className="stack-tight">
      <strong>{text.events}</strong>
      <CodeLine text={isGateway ? `${events.url}?app=${app.id}&token=…` : events.url} />
      <p className="soft">
        {!isGateway && relayForms[kind].events} {text.eventsOf(events.proof)}
      </p>
      {events.since === null ? (
        <p className="soft">{text.silent}</p>
      ) : (
        <p className="soft">
          {text.reports} <Time at={events.since} />
          {events.newest !== null && (
            <>
              {', '}
              {text.newest} <Time at={events.newest} />
            </>
          )}
        </p>
      )}
    </div>
  );
}

function CheckRelay({ relay }: { readonly relay: Relay }) {
  const text = useRelayWords();
  const app = useApp();
  const refused = useRefusal('admin');
  const check = useAct(relayOperations[useRelayOwner()].check);
  const { data } = check;
  const look = () => check.mutate({ path: { appId: app.id, id: relay.id } });
  return (
    <>
      <div className="row">
        <Button icon="check" size="small" refused={refused} isBusy={check.isPending} onClick={look}>
          {text.check}
        </Button>
      </div>
      {check.error !== undefined && <ErrorNote error={check.error} onAgain={look} />}
      {data?.ok === true && <Note tone="good">{text.checkOk(data.tookMs)}</Note>}
      {data?.ok === false && (
        <Note tone="bad">
          {text.checkBad(
            data.reason === undefined
              ? (data.detail ?? '')
              : failureText(data.reason, data.detail ?? null, relay.channel),
          )}
        </Note>
      )}
      {data?.checked === false && <Note tone="notice">{text.cannot(data.why ?? '')}</Note>}
    </>
  );
}
