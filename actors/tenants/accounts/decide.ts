// Decides about orgs, keys, apps, settings and credentials. None of them makes key material.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Effect,
  refused,
} from '../../../engine/actor/message.ts';
import { slotOf } from '../../../engine/actor/placement.ts';
import type { Decisions, MessageOf, ReplyOf } from '../../../engine/actor/protocol.ts';
import { type Bytes, dayMs } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { SealError } from '../../../storage/sealed.ts';
import { assetBytes } from '../../../storage/tables/asset.ts';
import type { EveryArea } from '../../area.ts';
import type { CredentialName } from '../../channels/channel-ids.ts';
import { fault, notFound, unknownId } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { credentialPlace, type Sealer, settingPlace } from '../../sealer.ts';
import { adminKeysOf } from './admin-keys.ts';
import { emailDomainDecisions, senderFault } from './email-domains.ts';
import { beyondMaker } from './maker-scopes.ts';
import type { AccountsMemory, AccountsOrgView, AccountsView } from './memory.ts';
import { keyRecord, newOrg, nextOrdinal } from './new-org.ts';
import type { AccountsEntry, AccountsProtocol, DirectoryChanged, KeyView } from './protocol.ts';
import {
  type AppSettings,
  agencyOf,
  defaultKeylessEvents,
  defaultSettings,
  defaultSettingsLive,
  type KeyRecord,
  keptFromMs,
  type OrgRecord,
} from './records.ts';
import { rotateCredential, rotatedSince } from './rotate-credential.ts';
import type { SenderRules } from './sender.ts';
import { appSweepTimer } from './timers.ts';
import { withApp, withOrg } from './with-app.ts';

/** Documents of a deleted app that one turn removes. */
const sweepRows = 500;
/** Of up to a mebibyte each. */
const sweepLargeRows = 16;
const keysMax = 1_000;
const appsMax = 1_000;

/** `sealer` seals secrets before they are written. */
export interface AccountsRules {
  readonly sealer: Sealer;
  readonly everyArea: Pick<EveryArea<never>, 'appTables' | 'createApp'>;
  /** `credentialsRequired`: the server is live, not a sandbox. */
  readonly plan: { readonly senders: SenderRules; readonly credentialsRequired: boolean };
  /** Of an org that is made; absent for none. */
  readonly newOrgQuotaBytes?: Bytes;
}

export function accountsDecisions(rules: AccountsRules): AccountsDecisions {
  return {
    ...orgDecisions,
    ...newOrgDecisions(rules),
    ...keyDecisions,
    ...appDecisions(rules),
    ...settingsDecisions(rules),
    ...credentialDecisions(rules),
    ...emailDomainDecisions(rules),
  };
}

type AccountsDecisions = Decisions<AccountsProtocol, AccountsMemory>;
type DecisionsOf<Area extends string> = Pick<
  AccountsDecisions,
  Extract<keyof AccountsDecisions, `${Area}.${string}`>
>;

function newOrgDecisions({
  newOrgQuotaBytes: storageQuotaBytes,
}: AccountsRules): Pick<AccountsDecisions, 'org.create'> {
  return {
    'org.create': (state, message, context) => {
      if (state.orgById.has(message.orgId))
        return refused(fault('duplicate', 'this org already exists'));
      const asked = storageQuotaBytes === undefined ? message : { ...message, storageQuotaBytes };
      const { org, key, entries } = newOrg(state, slotOf(context.owner), asked, context);
      return accepted({ org, key: keyView(key) }, { entries });
    },
  };
}

const orgDecisions: Omit<DecisionsOf<'org'>, 'org.create'> = {
  'org.created': (state, { orgId }) => {
    const org = state.orgs.get(state.orgById.get(orgId) ?? -1);
    if (org === undefined || org.record.closedMs !== undefined) return refused(notFound('org'));
    const keys = [...org.keyIds].map((keyId) => state.keys.get(keyId) as KeyRecord);
    return accepted({
      org: org.record,
      keys: keys.map(({ id, secretHash }) => ({ id, secretHash })),
    });
  },

  'org.locate': (state, { orgId }) => {
    const ordinal = state.orgById.get(orgId);
    return ordinal === undefined ? refused(notFound('org')) : accepted(ordinal);
  },

  'org.read': (state, _message, context) => withOrg(state, context, (org) => accepted(org.record)),

  'org.exists': (state) => accepted(state.orgs.size > 0),

  'org.rename': (state, message, context) =>
    withOrg(state, context, (org) =>
      message.name === undefined
        ? accepted(org.record)
        : changeOrg(org, { name: message.name }, context),
    ),

  'org.set_limits': (state, message, context) =>
    withOrg(state, context, (org) => {
      const { record } = org;
      if (record.closedMs !== undefined) return refused(notFound('org'));
      const { dailySendCap, rateLimits, emailAllowance, emailDomains, storageQuotaBytes } = message;
      const change = {
        ...(emailDomains === undefined ? {} : { emailDomains }),
        ...(dailySendCap === undefined ? {} : { dailySendCap }),
        ...(emailAllowance === undefined ? {} : { emailAllowance }),
        ...(storageQuotaBytes === undefined ? {} : { storageQuotaBytes }),
        ...(rateLimits === undefined
          ? {}
          : { rateLimits: { ...record.rateLimits, ...rateLimits } }),
      };
      return changeOrg(org, change, context);
    }),

  'org.tally': (state, _message, context) =>
    withOrg(state, context, (org) => {
      const day = Math.floor(context.nowMs / dayMs);
      return accepted({
        org: org.record,
        daily: { used: org.sendsDay === day ? org.sendsToday : 0, resetsMs: (day + 1) * dayMs },
        eventsRetentionDays: limits.eventsRetentionDays,
      });
    }),
};

