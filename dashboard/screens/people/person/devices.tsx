// The person's devices: where messages can go, which addresses opted out, and what can be done.

import { useState } from 'react';
import type { Device, Subscriber } from '../../../api/generated.ts';
import { useAct } from '../../../api/queries.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { OptOutSince } from '../../../person/opt-out-since.tsx';
import { addressOf } from '../../../person/person-ref.ts';
import { exactTime, shortDate } from '../../../time/relative.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/code.tsx';
import { useNow } from '../../../ui/time.tsx';
import { tellDone, tellError } from '../../../ui/toast.tsx';
import { channelName } from '../../../words/channels.ts';
import { optedOutOf } from '../../../words/opt-outs.ts';
import { AddDevice } from './add-device.tsx';
import { DeviceMenu } from './device-menu.tsx';
import { words } from './words.ts';

export function Devices({ person }: { readonly person: Subscriber }) {
  const refused = useRefusal('write');
  const [isAdding, setAdding] = useState(false);
  return (
    <section className="card card-body stack-tight">
      <div className="row-between">
        <h2>{words.devices}</h2>
        <Button size="small" icon="plus" refused={refused} onClick={() => setAdding(true)}>
          {words.addDevice}
        </Button>
      </div>
      {isAdding && <AddDevice person={person} onClose={() => setAdding(false)} />}
      {person.devices.length === 0 && <p className="soft">{words.noDevices}</p>}
      <ul className="device-list">
        {person.devices.map((device) => (
          <li key={device.id}>
            <div className="grow">
              <div className="row">
                <strong>{channelName(device.channel)}</strong>
                <State device={device} />
                {device.environment === 'sandbox' && (
                  <span className="soft">{words.environment.sandbox}</span>
                )}
              </div>
              <Copyable text={addressOf(device)} />
              <Rest person={person} device={device} />
              {device.suppressed !== null && (
                <div>
                  <OptOutSince device={device} />
                </div>
              )}
            </div>
            <DeviceMenu person={person} device={device} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How long an address rests after soft bounces, and the way to end that. */
function Rest({ person, device }: { readonly person: Subscriber; readonly device: Device }) {
  const app = useApp();
  const nowMs = useNow();
  const refused = useRefusal('write');
  const resume = useAct('resumeDevice');
  const { enabled, restingUntil } = device;
  const untilMs = restingUntil === undefined ? 0 : Date.parse(restingUntil);
  if (!enabled || untilMs <= nowMs) return null;
  const path = { appId: app.id, id: person.id, deviceId: device.id };
  return (
    <div className="row">
      <span className="soft" title={exactTime(untilMs)}>
        {words.restsUntil(shortDate(untilMs, nowMs))}
      </span>
      <Button
        size="small"
        refused={refused}
        isBusy={resume.isPending}
        onClick={() =>
          resume.mutate(
            { path },
            {
              onSuccess: () => tellDone(words.restEnded),
              onError: (error) => tellError(error.message),
            },
          )
        }
      >
        {words.endRest}
      </Button>
    </div>
  );
}

function State({ device }: { readonly device: Device }) {
  const { suppressed, enabled, disabledReason, restingUntil } = device;
  if (suppressed?.scope === 'all') return <Badge tone="bad">{optedOutOf.all}</Badge>;
  if (!enabled) return <Badge tone="off">{words.disabled(disabledReason ?? words.noReason)}</Badge>;
  if (suppressed !== null) return <Badge tone="notice">{optedOutOf.marketing}</Badge>;
  if (restingUntil !== undefined) return <Badge tone="notice">{words.resting}</Badge>;
  return <Badge tone="good">{words.reachable}</Badge>;
}
