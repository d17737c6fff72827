// Which messages change or delete a person, a device or an opt-out. Who changed a person is not
// kept: apps and people's own devices do, all the time.

import type { Context } from '../../../engine/actor/message.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import type { Editable, EditableOf } from '../../area.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { readPerson } from './find-person.ts';
import { identityKey } from './identity.ts';
import type { AudienceMemory } from './memory.ts';
import { deviceEtag, personEtag, suppressionEtag } from './person-etag.ts';
import type { PersonRef } from './protocol.ts';

type Ref = { readonly ref: PersonRef };
type DeviceRef = Ref & { readonly deviceId: string };
type Address = { readonly channel: ChannelId; readonly address: string };

function rowOf(
  { apps }: AudienceMemory,
  { ref }: Ref,
  context: Context,
): SubscriberRow | undefined {
  const app = apps.get(context.owner);
  return app && readPerson(app, ref, context);
}

const personOf = (state: AudienceMemory, message: Ref, context: Context): Editable | undefined => {
  const row = rowOf(state, message, context);
  return row && { etag: personEtag(row), changedMs: row.updatedMs };
};

const deviceOf = (
  state: AudienceMemory,
  message: DeviceRef,
  context: Context,
): Editable | undefined => {
  const row = rowOf(state, message, context);
  const device = row?.devices.find(({ id }) => id === message.deviceId);
  return device && { etag: deviceEtag(device), changedMs: device.updatedMs };
};

export const audienceEdits = {
  'subscriber.patch': personOf,
  'device.enable': deviceOf,
} satisfies Record<string, EditableOf<AudienceMemory>>;

export const audienceEnds = {
  'subscriber.erase': personOf,
  'device.remove': deviceOf,
  'suppression.remove': (
    _state: AudienceMemory,
    { channel, address }: Address,
    { documents }: Context,
  ): Editable | undefined => {
    const key = identityKey(channel, address);
    const row = key && documents.get(suppressions, [key]);
    return row ? { etag: suppressionEtag(row) } : undefined;
  },
} satisfies Record<string, EditableOf<AudienceMemory>>;
