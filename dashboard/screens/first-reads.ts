// What the most visited screens ask for first, as addresses. `test/dashboard/early.test.ts` fails if
// a screen no longer asks for one of them.

const lists: Readonly<Record<string, (app: string) => readonly string[]>> = {
  home: (app) =>
    [
      ...['subscribers?limit=1', 'messages?limit=1', 'campaigns?limit=50&order=newest', 'channels'],
      'campaigns?state=paused&order=newest&limit=10',
      'campaigns?state=failed&order=newest&limit=10',
      'campaigns?state=sending&order=newest&limit=10',
    ].map((rest) => `/v1/apps/${app}/${rest}`),
  people: (app) => [`/v1/apps/${app}/fields`],
  campaigns: (app) => [`/v1/apps/${app}/campaigns?limit=100&order=newest`],
  journeys: (app) => [`/v1/apps/${app}/journeys?limit=100&order=newest`],
  messages: (app) => [`/v1/apps/${app}/messages?limit=100&order=newest`],
  segments: (app) => [`/v1/apps/${app}/segments?limit=100&order=newest`],
  settings: (app) => [`/v1/apps/${app}`, `/v1/apps/${app}/settings`],
};

const ones: Readonly<Record<string, (app: string, id: string) => readonly string[]>> = {
  campaigns: (app, id) => [
    `/v1/apps/${app}/campaigns/${id}`,
    `/v1/apps/${app}/campaigns/${id}/stats`,
  ],
  journeys: (app, id) => [`/v1/apps/${app}/journeys/${id}`],
  people: (app, id) =>
    ['', ...(id.startsWith('sub_') ? ['/timeline?limit=50', '/segments?limit=10'] : [])].map(
      (rest) => `/v1/apps/${app}/subscribers/${id}${rest}`,
    ),
};

/** `id`: the item that the address names; undefined for the list. */
export function firstReads(app: string, screen: string, id: string | undefined): readonly string[] {
  if (id === undefined || id === '')
    return location.search === '' ? (lists[screen]?.(app) ?? []) : [];
  if (id === 'new') return [];
  // As the client writes it: `:` is escaped there, and not in every address.
  return ones[screen]?.(app, encodeURIComponent(decodeURIComponent(id))) ?? [];
}
