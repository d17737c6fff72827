// The address of a screen: `/dashboard/<app>/<screen>/<id>?…`. What a screen shows stands in it, so
// that a link, a reload and the back button lead to the same.

import { useLocation, useSearch } from 'wouter';

export const base = '/dashboard';

/** The path of a screen of an app, below `/dashboard`. */
export function appPath(app: string, screen: string, ...rest: readonly string[]): string {
  return `/${[app, screen, ...rest]
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/')}`;
}

/** The path of a screen of the org. */
export function orgPath(screen: string, ...rest: readonly string[]): string {
  return appPath('org', screen, ...rest);
}

/** A path with parameters; empty ones are left out. */
export function withParams(
  path: string,
  params: Readonly<Record<string, string | undefined>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined && value !== '') search.set(name, value);
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** A parameter of the address, and how to change it; `undefined` takes it out. */
export function useQueryParam(
  name: string,
): readonly [string | undefined, (value: string | undefined) => void] {
  const search = useSearch();
  const [path, go] = useLocation();
  const value = new URLSearchParams(search).get(name) ?? undefined;
  const set = (next: string | undefined) => {
    // The present one: another parameter may have changed since this was drawn.
    const params = new URLSearchParams(location.search);
    if (next === undefined || next === '') params.delete(name);
    else params.set(name, next);
    const text = params.toString();
    go(text === '' ? path : `${path}?${text}`, { replace: true });
  };
  return [value, set];
}
