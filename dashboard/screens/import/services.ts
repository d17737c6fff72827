// The services that people move from: what to export, the command that imports it, and how an
// export of theirs is known by its columns. No DOM types here.

export const serviceIds = [
  'onesignal',
  'braze',
  'customerio',
  'klaviyo',
  'mailchimp',
  'listmonk',
] as const;

export type ServiceId = (typeof serviceIds)[number];

/** The files of an export, as the command names them. */
const filesOf: Readonly<Record<ServiceId, string>> = {
  onesignal: 'users.csv.gz',
  braze: 'users.json groups.json bounces.json unsubscribes.json',
  customerio: 'people.csv',
  klaviyo: 'profiles.csv suppressed.csv',
  mailchimp: '*_email_audience_export_*.csv',
  listmonk: 'subscribers.json',
};

/** One of them has all of its columns in lower case. */
const signs: Readonly<Record<ServiceId, readonly (readonly string[])[]>> = {
  onesignal: [['identifier', 'device_type']],
  braze: [['braze_id'], ['email_subscribe'], ['push_subscribe']],
  customerio: [['cio_id'], ['cio_subscription_preferences']],
  klaviyo: [['email marketing consent'], ['klaviyo id']],
  mailchimp: [
    ['email address', 'member_rating'],
    ['email address', 'leid'],
    ['email address', 'euid'],
  ],
  listmonk: [['uuid', 'attributes', 'status']],
};

/** Whose export it is; `undefined` for a file of one's own. */
export function serviceOfColumns(header: readonly string[]): ServiceId | undefined {
  const names = new Set(header.map((name) => name.trim().toLowerCase()));
  return serviceIds.find((id) =>
    signs[id].some((columns) => columns.every((column) => names.has(column))),
  );
}

export function commandOf(id: ServiceId, appId: string, url: string, more: string): string {
  return `engage import-${id} ${appId} ${filesOf[id]} --url ${url}${more}`;
}
