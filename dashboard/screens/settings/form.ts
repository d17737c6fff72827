// The form of an app's settings: its name and zone, and the settings, flat where a patch merges.

import type { ArgumentsOf } from '../../api/client.ts';
import type { App, AppSettings } from '../../api/generated.ts';
import { type PriceDraft, priceDraftOf, pricesOf } from '../../relays/price-draft.ts';

export interface Form
  extends Pick<App, 'name' | 'timezone'>,
    Pick<
      AppSettings,
      | 'caps'
      | 'undoSendSeconds'
      | 'campaignGuard'
      | 'quietHours'
      | 'webhookUrl'
      | 'eventsRetentionDays'
      | 'emailTracking'
      | 'unsubscribe'
      | 'unsubscribeScope'
      | 'doubleOptIn'
      | 'displayName'
      | 'keywords'
      | 'wording'
      | 'keylessPeoplePerMinute'
      | 'anonymousExpiryDays'
      | 'identityVerification'
      | 'keylessEvents'
      | 'defaultCountry'
      | 'refuseDisposableAddresses'
      | 'utm'
    > {
  readonly textPrices: PriceDraft;
  readonly fromName: string;
  readonly fromAddress: string;
  readonly replyTo: string;
  readonly unsubscribeText: string;
  /** Typed here; never read back. `null` removes it. */
  readonly secret: string | null;
}

/** What the form is about: two objects, each with its own version. */
export interface Versions {
  readonly app: App;
  readonly settings: AppSettings;
  /** Of both. */
  readonly etag: string;
}

export function versionsOf(app: App, settings: AppSettings): Versions {
  return { app, settings, etag: `${app.etag} ${settings.etag}` };
}

export function formOf({ app: { name, timezone }, settings }: Versions): Form {
  const { email, etag: _etag, secretSet: _set, deletesBefore: _before, ...plain } = settings;
  return {
    name,
    timezone,
    ...plain,
    textPrices: priceDraftOf(plain.textPrices),
    fromName: email.fromName ?? '',
    fromAddress: email.fromAddress ?? '',
    replyTo: email.replyTo ?? '',
    unsubscribeText: email.unsubscribeText ?? '',
    secret: '',
  };
}

const emailNames = ['fromName', 'fromAddress', 'replyTo', 'unsubscribeText'] as const;
type SettingsBody = ArgumentsOf<'updateSettings'>['body'];

/** The two bodies of a save; `undefined` where nothing of it changed. */
export function bodiesOf(changes: Partial<Form>): {
  readonly app: Partial<Pick<App, 'name' | 'timezone'>> | undefined;
  readonly settings: SettingsBody | undefined;
} {
  const { name, timezone, ...rest } = changes;
  const app = {
    ...(name === undefined ? {} : { name }),
    ...(timezone === undefined ? {} : { timezone }),
  };
  const settings: Record<string, unknown> = { ...rest };
  const email: Record<string, string | null> = {};
  for (const one of emailNames) {
    if (rest[one] === undefined) continue;
    email[one] = rest[one] === '' ? null : rest[one];
    delete settings[one];
  }
  if (Object.keys(email).length > 0) settings['email'] = email;
  if (rest.textPrices !== undefined) settings['textPrices'] = pricesOf(rest.textPrices);
  // An empty box is no secret; only “remove” is `null`.
  if (settings['secret'] === '') delete settings['secret'];
  return {
    app: Object.keys(app).length === 0 ? undefined : app,
    settings: Object.keys(settings).length === 0 ? undefined : (settings as SettingsBody),
  };
}

/** Where a field of the form stands in an error of the API. */
export function errorPath(name: keyof Form): string {
  return (emailNames as readonly string[]).includes(name) ? `email.${name}` : name;
}

/** What each part of the settings gets. */
export interface PartProps {
  readonly draft: Form;
  readonly change: (part: Partial<Form>) => void;
  /** The server's words about a field. */
  readonly errorOf: (name: keyof Form) => string | undefined;
}
