// The wire shape of an app's settings. A patch replaces the named fields; `email` merges. The
// webhook's secret is never read back. Source: contract, section 3; specification, "App settings".

import { z } from 'zod';
import { hasNumberingPlan } from '../../../actors/channels/addresses/country-code.ts';
import { unsubscribeWays } from '../../../actors/channels/port/attempt.ts';
import { textPricesSchema } from '../../../actors/channels/relays/gateway/price-schema.ts';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import { anonymousExpiryDaysOf } from '../../../actors/people/anonymous-expiry.ts';
import { settingsEtag } from '../../../actors/tenants/accounts/account-etags.ts';
import { guardDefaults, guardOf } from '../../../actors/tenants/accounts/campaign-guard.ts';
import type { SettingsPatch } from '../../../actors/tenants/accounts/protocol.ts';
import {
  type AppSettings,
  defaultKeylessEvents,
  type IdentityVerification,
  optOutScopes,
} from '../../../actors/tenants/accounts/records.ts';
import { platformAddress } from '../../../actors/tenants/accounts/sender.ts';
import {
  softBounceDefaults,
  softBouncesOf,
} from '../../../actors/tenants/accounts/soft-bounces.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { present } from '../../call/answer/present.ts';
import { emailSchema } from '../../call/schemas/email-schema.ts';
import { exampleEtag } from '../../call/schemas/example-ids.ts';
import {
  canonicalZone,
  channelSchema,
  channelsSchema,
  etagSchema,
  instant,
  instantSchema,
  isOneLine,
  isTimeZone,
} from '../../call/schemas/schemas.ts';
import { guardPatch, guardSchema } from '../campaign-guard-shape.ts';
import { keywordsPatch, keywordsSchema, keywordsView } from './keywords-shape.ts';
import { noUtm, ownUtm, utmPatch, utmSchema, utmView } from './utm-shape.ts';
import { ownWording, wordingPatch, wordingSchema } from './wording-shape.ts';

const unsubscribe = z
  .enum(unsubscribeWays)
  .describe(
    'Where emails offer to unsubscribe, for messages without an `unsubscribe` of their own. `null`: `none` in transactional messages, `both` in marketing. Marketing always has the header.',
  );
const unsubscribeScope = z
  .enum(optOutScopes)
  .describe(
    'What the unsubscribe link of a marketing email ends: `all` messages to the address, or `marketing` alone, with a second link for all. Any other opt-out applies to all messages.',
  );

const defaultCountry = z
  .string()
  .trim()
  .overwrite((code) => code.toUpperCase())
  .refine(
    hasNumberingPlan,
    'expected a country as two letters of ISO 3166, such as US, ID or TH; null for none',
  );

const identityModes = ['required', 'first-use', 'open'] as const;

const capShape = z.object({
  channel: channelSchema.optional().describe('Counts this channel only; all channels if omitted.'),
  max: integerRange(1, limits.capCountMax),
  perHours: integerRange(1, limits.capHoursMax),
});

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a local time as HH:mm, from 00:00 to 23:59');

const quietHoursShape = z
  .object({
    start: timeOfDay,
    end: timeOfDay.describe('Exclusive. An end before the start falls on the next day.'),
    timezone: z
      .string()
      .refine(
        (zone) => zone === 'subscriber' || isTimeZone(zone),
        'expected "subscriber" or an IANA time zone, such as Asia/Bangkok',
      )
      .overwrite((zone) => (zone === 'subscriber' ? zone : canonicalZone(zone)))
      .default('subscriber')
      .describe("`subscriber` for each person's own time zone, or an IANA time zone."),
    channels: channelsSchema.optional().describe('Only these channels; all channels if omitted.'),
  })
  .refine(({ start, end }) => start !== end, {
    path: ['end'],
    message: 'must differ from start; set quietHours to null to turn quiet hours off',
  });