const keyDecisions: DecisionsOf<'key'> = {
  'key.find': (state, message) => {
    const key = state.keys.get(message.keyId);
    const org = key === undefined ? undefined : state.orgs.get(key.org);
    if (key === undefined || org === undefined) return accepted(null);
    const app = key.appId === null ? undefined : appById(state, org, key.appId);
    // A deleted app's keys are gone, too.
    if (key.appId !== null && app === undefined) return accepted(null);
    return accepted({
      keyObjectId: key.id,
      secretHash: key.secretHash,
      scopes: key.scopes,
      org: key.org,
      orgId: org.record.id,
      ...agencyOf(org.record),
      app: app?.record.ordinal ?? null,
      appId: key.appId,
      rateLimits: org.record.rateLimits,
    });
  },

  'key.create': (state, message, context) =>
    withOrg(state, context, (org) => {
      if (org.keyIds.size >= keysMax)
        return refused(fault('limit_reached', `an org has at most ${keysMax} keys`));
      if (message.appId !== null && appById(state, org, message.appId) === undefined) {
        return refused(unknownId('appId', 'app', message.appId));
      }
      const { actor, scopes } = message;
      const given = { field: 'scopes', given: 'make keys with scopes' };
      const beyond = beyondMaker(state, org, actor, scopes, given);
      if (beyond !== undefined) return refused(beyond);
      const key = keyRecord(message.key, message.name, message.scopes, message.appId, context);
      return accepted(keyView(key), {
        entries: [{ kind: 'key.created', owner: context.owner, key } as AccountsEntry],
      });
    }),

  'key.list': (state, _message, context) =>
    withOrg(state, context, (org) =>
      accepted(
        [...org.keyIds]
          .map((keyId) => keyView(state.keys.get(keyId) as KeyRecord))
          .sort((a, b) => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1)),
      ),
    ),

  'key.delete': (state, message, context) =>
    withOrg(state, context, (org) => {
      for (const keyId of org.keyIds) {
        if (state.keys.get(keyId)?.id !== message.id) continue;
        if (isLastWayIn(state, org, keyId)) return refused(lastWayIn);
        const entry: AccountsEntry = { kind: 'key.deleted', owner: context.owner, keyId };
        return accepted(null, { entries: [entry], effects: [directoryChanged([keyId])] });
      }
      return refused(notFound('key'));
    }),
};

const lastWayIn = fault(
  'wrong_state',
  'this is the only admin key of the org, and there is no owner who has signed in; create another admin key first',
);

/** Whether nobody could make keys without this one: no other key, and no owner who came. */
function isLastWayIn(
  state: Pick<AccountsMemory, 'keys'>,
  org: Pick<AccountsOrgView, 'keyIds' | 'members'>,
  keyId: string,
): boolean {
  // An owner who was only invited may decline.
  for (const { role, isOpen } of org.members.values())
    if (role === 'owner' && isOpen !== true) return false;
  const makers = adminKeysOf(state, org);
  return makers.length === 1 && makers[0] === keyId;
}

