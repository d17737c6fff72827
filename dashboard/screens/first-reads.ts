// What the most visited screens ask for first, as addresses. `test/dashboard/early.test.ts` fails
// if a screen no longer asks for one of them.

const lists: Readonly<Record<string, (app: string) => readonly string[]>> = {
  // Those first that say which campaigns' figures are asked for next.
  home: (app) => [
    ...[
      'campaigns?limit=50&order=newest',
      'campaigns?state=paused&order=newest&limit=10',
      'campaigns?state=sending&order=newest&limit=10',
      'campaigns?state=failed&order=newest&limit=10',
      'campaigns?state=scheduled&limit=10',
      ...['subscribers?limit=1', 'messages?limit=1&order=newest', 'channels'],
    ].map((rest) => `/v1/apps/${app}/${rest}`),
    `/v1/insights/delivery-failures?appId=${app}&days=7&limit=5`,
    '/v1/org/limits',
  ],
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

interface Campaigns {
  readonly items?: readonly { readonly id: string; readonly startedAt: string | null }[];
}

/** How many of the first reads say what is asked for next. */
export function readsBefore(screen: string, id: string | undefined): number {
  return screen === 'home' && (id === undefined || id === '') ? 3 : 0;
}

/**
 * The figures of campaigns that home shows: of the newest that began, of paused ones, of running
 * ones.
 */
export function nextReads(answers: readonly unknown[]): readonly string[] {
  const [newest = [], paused = [], sending = []] = answers.map(
    (answer) => (answer as Campaigns).items ?? [],
  );
  const begun = newest.filter(({ startedAt }) => startedAt !== null);
  const shown = [begun, [...paused, ...sending], sending].map((some) =>
    some.slice(0, 10).map((one) => one.id),
  );
  const texts = new Set(shown.filter((ids) => ids.length > 0).map((ids) => ids.join(',')));
  return [...texts].map((ids) => `/v1/campaigns/stats?ids=${encodeURIComponent(ids)}`);
}