const lineOf = (max: number) =>
  z.string().trim().min(1).max(max).refine(isOneLine, 'must not contain control characters');

const keylessEventsPatch = z
  .object({
    startJourneys: z
      .boolean()
      .optional()
      .describe(
        'Whether their events start journeys, also by moving a person into a segment, as their tags, devices and logins may. A person they move into a segment is in it, and starts its journeys with the next event or change with a key or proof. In any case such events start one journey for one person at most once an hour.',
      ),
    countEngagement: z
      .boolean()
      .optional()
      .describe(
        'Whether their opens, clicks and goal events count for campaigns, experiments and the goals of journeys. What providers and tracked links report always counts, and so do events of people with proof. Apps made on a live server start with `false`, so that forged opens decide no experiment; in the sandbox with `true`.',
      ),
    registerPaidChannels: z
      .boolean()
      .nullable()
      .optional()
      .describe(
        'Whether clients register addresses of channels that bill per message (sms, voice, whatsapp, rcs, kakao, viber). `null`, the default: only in sandbox mode.',
      ),
  })
  .describe(
    'What clients may do without proof: without an API key and without the token of a login with an `identityHash`. Only the fields you send change.',
  );

const softBouncesPatch = z.object({
  inARow: integerRange(2, 50).describe('Soft bounces in a row, with no delivery in between.'),
  overDays: integerRange(0, 60).describe('From the first to the last of them, at least.'),
  restDays: integerRange(1, 90).describe('How long the address rests.'),
});

const softBouncesWords =
  'When an address rests because emails to it come back for reasons that pass, such as a full mailbox: marketing is then `suppressed` with the reason `resting`, transactional email is sent. One more soft bounce after a rest begins another; a delivery starts the count again. `null`: no address rests.';

const textPricesWords =
  "What one segment of a text costs with the app's own carrier account, in the currency's unit: `perSegment` for countries without a price of their own in `byCountry`. The review of a campaign counts with it where the relay that sends first has no `price`. `null`: unknown.";

