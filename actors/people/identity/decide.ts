// Decides about identities, and about what people may change with a client token.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import type { AudienceRules } from '../audience/decide.ts';
import { withPerson } from '../audience/find-person.ts';
import { endpointPolicy, newAddressPolicy } from '../audience/identity.ts';
import { preferencesOf } from '../audience/preferences.ts';
import { changeDevices } from '../audience/upsert.ts';
import { verificationOf } from '../identity-keys.ts';
import { allowsPaid } from '../paid-channels.ts';
import type { Bearer, Keyring } from './keyring.ts';
import { logIn } from './login.ts';
import type { IdentityMemory, IdentityView } from './memory.ts';
import type { MergingAreas } from './merge.ts';
import { logOut, register, unregister, unregisterAddress } from './own-records.ts';
import { setOwnPreferences, setOwnTags } from './own-wishes.ts';
import type { IdentityProtocol } from './protocol.ts';
import { endSessions, sessionsEnded } from './sessions.ts';

export interface IdentityRules extends AudienceRules {
  readonly keyring: Keyring;
  readonly everyArea: MergingAreas;
  readonly plan: {
    /** True in live mode. */
    readonly credentialsRequired: boolean;
  };
}

export function identityDecisions({
  keyring,
  allowHttpEndpoints,
  everyArea,
  plan: { credentialsRequired: isLive },
}: IdentityRules): Decisions<IdentityProtocol, IdentityMemory> {
  const withBearer = withBearerOf(keyring);
  return {
    'identity.put_secret': (state, { secret, tokenKey }, context) =>
      withApp(state, context, ({ identity }) => {
        const entries = [keyring.newSecret(identity.secret, secret, context)];
        // An app without tokens has none to end.
        if (tokenKey !== undefined && identity.tokenKey !== null)
          entries.push(keyring.newTokenKey(tokenKey, context));
        return accepted(null, { entries });
      }),

    'sdk.describe': (state, _message, context) =>
      withApp(state, context, (app) =>
        accepted({
          name: app.record.name,
          vapidPublicKey: app.vapidPublicKey,
          identityVerification: verificationOf(app),
          branding: app.branding,
        }),
      ),

    'sdk.login': (state, { login, room, claim = null }, context) =>
      withApp(state, context, (app) =>
        logIn(app, login, room, claim, { keyring, everyArea }, context),
      ),

    'sdk.person': (state, { clientToken }, context) =>
      withBearer(state, clientToken, context, ({ person, id }, _app, { isProven }) =>
        accepted({ person, subscriberId: id, isProven }),
      ),

    'sdk.register': (state, { clientToken, device }, context) =>
      withBearer(state, clientToken, context, (_row, app, bearer) => {
        const allowPaid = allowsPaid(app.settings, isLive);
        const policy = newAddressPolicy(app, allowHttpEndpoints);
        return register(bearer, device, { policy, allowPaid }, context);
      }),

    'sdk.unregister': (state, { clientToken, device }, context) =>
      withBearer(state, clientToken, context, (_row, { settings }, bearer) => {
        if (typeof device === 'string') return unregister(bearer, device, context);
        const policy = endpointPolicy(settings, allowHttpEndpoints);
        return unregisterAddress(bearer, device, policy, context);
      }),

    'sdk.logout': (state, { clientToken, deviceId }, context) =>
      withBearer(state, clientToken, context, (_row, _app, bearer) =>
        logOut(bearer, deviceId, context),
      ),

    'subscriber.end_sessions': (state, { ref }, context) =>
      withPerson(state, ref, context, (_app, row) => {
        const ended = endSessions(row);
        const entries = [sessionsEnded(context.owner, ended)];
        return changeDevices(ended, row.devices, context, null, { entries });
      }),

    'sdk.preferences': (state, { clientToken }, context) =>
      withBearer(state, clientToken, context, (row, app) => accepted(preferencesOf(app, row))),

    'sdk.set_preferences': (state, { clientToken, change }, context) =>
      withBearer(state, clientToken, context, (_row, app, bearer) =>
        setOwnPreferences(app, bearer, change, context),
      ),

    'sdk.tag': (state, { clientToken, ...tagged }, context) =>
      withBearer(state, clientToken, context, (_row, app, bearer) =>
        setOwnTags(app, bearer, tagged, context),
      ),
  };
}

/** Decides about the person of a token, or refuses. */
function withBearerOf(keyring: Keyring) {
  return <R>(
    state: IdentityMemory,
    token: string,
    context: Context,
    decide: (row: SubscriberRow, app: IdentityView, bearer: Bearer) => Decision<R>,
  ): Decision<R> =>
    withApp(state, context, (app) => {
      const read = keyring.read(app, token, context);
      return 'fault' in read ? refused(read.fault) : decide(read.row, app, read);
    });
}
