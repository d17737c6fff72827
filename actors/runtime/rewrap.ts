// Rotates the master key: counts secrets per key and seals them again under the first. Log blocks
// and checkpoints keep old bytes until they age out, but are never opened: the old key may go
// before.

import {
  accepted,
  type Context,
  type Decision,
  type Entry,
  refused,
  type Tell,
} from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { SealError, sealedKeyId } from '../../storage/sealed.ts';
import type { Area } from '../area.ts';
import { fault } from '../faults.ts';
import { rewrapDestinations, sealedDestinations } from '../integrations/webhooks/rewrap.ts';
import { rewrapIdentity, sealedIdentity } from '../people/identity/rewrap.ts';
import { credentialPlace, emailDomainPlace, type Sealer, settingPlace } from '../sealer.ts';
import type { AccountsEntry, Caller } from '../tenants/accounts/protocol.ts';
import { withApp } from '../tenants/accounts/with-app.ts';
import { rewrapRelays } from '../tenants/relays/rewrap.ts';
import type { AppState, OrgState, PartitionState } from './state.ts';

/** Sealed values under one master key. */
interface SealedCount {
  /** Hexadecimal, as storage's `keyId` makes it. */
  readonly keyId: string;
  readonly count: number;
}

export interface SecretsSurvey {
  readonly keys: readonly SealedCount[];
  /** Apps and orgs with a value that is not under the sealing key. */
  readonly stale: readonly Ordinal[];
}

/** For the operator's tools only. */
export interface SecretsProtocol {
  /** To any address of a partition: covers all its apps. */
  'secrets.survey': { body: Caller; reply: SecretsSurvey };
  /** To an app or an org. Idempotent. Refused without any change if a value cannot be opened. */
  'secrets.rewrap': { body: Caller; reply: { rewrapped: number } };
}

export function surveySecrets(
  state: PartitionState,
  needsRewrap: (sealed: Uint8Array) => boolean,
): SecretsSurvey {
  const counts = new Map<string, number>();
  const stale: Ordinal[] = [];
  for (const [ordinal, owner] of ownersOf(state)) {
    let isStale = false;
    for (const sealed of owner) {
      const keyId = sealedKeyId(sealed);
      counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
      isStale ||= needsRewrap(sealed);
    }
    if (isStale) stale.push(ordinal);
  }
  return { keys: [...counts].map(([keyId, count]) => ({ keyId, count })), stale };
}

/** `sealer` opens with any configured key and seals with the first. */
function secretsDecisions({
  sealer,
}: {
  readonly sealer: Sealer;
}): Decisions<SecretsProtocol, PartitionState> {
  return {
    'secrets.survey': (state) => accepted(surveySecrets(state, sealer.needsRewrap)),

    'secrets.rewrap': (state, _message, context) => {
      const org = state.orgs.get(context.owner);
      if (org !== undefined) return rewrapOrg(org, sealer, context);
      return withApp(state, context, (app) => {
        const { owner, rng } = context;
        const entries: Entry[] = [];
        try {
          entries.push(...rewrapRelays(app.relays.values(), sealer, rng));
          for (const credential of app.credentials.values()) {
            if (!sealer.needsRewrap(credential.sealed)) continue;
            const place = credentialPlace(owner, credential.channel);
            const sealed = sealer.seal(sealer.open(credential.sealed, place), place, rng);
            const entry: AccountsEntry = {
              kind: 'credential.stored',
              owner,
              credential: { ...credential, sealed },
              publicKey: null, // unchanged
            };
            entries.push(entry);
          }
          for (const domain of app.emailDomains.values()) {
            if (!sealer.needsRewrap(domain.sealed)) continue;
            const place = emailDomainPlace(owner, domain.selector);
            const sealed = sealer.seal(sealer.open(domain.sealed, place), place, rng);
            const entry: AccountsEntry = {
              kind: 'email_domain.stored',
              owner,
              domain: { ...domain, sealed },
            };
            entries.push(entry);
          }
          entries.push(...rewrapIdentity(app.identity, owner, sealer, rng));
          entries.push(...rewrapDestinations(app.webhooks, owner, sealer, rng));
          const { secret } = app.settings;
          if (secret !== null && sealer.needsRewrap(secret)) {
            const place = settingPlace(owner, 'secret');
            const sealed = sealer.seal(sealer.open(secret, place), place, rng);
            const settings = { ...app.settings, secret: sealed };
            const entry: AccountsEntry = { kind: 'settings.changed', owner, settings };
            entries.push(entry);
          }
        } catch (error) {
          if (!(error instanceof SealError)) throw error;
          return refused(fault('wrong_state', `${app.record.id}: ${error.message}`));
        }
        return accepted({ rewrapped: entries.length }, { entries });
      });
    },
  };
}

/** Of an org only its relays are sealed. Its clients hear of them as of any other change. */
function rewrapOrg(
  { record, relays }: OrgState,
  sealer: Sealer,
  { owner, rng }: Pick<Context, 'owner' | 'rng'>,
): Decision<{ rewrapped: number }> {
  try {
    const entries = rewrapRelays(relays.values(), sealer, rng);
    const message = { kind: 'clients.retell', by: -1 } as Tell['message'];
    const tells = entries.length === 0 ? [] : [{ to: owner, message }];
    return accepted({ rewrapped: entries.length }, { entries, tells });
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return refused(fault('wrong_state', `${record.id}: ${error.message}`));
  }
}

/** What is sealed, of each app and each org. */
function* ownersOf({ apps, orgs }: PartitionState): Generator<[Ordinal, Iterable<Uint8Array>]> {
  for (const [ordinal, app] of apps) yield [ordinal, sealedOf(app)];
  for (const [ordinal, { relays }] of orgs)
    yield [ordinal, Array.from(relays.values(), ({ sealed }) => sealed)];
}

function* sealedOf(app: AppState): Generator<Uint8Array> {
  for (const { sealed } of app.credentials.values()) yield sealed;
  for (const { sealed } of app.emailDomains.values()) yield sealed;
  for (const { sealed } of app.relays.values()) yield sealed;
  if (app.settings.secret !== null) yield app.settings.secret;
  yield* sealedIdentity(app.identity);
  yield* sealedDestinations(app.webhooks);
}

export const secretsArea = {
  name: 'secrets',
  decide: secretsDecisions,
  whenDiskIsFull: ['secrets.survey'],
} as const satisfies Area<{ readonly sealer: Sealer }, PartitionState, AppState, OrgState>;