export const settingsPatch = z
  .object({
    caps: z
      .array(capShape)
      .max(limits.capsMax)
      .optional()
      .describe(
        'Frequency caps: the most marketing messages per person in a rolling window of hours. Sends above the cap are suppressed.',
      ),
    quietHours: quietHoursShape
      .nullable()
      .optional()
      .describe(
        'Quiet hours: marketing sends in this window wait until it ends. `null` turns them off.',
      ),
    campaignGuard: guardPatch
      .nullable()
      .optional()
      .describe(
        'When campaigns pause automatically because their emails bounce, are reported as spam or are refused because of their sender. Replaced as a whole; omitted fields have their default, `null` turns it off.',
      ),
    softBounces: softBouncesPatch.nullable().optional().describe(softBouncesWords),
    webhookUrl: z
      .string()
      .trim()
      .max(2048)
      .refine(isWebAddress, 'expected an http or https URL without username or password')
      .nullable()
      .optional()
      .describe(
        'The delivery webhook: a public https URL on port 443 or 8443. The operator may allow other URLs; the sandbox does. `null` turns the webhook off.',
      ),
    secret: lineOf(512)
      .nullable()
      .optional()
      .describe('Signs webhook deliveries. Write only; `null` removes it.'),
    email: z
      .object({
        fromName: lineOf(128).nullable().optional(),
        fromAddress: emailSchema
          .nullable()
          .optional()
          .describe(
            "An address of a verified domain (see `/v1/apps/{appId}/email-domains`) or the app's `platformAddress`; in sandbox mode any address. `null`: the `platformAddress`.",
          ),
        replyTo: emailSchema.nullable().optional(),
        unsubscribeText: lineOf(500).nullable().optional(),
      })
      .optional()
      .describe('The sender of emails. Only the fields you send change; `null` removes a field.'),
    eventsRetentionDays: integerRange(limits.eventsRetentionDaysMin, limits.eventsRetentionDays)
      .nullable()
      .optional()
      .describe(
        'How long events and sends are kept; `null` uses the platform default. What a shorter retention hides stays hidden: see `deletesBefore` in the answer.',
      ),
    emailTracking: z
      .boolean()
      .optional()
      .describe('Adds an open pixel and tracked links to emails.'),
    unsubscribe: unsubscribe.nullable().optional(),
    unsubscribeScope: unsubscribeScope.optional(),
    doubleOptIn: z
      .boolean()
      .optional()
      .describe(
        'Whether a sign-up (`POST /v1/sdk/subscribe`) that names no topics asks the address for a confirmation. Topics decide for themselves by their own `doubleOptIn`, and a sign-up for an address that belongs to someone else always asks.',
      ),
    displayName: z
      .array(z.string().normalize().min(1).max(limits.tagKeyCharsMax))
      .min(1)
      .max(limits.displayNameTagsMax)
      .refine((tags) => new Set(tags).size === tags.length, 'names a tag twice')
      .nullable()
      .optional()
      .describe(
        'Tags that make the name of a person, in this order. `null`: `name`, or else `first_name` and `last_name`.',
      ),
    keywords: keywordsPatch,
    wording: wordingPatch,
    utm: utmPatch,
    refuseDisposableAddresses: z
      .boolean()
      .optional()
      .describe(
        'Whether a new device with an email address of a disposable domain is refused, by every call, import, sign-up, SDK and customer data platform. Addresses that a person already has stay.',
      ),
    keylessPeoplePerMinute: integerRange(1, limits.keylessPeoplePerMinuteMax)
      .nullable()
      .optional()
      .describe(
        `How many people calls without a key or an identity hash may create per minute; \`null\` uses the platform default, ${limits.keylessPeoplePerMinute}. As the minute fills up, addresses that have created the most people are refused first.`,
      ),
    anonymousExpiryDays: integerRange(1, limits.anonymousExpiryDaysMax)
      .nullable()
      .optional()
      .describe(
        `After how many days without activity anonymous people expire; \`null\`: never. That is people who were created by a call without a key, have no \`externalUserId\`, and have since had no event or change with a key and no delivered message. An event, a login, a tag and a device count as activity. Their record and devices are removed, their events stay.`,
      ),
    identityVerification: z
      .enum(identityModes)
      .nullable()
      .optional()
      .describe(
        "What a login with an `externalUserId` must prove. `required`: an `identityHash`, always. `first-use`: nothing for an id that nobody has claimed and no call with a key has created or changed; otherwise an `identityHash` or that person's `clientToken`. `open`: nothing, so anyone who knows an id can log in as that person and receive what is sent to them, transactional messages such as password codes included. With `first-use` that holds for the first who claims an id. `null`, the default: `required` if the app has an identity secret, otherwise `first-use`.",
      ),
    keylessEvents: keylessEventsPatch.optional(),
    textPrices: textPricesSchema
      .nullable()
      .optional()
      .describe(`${textPricesWords} Replaced as a whole.`),
    undoSendSeconds: integerRange(0, limits.sendDelaySecondsMax)
      .nullable()
      .optional()
      .describe(
        `How many seconds the dashboard waits before a campaign begins to send, so that its author can undo it: the \`delaySeconds\` of its \`send\`. 0: it begins at once. \`null\`: the default, ${limits.undoSendSeconds}. Calls with a key are not delayed unless they ask for it.`,
      ),
    defaultCountry: defaultCountry
      .nullable()
      .optional()
      .describe(
        'The country of phone numbers without a country code, as two letters of ISO 3166 (`ID`): then `0812-3456-7101` is accepted like `+6281234567101`, in every call, import, SDK and customer data platform. What is stored is always E.164, and a change alters no stored number. `null`, the default: such numbers are refused.',
      ),
  })
  .meta({
    examples: [
      { email: { replyTo: 'help@acme.example' }, emailTracking: true },
      {
        caps: [{ channel: 'email', max: 3, perHours: 24 }],
        quietHours: { start: '22:00', end: '08:00', timezone: 'subscriber' },
        email: { fromName: 'Acme', fromAddress: 'hello@acme.example' },
      },
    ],
  });