function appDecisions(rules: AccountsRules): DecisionsOf<'app'> {
  return {
    'app.create': (state, message, context) =>
      withOrg(state, context, (org) => createApp(state, org, message, rules, context)),

    'app.list': (state, _message, context) =>
      withOrg(state, context, (org) =>
        accepted(
          [...org.apps]
            .flatMap((ordinal) => state.apps.get(ordinal)?.record ?? [])
            .sort((a, b) => (a.id < b.id ? -1 : 1)),
        ),
      ),

    'app.read': (state, _message, context) =>
      withApp(state, context, (app) =>
        accepted({
          ...app.record,
          vapidPublicKey: app.vapidPublicKey,
          branding: app.branding,
        }),
      ),

    'app.update': (state, message, context) =>
      withApp(state, context, (app) => {
        const record = {
          ...app.record,
          ...(message.name === undefined ? {} : { name: message.name }),
          ...(message.timezone === undefined ? {} : { timezone: message.timezone }),
        };
        return accepted(record, {
          entries: [{ kind: 'app.changed', owner: context.owner, app: record } as AccountsEntry],
        });
      }),

    'app.delete': (state, _message, context) =>
      withApp(state, context, (app) => {
        const org = state.orgs.get(app.record.org);
        const keyIds = [...(org?.keyIds ?? [])].filter(
          (id) => state.keys.get(id)?.appId === app.record.id,
        );
        const entry: AccountsEntry = {
          kind: 'app.deleted',
          owner: context.owner,
          atMs: context.nowMs,
        };
        return accepted(null, {
          entries: [entry, appSweepTimer(context.owner, context.nowMs)],
          effects: [directoryChanged(keyIds)],
        });
      }),

    'app.sweep': (state, { isExtra }, context) => sweepApp(state, rules, context, isExtra === true),
  };
}

function settingsDecisions({ sealer, plan }: AccountsRules): DecisionsOf<'settings'> {
  return {
    'settings.read': (state, _message, context) =>
      withApp(state, context, ({ settings }) => accepted(settings)),

    'settings.patch': (state, message, context) =>
      withApp(state, context, (app) => {
        const { secret, email, keylessEvents, ...plain } = message.patch;
        const { fromAddress } = email ?? {};
        const unproven = fromAddress && senderFault(app, fromAddress, plan.senders);
        if (unproven) return refused(unproven);
        const settings: AppSettings = {
          ...app.settings,
          ...plain,
          ...(secret === undefined
            ? {}
            : {
                secret:
                  secret === null
                    ? null
                    : sealer.seal(secret, settingPlace(context.owner, 'secret'), context.rng),
              }),
          ...(email === undefined ? {} : { email: mergeEmail(app.settings.email, email) }),
          ...(keylessEvents === undefined
            ? {}
            : {
                keylessEvents: {
                  ...defaultKeylessEvents,
                  ...app.settings.keylessEvents,
                  ...keylessEvents,
                },
              }),
        };
        const { owner, nowMs: atMs } = context;
        const entries: AccountsEntry[] = [{ kind: 'settings.changed', owner, settings, atMs }];
        if (plain.eventsRetentionDays === undefined) return accepted(settings, { entries });
        // What either retention hides is hidden for good: a longer one shows nothing again.
        const beforeMs = Math.max(
          keptFromMs(app.settings, context.ages, atMs),
          keptFromMs(settings, context.ages, atMs),
        );
        entries.push({ kind: 'events.gone', owner, beforeMs });
        return accepted({ ...settings, goneBeforeMs: beforeMs }, { entries });
      }),
  };
}

function openCredential(
  app: AccountsView,
  channel: CredentialName,
  sealer: Sealer,
  { owner }: Context,
): Decision<AccountsProtocol['credential.open']['reply']> {
  const record = app.credentials.get(channel);
  if (record === undefined) return refused(notFound('credential'));
  try {
    const text = sealer.open(record.sealed, credentialPlace(owner, channel));
    return accepted({ state: 'ready', value: JSON.parse(text) as unknown });
  } catch (error) {
    if (error instanceof SealError) return accepted({ state: 'unreadable' });
    throw error;
  }
}

function credentialDecisions({ sealer }: AccountsRules): DecisionsOf<'credential'> {
  return {
    'credential.put': (state, message, context) =>
      withApp(state, context, (app) => {
        const { channel, credential, fingerprint } = message;
        const record = {
          channel,
          sealed: sealer.seal(
            JSON.stringify(credential),
            credentialPlace(context.owner, channel),
            context.rng,
          ),
          ...rotatedSince(app, message, sealer, context.owner),
          fingerprint,
          generated: false,
          updatedMs: context.nowMs,
        };
        const publicKey =
          channel === 'webpush' ? ((credential as { publicKey?: string }).publicKey ?? null) : null;
        const entry: AccountsEntry = {
          kind: 'credential.stored',
          owner: context.owner,
          credential: record,
          publicKey,
        };
        return accepted({ channel, fingerprint, updatedMs: context.nowMs }, { entries: [entry] });
      }),

    'credential.rotate': (state, message, context) =>
      withApp(state, context, (app) => rotateCredential(app, message, sealer, context)),

    'credential.open': (state, { channel }, context) =>
      withApp(state, context, (app) => openCredential(app, channel, sealer, context)),

    'credential.list': (state, _message, context) =>
      withApp(state, context, (app) =>
        accepted(
          [...app.credentials.values()].map(({ channel, fingerprint, updatedMs }) => ({
            channel,
            fingerprint,
            updatedMs,
          })),
        ),
      ),

    'credential.delete': (state, message, context) =>
      withApp(state, context, (app) => {
        if (!app.credentials.has(message.channel)) return refused(notFound('credential'));
        if (message.channel === 'webpush') {
          return refused(
            fieldFault(
              'channel',
              'an app always has web push keys; upload new keys to replace them',
              'wrong_state',
            ),
          );
        }
        const entry: AccountsEntry = {
          kind: 'credential.deleted',
          owner: context.owner,
          channel: message.channel,
        };
        return accepted(null, { entries: [entry] });
      }),
  };
}

