// Decides about people, their devices and opt-outs.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { DeviceRow, SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { notFound } from '../../faults.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { isWaiting, owingMails } from './consent.ts';
import { doubtDecisions } from './doubtful-opt-outs.ts';
import { withoutDevice } from './endpoint-owner.ts';
import { readPerson, withPerson } from './find-person.ts';
import { gatherEndpoints } from './gather-endpoints.ts';
import { newAddressPolicy } from './identity.ts';
import { importSlice, trySlice } from './import/slice.ts';
import type { AudienceMemory, AudienceView } from './memory.ts';
import { pageOfPeople, shownDevice, viewOf } from './people-page.ts';
import { changePreferences, preferencesOf } from './preferences.ts';
import type { AudienceProtocol, PersonRef } from './protocol.ts';
import { suppressionDecisions } from './suppression-decisions.ts';
import { changeDevices, unprefixed, upsert, withNewDevice } from './upsert.ts';

export interface AudienceRules {
  /** Accept `http` push endpoints (sandbox mode, or private networks allowed). */
  readonly allowHttpEndpoints: boolean;
}

export function audienceDecisions(rules: AudienceRules): AudienceDecisions {
  return {
    ...peopleDecisions(rules),
    ...suppressionDecisions,
    ...doubtDecisions,
    ...preferenceDecisions,
    'endpoints.gather': (state, _asked, context) =>
      withApp(state, context, (app) => gatherEndpoints(app, context)),
  };
}

type Decided = Omit<AudienceProtocol, 'subscriber.try_import'>;
type AudienceDecisions = Decisions<Decided, AudienceMemory>;

/** What has rooms of its own. */
type Elsewhere = `${'suppression' | 'doubtful_opt_out' | 'endpoints' | 'preferences'}.${string}`;

function peopleDecisions({
  allowHttpEndpoints: allowHttp,
}: AudienceRules): Omit<AudienceDecisions, Elsewhere> {
  return {
    'subscriber.upsert': (state, { subscriber, consent = 'confirmed' }, context) =>
      withApp(state, context, (app) => {
        const known = subscriber.externalUserId;
        const existing =
          known === undefined ? undefined : readPerson(app, { externalUserId: known }, context);
        const asked = consent === 'doubleOptIn' ? { consent } : {};
        const result = upsert(app, subscriber, existing, context, { allowHttp, ...asked });
        if ('fault' in result) return refused(result.fault);
        const { row, created, entries, documents } = result;
        const reply = { subscriber: viewOf(app, row, context), created };
        const waiting = consent === 'doubleOptIn' && isWaiting(row) ? [row.person] : [];
        return owingMails(accepted(reply, { entries, documents }), waiting, context);
      }),

    'subscriber.import': (state, slice, context) =>
      withApp(state, context, (app) => importSlice(app, slice, context, allowHttp)),

    'subscriber.try_slice': (state, { tried, ...slice }, context) =>
      withApp(state, context, (app) => trySlice(app, slice, tried, context, allowHttp)),

    'subscriber.read': (state, { ref }, context) =>
      withPerson(state, ref, context, (app, row) => accepted(viewOf(app, row, context))),

    'subscriber.patch': (state, { ref, patch }, context) =>
      withPerson(state, ref, context, (app, row) => {
        const result = upsert(app, patch, row, context, { allowHttp });
        if ('fault' in result) return refused(result.fault);
        return accepted(viewOf(app, result.row, context), {
          entries: result.entries,
          documents: result.documents,
        });
      }),

    'subscriber.list': (state, message, context) =>
      withApp(state, context, (app) => pageOfPeople(app, undefined, message, context)),

    'device.add': (state, { ref, device }, context) =>
      withPerson(state, ref, context, (app, row) => {
        const policy = newAddressPolicy(app, allowHttp);
        const added = withNewDevice(row.person, row.devices, device, 'device', context, policy);
        if ('fault' in added) return refused(unprefixed(added.fault));
        const also = { ...added, vouched: true };
        const shown = shownDevice(app, added.device, context);
        return changeDevices(row, added.devices, context, shown, also);
      }),

    'device.enable': (state, { ref, deviceId, enabled }, context) =>
      withDevice(state, ref, deviceId, context, (row, device, app) => {
        const { disabledReason: _reason, ...rest } = device;
        const next: DeviceRow = {
          ...rest,
          enabled,
          ...(enabled ? {} : { disabledReason: 'disabled_by_caller' }),
          updatedMs: context.nowMs,
        };
        const devices = row.devices.map((old) => (old.id === deviceId ? next : old));
        return changeDevices(row, devices, context, shownDevice(app, next, context));
      }),

    'device.remove': (state, { ref, deviceId }, context) =>
      withDevice(state, ref, deviceId, context, (row, device) => {
        const devices = row.devices.filter((old) => old.id !== deviceId);
        return changeDevices(row, devices, context, null, {
          documents: withoutDevice(device),
        });
      }),
  };
}

const preferenceDecisions: Pick<AudienceDecisions, 'preferences.read' | 'preferences.set'> = {
  'preferences.read': (state, { ref }, context) =>
    withPerson(state, ref, context, (app, row) => accepted(preferencesOf(app, row))),

  'preferences.set': (state, { ref, change, source }, context) =>
    withPerson(state, ref, context, (app, row) => {
      const isClient = source !== undefined;
      return changePreferences(app, row, change, { isClient, vouched: !isClient }, context);
    }),
};

function withDevice<R>(
  state: AudienceMemory,
  ref: PersonRef,
  deviceId: string,
  context: Context,
  decide: (row: SubscriberRow, device: DeviceRow, app: AudienceView) => Decision<R>,
): Decision<R> {
  return withPerson(state, ref, context, (app, row) => {
    const device = row.devices.find((one) => one.id === deviceId);
    return device === undefined ? refused(notFound('device')) : decide(row, device, app);
  });
}