export const settingsSchema = z
  .object({
    etag: etagSchema,
    caps: z.array(capShape),
    quietHours: z
      .object({
        start: z.string(),
        end: z.string(),
        timezone: z.string(),
        channels: z.array(channelSchema).optional(),
      })
      .nullable(),
    campaignGuard: guardSchema
      .nullable()
      .describe('When campaigns pause automatically; `null`: never.'),
    campaignGuardDefaults: guardSchema.describe(
      'What fields of `campaignGuard` are that nobody has set.',
    ),
    softBounces: softBouncesPatch.nullable().describe(softBouncesWords),
    webhookUrl: z.string().nullable(),
    secretSet: z.boolean().describe('Whether webhook deliveries are signed.'),
    email: z.object({
      fromName: z.string().nullable(),
      fromAddress: z.string().nullable(),
      replyTo: z.string().nullable(),
      unsubscribeText: z.string().nullable(),
      platformAddress: z
        .string()
        .nullable()
        .describe(
          "The app's address in the server's own domain. Emails come from it while `fromAddress` is `null`; `null` if the server has no such domain.",
        ),
    }),
    eventsRetentionDays: z.int().nullable(),
    deletesBefore: instantSchema
      .nullable()
      .describe(
        'Set by the last change of `eventsRetentionDays`: events and sends before this instant are hidden everywhere, and deleted within a day of that change. A longer retention does not bring them back. `null` if it was never changed.',
      ),
    emailTracking: z.boolean(),
    unsubscribe: unsubscribe.nullable(),
    unsubscribeScope,
    doubleOptIn: z.boolean(),
    displayName: z.array(z.string()).nullable(),
    keywords: keywordsSchema,
    wording: wordingSchema,
    utm: utmSchema,
    textPrices: textPricesSchema.nullable().describe(textPricesWords),
    refuseDisposableAddresses: z.boolean(),
    keylessPeoplePerMinute: z.int().nullable(),
    anonymousExpiryDays: z.int().nullable().describe('The setting, or its default.'),
    identityVerification: z.enum(identityModes).describe('The setting, or its default.'),
    keylessEvents: z
      .object({
        startJourneys: z.boolean(),
        countEngagement: z.boolean(),
        registerPaidChannels: z.boolean(),
      })
      .describe('The settings, or their defaults.'),
    undoSendSeconds: z.int().describe('The setting, or its default.'),
    defaultCountry: z
      .string()
      .nullable()
      .describe('The country of phone numbers without a country code; `null`: they are refused.'),
  })
  .meta({
    id: 'AppSettings',
    examples: [
      {
        etag: exampleEtag,
        caps: [{ channel: 'email', max: 3, perHours: 24 }],
        quietHours: { start: '22:00', end: '08:00', timezone: 'subscriber' },
        campaignGuard: guardDefaults,
        campaignGuardDefaults: guardDefaults,
        softBounces: softBounceDefaults,
        webhookUrl: null,
        secretSet: false,
        email: {
          fromName: 'Acme',
          fromAddress: 'hello@acme.example',
          replyTo: null,
          unsubscribeText: null,
          platformAddress: 'app-6dp@mail.engage.example',
        },
        eventsRetentionDays: null,
        deletesBefore: '2026-06-23T09:30:00.000Z',
        emailTracking: true,
        identityVerification: 'first-use',
        keylessEvents: { startJourneys: true, countEngagement: true, registerPaidChannels: false },
        unsubscribe: null,
        unsubscribeScope: 'all',
        doubleOptIn: true,
        displayName: null,
        keywords: { stop: ['genug'], start: [] },
        wording: { th: { open: 'ดูเลย' } },
        utm: { ...noUtm, source: 'engage', medium: '{{ channel }}', campaign: '{{ campaign }}' },
        textPrices: { currency: 'USD', perSegment: 0.05, byCountry: { VN: 0.0333 } },
        refuseDisposableAddresses: false,
        keylessPeoplePerMinute: null,
        anonymousExpiryDays: limits.anonymousExpiryDays,
        undoSendSeconds: limits.undoSendSeconds,
        defaultCountry: null,
      },
    ],
  });

