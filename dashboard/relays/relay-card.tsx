// One relay: whether it works, what leaves by it, where its service posts events; and its actions.

import { type DragEvent, useMemo, useState } from 'react';
import type { Relay } from '../api/generated.ts';
import { useAct } from '../api/queries.ts';
import { useRefusal } from '../api/session-context.tsx';
import { type Action, actionsOn, removing } from '../kit/action.ts';
import { ActionButton } from '../kit/action-view.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { CodeLine } from '../ui/code.tsx';
import { count, Facts } from '../ui/figure.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { Time } from '../ui/time.tsx';
import { failureText } from '../words/send-reasons.ts';
import { EditGateway } from './gateway-editor.tsx';
import { EditRelay } from './relay-editor.tsx';
import { kindLabel, relayForms } from './relay-forms.ts';
import { type RelayOwner, relayOperations, useRelayPlace } from './relay-owner.ts';
import { isUsedUp } from './relay-standing.ts';
import { type RelayWords, relayTones, streamList, useRelayWords } from './relay-words.ts';

const remove = (owner: RelayOwner, text: RelayWords) =>
  actionsOn<Relay>()({
    ...removing(text.remove, 'admin'),
    confirm: ({ name }) => ({
      title: text.removeTitle(name),
      text: text.removeText[owner],
      typed: name,
    }),
    operation: relayOperations[owner].remove,
    args: (one, appId) => ({ path: { appId, id: one.id }, base: one }),
    done: ({ name }) => text.removed(name),
  });

const turn = (owner: RelayOwner, text: RelayWords, enabled: boolean, undo?: Action<Relay>) =>
  actionsOn<Relay>()({
    id: enabled ? 'enable' : 'disable',
    label: enabled ? text.enable : text.disable,
    needs: 'admin',
    operation: relayOperations[owner].update,
    args: (one, appId) => ({ path: { appId, id: one.id }, body: { enabled }, base: one }),
    done: ({ name }) => (enabled ? text.enabled(name) : text.disabled(name)),
    ...(undo && { undo }),
  });

const actionsOf = (owner: RelayOwner, text: RelayWords) => ({
  remove: remove(owner, text),
  turnOn: turn(owner, text, true),
  turnOff: turn(owner, text, false, turn(owner, text, true)),
});

/** Its place among the others: absent where there is none to move to. */
interface Order {
  readonly refused: string | undefined;
  readonly earlier?: () => void;
  readonly later?: () => void;
  readonly onDragStart: (event: DragEvent) => void;
  readonly onDragEnd: () => void;
}

export function RelayCard({ relay, order }: { readonly relay: Relay; readonly order: Order }) {
  const refused = useRefusal('admin');
  const text = useRelayWords();
  const { owner } = useRelayPlace();
  const { remove, turnOn, turnOff } = useMemo(() => actionsOf(owner, text), [owner, text]);
  const [isEditing, setEditing] = useState(false);
  const { name, kind, enabled, health } = relay;
  const close = () => setEditing(false);
  const Editor = kind === 'http' ? EditGateway : EditRelay;
  return (
    <article className="stack-tight" aria-label={name}>
      <div className="row-between">
        <div className="row" {...(!isEditing && dragged(order, text.drag))}>
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
            <Moves name={name} order={order} />
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

/** By its head alone: what is in its body can be selected. */
function dragged({ refused, earlier, later, ...order }: Order, title: string) {
  if (refused !== undefined) return {};
  if (earlier === undefined && later === undefined) return {};
  const { onDragStart, onDragEnd } = order;
  return { draggable: true, title, onDragStart, onDragEnd };
}

function Moves({ name, order }: { readonly name: string; readonly order: Order }) {
  const text = useRelayWords();
  const { refused, earlier, later } = order;
  return (
    <>
      {earlier !== undefined && (
        <IconButton
          {...{ refused, size: 'small', icon: 'up', label: text.earlier(name) }}
          data-move={-1}
          onClick={earlier}
        />
      )}
      {later !== undefined && (
        <IconButton
          {...{ refused, size: 'small', icon: 'down', label: text.later(name) }}
          data-move={1}
          onClick={later}
        />
      )}
    </>
  );
}

function About({ relay }: { readonly relay: Relay }) {
  const text = useRelayWords();
  const { streams, order, perSecond, perDay, health, enabled } = relay;
  return (
    <>
      {enabled ? <Trouble relay={relay} /> : <p className="soft">{text.offText}</p>}
      <Facts
        items={[
          [text.streams, streamList(text, streams)],
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

function Events({ relay: { events, kind, config } }: { readonly relay: Relay }) {
  const { owner, appId } = useRelayPlace();
  const text = useRelayWords();
  if (events === null) return null;
  const isGateway = kind === 'http';
  const isTold = !isGateway || config['callbacks'] !== undefined;
  return (
    <div className="stack-tight">
      {isTold && (
        <>
          <strong>{text.events}</strong>
          <CodeLine
            text={
              isGateway ? `${events.url}?app=${appId === '' ? '…' : appId}&token=…` : events.url
            }
          />
          <p className="soft">
            {!isGateway && relayForms[kind].events} {text.eventsOf(events.proof)}{' '}
            {owner === 'org' && text.eventsOfApp}
          </p>
        </>
      )}
      {config['polling'] !== undefined && <p className="soft">{text.asked}</p>}
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
  const { appId, operations } = useRelayPlace();
  const refused = useRefusal('admin');
  const check = useAct(operations.check);
  const { data } = check;
  const look = () => check.mutate({ path: { appId, id: relay.id } });
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