function createApp(
  state: AccountsMemory,
  org: AccountsOrgView,
  message: MessageOf<AccountsProtocol, 'app.create'>,
  { sealer, everyArea, plan }: AccountsRules,
  context: Context,
): Decision<ReplyOf<AccountsProtocol, 'app.create'>> {
  if (org.apps.size >= appsMax)
    return refused(fault('limit_reached', `an org has at most ${appsMax} apps`));
  const ordinal = nextOrdinal(state, slotOf(context.owner));
  const app = {
    id: newId('app', ordinal, context.nowMs, context.rng),
    ordinal,
    org: context.owner,
    name: message.name,
    timezone: message.timezone,
    createdMs: context.nowMs,
  };
  const secret = JSON.stringify(message.vapid);
  const own: AccountsEntry[] = [
    {
      kind: 'app.created',
      owner: ordinal,
      app,
      vapidPublicKey: message.vapid.publicKey,
      settings: plan.credentialsRequired ? defaultSettingsLive : defaultSettings,
    },
    {
      kind: 'credential.stored',
      owner: ordinal,
      publicKey: message.vapid.publicKey,
      credential: {
        channel: 'webpush',
        sealed: sealer.seal(secret, credentialPlace(ordinal, 'webpush'), context.rng),
        fingerprint: message.vapid.publicKey.slice(0, 16),
        generated: true,
        updatedMs: context.nowMs,
      },
    },
  ];
  const entries = [...own, ...everyArea.createApp(ordinal, context.nowMs, context.rng)];
  return accepted(app, { entries });
}

/** Removes a slice of a deleted app's documents; a timer continues. */
function sweepApp(
  state: AccountsMemory,
  { everyArea }: AccountsRules,
  context: Context,
  isExtra: boolean,
): Decision<null> {
  if (!state.tombstones.has(context.owner)) return accepted(null);
  const documents: DocumentWrite[] = [];
  let isFull = false;
  for (const table of everyArea.appTables) {
    const left = sweepRows - documents.length;
    const limit = table.id === assetBytes.id ? Math.min(left, sweepLargeRows) : left;
    const rows = context.documents.range(table, { limit });
    for (const { key } of rows) {
      documents.push({ table, key, value: undefined });
    }
    isFull = rows.length === limit;
    if (isFull) break;
  }
  const done = !isFull;
  const swept: AccountsEntry = { kind: 'app.swept', owner: context.owner, done };
  const again = done || isExtra ? [] : [appSweepTimer(context.owner, context.nowMs + 100)];
  return accepted(null, { entries: [swept, ...again], documents });
}

function changeOrg(
  org: AccountsOrgView,
  change: Partial<OrgRecord>,
  { nowMs: atMs }: Context,
): Decision<OrgRecord> {
  const record = { ...org.record, ...change };
  const entry: AccountsEntry = {
    kind: 'org.changed',
    owner: org.record.ordinal,
    org: record,
    atMs,
  };
  return accepted(record, { entries: [entry], effects: [directoryChanged([...org.keyIds])] });
}

export function directoryChanged(keyIds: readonly string[]): Effect {
  return { port: 'front', message: { kind: 'directory.changed', keyIds } as DirectoryChanged };
}

function appById(
  state: AccountsMemory,
  org: AccountsOrgView,
  appId: string,
): AccountsView | undefined {
  for (const ordinal of org.apps) {
    const app = state.apps.get(ordinal);
    if (app?.record.id === appId) return app;
  }
  return undefined;
}

function keyView({ id, name, scopes: granted, appId, createdMs }: KeyRecord): KeyView {
  return { id, name, scopes: granted, appId, createdMs };
}

function mergeEmail(
  now: AppSettings['email'],
  patch: { readonly [K in keyof AppSettings['email']]: string | null },
): AppSettings['email'] {
  const merged: Record<string, string> = { ...now };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else if (value !== undefined) merged[key] = value;
  }
  return merged;
}