export function settingsMessage(patch: z.output<typeof settingsPatch>): SettingsPatch {
  const {
    caps,
    quietHours,
    email,
    keywords,
    wording,
    utm,
    keylessEvents,
    campaignGuard,
    ...plain
  } = present(patch);
  return {
    ...plain,
    ...(caps === undefined ? {} : { caps: caps.map(present) }),
    ...(quietHours === undefined ? {} : { quietHours: quietHours && present(quietHours) }),
    ...(campaignGuard === undefined
      ? {}
      : { campaignGuard: campaignGuard && present(campaignGuard) }),
    ...(email === undefined ? {} : { email: present(email) }),
    ...(keywords === undefined ? {} : { keywords: keywords && present(keywords) }),
    ...(wording === undefined ? {} : { wording: wording && ownWording(wording) }),
    ...(utm === undefined ? {} : { utm: utm && ownUtm(utm) }),
    ...(keylessEvents === undefined ? {} : { keylessEvents: present(keylessEvents) }),
  };
}

/**
 * `isSandbox` and `verification` decide what defaults come to; `platformDomain` is the operator's,
 * if it has one.
 */
export function settingsView(
  settings: AppSettings,
  { isSandbox, verification }: { isSandbox: boolean; verification: IdentityVerification },
  app: Ordinal,
  platformDomain: string | undefined,
) {
  const keylessEvents = settings.keylessEvents ?? defaultKeylessEvents;
  const { caps, quietHours, webhookUrl, secret, email, eventsRetentionDays } = settings;
  return {
    etag: settingsEtag(settings),
    caps,
    quietHours,
    campaignGuard: guardOf(settings.campaignGuard, undefined),
    campaignGuardDefaults: guardDefaults,
    softBounces: softBouncesOf(settings),
    webhookUrl,
    secretSet: secret !== null,
    email: {
      fromName: email.fromName ?? null,
      fromAddress: email.fromAddress ?? null,
      replyTo: email.replyTo ?? null,
      unsubscribeText: email.unsubscribeText ?? null,
      platformAddress: platformAddress(app, platformDomain) ?? null,
    },
    eventsRetentionDays,
    deletesBefore: settings.goneBeforeMs === undefined ? null : instant(settings.goneBeforeMs),
    emailTracking: settings.emailTracking,
    unsubscribe: settings.unsubscribe,
    unsubscribeScope: settings.unsubscribeScope,
    doubleOptIn: settings.doubleOptIn ?? true,
    displayName: settings.displayName ?? null,
    keywords: keywordsView(settings.keywords),
    wording: settings.wording ?? null,
    utm: utmView(settings.utm),
    textPrices: settings.textPrices ?? null,
    refuseDisposableAddresses: settings.refuseDisposableAddresses ?? false,
    keylessPeoplePerMinute: settings.keylessPeoplePerMinute ?? null,
    anonymousExpiryDays: anonymousExpiryDaysOf(settings),
    identityVerification: verification,
    keylessEvents: {
      ...keylessEvents,
      registerPaidChannels: keylessEvents.registerPaidChannels ?? isSandbox,
    },
    undoSendSeconds: settings.undoSendSeconds ?? limits.undoSendSeconds,
    defaultCountry: settings.defaultCountry ?? null,
  };
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !isOneLine(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && hostname !== '';
}
