// The person's devices: where messages can go, which addresses opted out, and what can be done.

import { useState } from 'react';
import type { Device, Subscriber } from '../../../api/generated.ts';
import { useRefusal } from '../../../api/session-context.tsx';
import { OptOutSince } from '../../../person/opt-out-since.tsx';
import { addressOf } from '../../../person/person-ref.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/code.tsx';
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

function State({ device }: { readonly device: Device }) {
  const { suppressed, enabled, disabledReason } = device;
  if (suppressed?.scope === 'all') return <Badge tone="bad">{optedOutOf.all}</Badge>;
  if (!enabled) return <Badge tone="off">{words.disabled(disabledReason ?? words.noReason)}</Badge>;
  if (suppressed !== null) return <Badge tone="notice">{optedOutOf.marketing}</Badge>;
  return <Badge tone="good">{words.reachable}</Badge>;
}
