// Decides about the app or org that a message addresses, or refuses with 404.

import { type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import type { AppsOf } from '../../area.ts';
import { notFound } from '../../faults.ts';

export function withOrg<R, Org>(
  state: { readonly orgs: ReadonlyMap<Ordinal, Org> },
  context: Context,
  decide: (org: Org) => Decision<R>,
): Decision<R> {
  const org = state.orgs.get(context.owner);
  return org === undefined ? refused(notFound('org')) : decide(org);
}

export function withApp<R, App>(
  state: AppsOf<App>,
  context: Context,
  decide: (app: App) => Decision<R>,
): Decision<R> {
  const app = state.apps.get(context.owner);
  return app === undefined ? refused(notFound('app')) : decide(app);
}

/** As `withApp`, for something in the app that a message names; 404 if `find` returns nothing. */
export function withNamed<App, Name, Found>(
  what: string,
  find: (app: App, name: Name, context: Context) => Found | undefined,
) {
  return <R>(
    state: AppsOf<App>,
    name: Name,
    context: Context,
    decide: (found: Found, app: App) => Decision<R>,
  ): Decision<R> =>
    withApp(state, context, (app) => {
      const found = find(app, name, context);
      return found === undefined ? refused(notFound(what)) : decide(found, app);
    });
}
