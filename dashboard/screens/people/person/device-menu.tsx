// What can be done with a device: enable, disable, record or lift an opt-out, delete.

import { useState } from 'react';
import type { Device, Subscriber, Suppression } from '../../../api/generated.ts';
import { useAct } from '../../../api/queries.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { addressOf } from '../../../person/person-ref.ts';
import { Confirm } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { RadioCards } from '../../../ui/radio-cards.tsx';
import { tellDone, tellError } from '../../../ui/toast.tsx';
import { optOutChoices } from '../../../words/opt-outs.ts';
import { words } from './words.ts';

/** Opt-outs are of addresses; a push token has none. */
const push = ['fcm', 'apns', 'webpush'];

export function DeviceMenu({
  person,
  device,
}: {
  readonly person: Subscriber;
  readonly device: Device;
}) {
  const app = useApp();
  const refused = useRefusal('write');
  const [isAsking, setAsking] = useState(false);
  const [scope, setScope] = useState<Suppression['scope']>('all');
  const update = useAct('updateDevice');
  const remove = useAct('deleteDevice');
  const suppress = useAct('addSuppression');
  const lift = useAct('deleteSuppression');
  const path = { appId: app.id, id: person.id, deviceId: device.id };
  const address = addressOf(device);
  const of = { channel: device.channel, address };
  const onError = (error: Error) => tellError(error.message);
  const optOuts = push.includes(device.channel)
    ? []
    : device.suppressed === null
      ? [{ label: words.optOut, refused, onChoose: () => setAsking(true) }]
      : [
          {
            label: words.liftOptOut,
            refused,
            onChoose: () =>
              lift.mutate(
                { path: { appId: app.id }, query: of, base: null },
                { onSuccess: () => tellDone(words.optOutLifted), onError },
              ),
          },
        ];
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="button quiet icon-only small"
            aria-label={words.deviceActions(address)}
          >
            <Icon name="more" />
          </button>
        }
        items={[
          {
            label: device.enabled ? words.disable : words.enable,
            refused,
            onChoose: () =>
              update.mutate(
                { path, body: { enabled: !device.enabled }, base: device },
                { onError },
              ),
          },
          ...optOuts,
          { line: 'danger' },
          {
            label: words.removeDevice,
            icon: 'trash',
            isDanger: true,
            refused,
            onChoose: () =>
              remove.mutate(
                { path, base: device },
                { onSuccess: () => tellDone(words.deviceRemoved), onError },
              ),
          },
        ]}
      />
      <Confirm
        title={words.optOutTitle(address)}
        action={words.optOut}
        isOpen={isAsking}
        isBusy={suppress.isPending}
        error={suppress.error?.message}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          suppress.mutate(
            { path: { appId: app.id }, body: { ...of, scope } },
            {
              onSuccess: () => {
                setAsking(false);
                tellDone(words.optOutRecorded);
              },
            },
          )
        }
      >
        <div className="stack">
          <RadioCards
            label={words.optOutEnds}
            choices={optOutChoices}
            value={scope}
            onChange={setScope}
          />
          <p>{words.optOutText}</p>
        </div>
      </Confirm>
    </>
  );
}
