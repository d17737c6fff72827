// What can be done with a device: enable, disable, record or lift an opt-out, delete.

import { useState } from 'react';
import type { Device, Subscriber, Suppression } from '../../../api/generated.ts';
import { useAct } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { actionsOn, removing } from '../../../kit/action.ts';
import { type ActionList, ActionMenu } from '../../../kit/action-view.tsx';
import { addressOf } from '../../../person/person-ref.ts';
import { RadioCards } from '../../../ui/choices.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { tellDone } from '../../../ui/toast.tsx';
import { optOutChoices } from '../../../words/opt-outs.ts';
import { words } from './words.ts';

interface Owned {
  readonly person: Subscriber;
  readonly device: Device;
}

/** Opt-outs are of addresses; a push token has none. */
const push = ['fcm', 'apns', 'webpush'];
const hasAddress = ({ channel }: Device) => !push.includes(channel);
const change = actionsOn<Owned>();

function pathOf({ person, device }: Owned, appId: string) {
  return { appId, id: person.id, deviceId: device.id };
}

const switching = (enabled: boolean) =>
  change({
    id: enabled ? 'enable' : 'disable',
    label: enabled ? words.enable : words.disable,
    needs: 'write',
    isFor: ({ device }) => device.enabled !== enabled,
    operation: 'updateDevice',
    args: (one, appId) => ({ path: pathOf(one, appId), body: { enabled }, base: one.device }),
  });

const actions: ActionList<Owned> = [
  switching(false),
  switching(true),
  {
    id: 'opt-out',
    label: words.optOut,
    needs: 'write',
    isFor: ({ device }) => hasAddress(device) && device.suppressed === null,
    dialog: ({ device }, onClose) => <OptOutDevice device={device} onClose={onClose} />,
  },
  change({
    id: 'lift',
    label: words.liftOptOut,
    needs: 'write',
    isFor: ({ device }) => hasAddress(device) && device.suppressed !== null,
    operation: 'deleteSuppression',
    args: ({ device }, appId) => ({
      path: { appId },
      query: { channel: device.channel, address: addressOf(device) },
      base: null,
    }),
    done: () => words.optOutLifted,
  }),
  'line',
  change({
    ...removing(words.removeDevice),
    operation: 'deleteDevice',
    args: (one, appId) => ({ path: pathOf(one, appId), base: one.device }),
    done: () => words.deviceRemoved,
  }),
];

export function DeviceMenu(one: Owned) {
  const label = words.deviceActions(addressOf(one.device));
  return (
    <ActionMenu
      label={label}
      actions={actions}
      thing={one}
      trigger={
        <button type="button" className="button quiet icon-only small" aria-label={label}>
          <Icon name="more" />
        </button>
      }
    />
  );
}

function OptOutDevice({
  device,
  onClose,
}: {
  readonly device: Device;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const [scope, setScope] = useState<Suppression['scope']>('all');
  const suppress = useAct('addSuppression');
  const address = addressOf(device);
  return (
    <Confirm
      title={words.optOutTitle(address)}
      action={words.optOut}
      isOpen
      isBusy={suppress.isPending}
      error={suppress.error?.message}
      onClose={onClose}
      onConfirm={() =>
        suppress.mutate(
          { path: { appId: app.id }, body: { channel: device.channel, address, scope } },
          {
            onSuccess: () => {
              onClose();
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
  );
}
