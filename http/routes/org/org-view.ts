// The wire shape of an org and its limits.

import { z } from 'zod';
import { emailDomain } from '../../../actors/channels/email/address.ts';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import { orgEtag } from '../../../actors/tenants/accounts/account-etags.ts';
import type { OrgRecord } from '../../../actors/tenants/accounts/records.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema, nameSchema } from '../../call/schemas/schemas.ts';

const laneLimit = z.int().min(1).nullable().describe('Requests per minute; `null` is unlimited.');

const quotaMeaning =
  'Bytes that the org may store; `null` is unlimited. At the quota, requests that add events, people, pictures or content are a 507 `storage_quota`; requests without a key already at 90 % of it. Sends, reads, settings and deletions always work. Sending a campaign or a journey copies its content, which may take a tenth beyond it.';

export const orgSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    parentOrgId: z.string().nullable().describe("For a client workspace: its agency's org."),
    dailySendCap: z.int().min(0).nullable().describe('Sends per UTC day; `null` is unlimited.'),
    rateLimits: z.object({ transactional: laneLimit, standard: laneLimit }),
    emailAllowance: z
      .int()
      .min(0)
      .nullable()
      .describe('Delivered emails per month without billing; `null` is unlimited.'),
    emailDomains: z
      .array(z.string())
      .describe('Domains that every app of the org may send email from without proof.'),
    storageQuotaBytes: z.int().min(0).nullable().describe(quotaMeaning),
    etag: etagSchema,
    createdAt: instantSchema,
  })
  .meta({
    id: 'Org',
    examples: [
      {
        id: exampleIds.org,
        name: 'Acme',
        parentOrgId: null,
        dailySendCap: limits.dailySendCap,
        rateLimits: {
          transactional: limits.transactionalPerMinute,
          standard: limits.standardPerMinute,
        },
        emailAllowance: limits.emailAllowance,
        emailDomains: [],
        storageQuotaBytes: null,
        etag: exampleEtag,
        createdAt: exampleInstant(),
      },
    ],
  });

/** What a tenant may change about its own org. */
export const orgNameBody = z.object({ name: nameSchema }).meta({ examples: [{ name: 'Acme' }] });

const domainShape = z.string().superRefine((raw, context) => {
  const checked = emailDomain(raw);
  if ('problem' in checked) context.addIssue({ code: 'custom', message: checked.problem });
});

/** As stored: canonical, each once. */
export function domainsOf(shaped: readonly string[]): readonly string[] {
  const names = shaped.map(emailDomain).flatMap((one) => ('value' in one ? one.value : []));
  return [...new Set(names)].sort();
}

const laneRange = integerRange(1, 1e9).describe('Requests per minute; `null` is unlimited.');

/** What the operator may set. */
export const orgLimitsBody = z
  .object({
    dailySendCap: integerRange(0, 1e12).nullable().optional(),
    rateLimits: z
      .object({
        transactional: laneRange.nullable().optional(),
        standard: laneRange.nullable().optional(),
      })
      .optional(),
    emailAllowance: integerRange(0, 1e12).nullable().optional(),
    emailDomains: z
      .array(domainShape)
      .max(limits.vouchedDomainsMax)
      .optional()
      .describe(
        'Sender domains that you vouch for: every app of the org may send email from them without proof. Replaces the list. Email from them is signed only if an app verifies the domain.',
      ),
    storageQuotaBytes: integerRange(0, 1e15).nullable().optional().describe(quotaMeaning),
  })
  .meta({ examples: [{ dailySendCap: null, rateLimits: { transactional: 60_000 } }] });

const lane = z.object({
  limit: z.int().nullable(),
  remaining: z.int().nullable(),
  reset: z.int().describe('Seconds until the oldest charged units are available again.'),
});

export const orgUseSchema = z
  .object({
    dailySends: z.object({
      cap: z.int().nullable(),
      used: z.int(),
      resetsAt: instantSchema,
    }),
    lanes: z.object({ transactional: lane, standard: lane }),
    perIpPerMinute: z
      .int()
      .nullable()
      .describe(
        'Requests per minute from one address on routes without a key; `null` is unlimited.',
      ),
    batchSize: z.int().describe('Recipients in one notification batch.'),
    emailAllowance: z
      .object({
        included: z.int().nullable().describe('`null` is unlimited.'),
        used: z.int().describe('Emails delivered this month.'),
        reserved: z
          .int()
          .describe('Emails in flight: sent, and not yet delivered or failed. They count, too.'),
      })
      .describe(
        'For a month (UTC); each copy of an email (`cc`, `bcc`) is one. Without a payment method, email stops once `used` and `reserved` together reach `included`.',
      ),
    storage: z
      .object({
        quotaBytes: z.int().nullable(),
        usedBytes: z.int(),
        usedByKind: z
          .object({
            people: z.int().describe('Records, tags, devices, opt-outs, Live Activities.'),
            events: z.int().describe('For as long as they are kept.'),
            content: z
              .int()
              .describe(
                'Messages, templates, segments, flags, in-app messages, campaigns, journeys, their copies, dry runs and settings.',
              ),
            pictures: z.int(),
            webhooks: z.int().describe('The ledger of deliveries, for 30 days.'),
          })
          .describe('Their sum is `usedBytes`.'),
        clients: z
          .object({
            usedBytes: z.int().describe('As the client workspaces last reported.'),
            quotaBytes: z.int().nullable().describe('`null` is unlimited.'),
          })
          .nullable()
          .describe(
            'What all client workspaces of this org store together, and their limit. `null` in a client workspace.',
          ),
        agencyFull: z
          .boolean()
          .describe(
            'Whether this is a client workspace whose agency has no room left: all its client workspaces together have used up the storage that they share.',
          ),
      })
      .describe('Bytes that all apps of the org store: about, for events and people.'),
    eventsRetentionDays: z.int().describe('The platform default; an app may set fewer days.'),
  })
  .meta({
    id: 'OrgLimits',
    examples: [
      {
        dailySends: { cap: limits.dailySendCap, used: 1_204, resetsAt: '2026-09-22T00:00:00.000Z' },
        lanes: {
          transactional: { limit: limits.transactionalPerMinute, remaining: 5_981, reset: 41 },
          standard: { limit: limits.standardPerMinute, remaining: 1_199, reset: 60 },
        },
        perIpPerMinute: limits.perIpPerMinute,
        batchSize: limits.batchRecipientsMax,
        emailAllowance: { included: limits.emailAllowance, used: 312, reserved: 4 },
        storage: {
          quotaBytes: limits.storageQuotaGib * 1024 ** 3,
          usedBytes: 48_213_004,
          usedByKind: {
            people: 9_120_448,
            events: 36_204_117,
            content: 412_900,
            pictures: 1_903_616,
            webhooks: 571_923,
          },
          clients: {
            usedBytes: 0,
            quotaBytes: limits.clientsShare * limits.storageQuotaGib * 1024 ** 3,
          },
          agencyFull: false,
        },
        eventsRetentionDays: limits.eventsRetentionDays,
      },
    ],
  });

export function orgView(org: OrgRecord): z.output<typeof orgSchema> {
  const { id, name, parentOrgId, dailySendCap, rateLimits, emailAllowance, createdMs } = org;
  const { storageQuotaBytes = null } = org;
  const { transactional, standard } = rateLimits;
  const emailDomains = [...(org.emailDomains ?? [])];
  return {
    id,
    name,
    parentOrgId,
    dailySendCap,
    rateLimits: { transactional, standard },
    emailAllowance,
    emailDomains,
    storageQuotaBytes,
    etag: orgEtag(org),
    createdAt: instant(createdMs),
  };
}
