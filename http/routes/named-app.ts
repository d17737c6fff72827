// The app of a route that has none in its path: the one in its query or body, or the only one of
// its key. The id is only parsed here. The actor checks whether the app exists and is the caller's,
// and its refusal must name `appId`, too.

import { z } from 'zod';
import type { Ordinal } from '../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../engine/base/fault.ts';
import type { Call } from '../call.ts';
import { namedBy } from '../errors.ts';

/** The member that names the app, in a query or a body. */
export const appIdInput = z
  .string()
  .optional()
  .describe('The app id. Only an app-scoped key may omit it; its own app is used.');

/** The query of a route whose body may name the app as well. */
export const appIdOnlyQuery = z.object({ appId: appIdInput });

/** The app that query and body name; a fault on `appId` if they name two. */
export function namedTwice(call: Call<NamesApp, NamesApp>): string | undefined {
  const { appId: ofQuery } = call.query;
  const { appId: ofBody } = call.body;
  if (ofQuery !== undefined && ofBody !== undefined && ofQuery !== ofBody)
    throw new FaultError(
      fieldFault(
        'appId',
        'differs from the app in the body; give one of them, or the same in both',
      ),
    );
  return ofQuery ?? ofBody;
}

interface NamesApp {
  readonly appId?: string | undefined;
}

/** The app with the id `named`, or the only one of the key. Throws a fault on `appId`. */
export function namedApp(call: Call<unknown, unknown>, named: string | undefined): Ordinal {
  const id = named ?? call.grant?.appId;
  if (id === undefined || id === null) {
    throw new FaultError(
      fieldFault('appId', 'expected an app id; only an app-scoped key may omit it'),
    );
  }
  try {
    return call.app(id);
  } catch (error) {
    throw ofNamedApp(error, named);
  }
}

/** A refusal about an app that `appId` named says so; any other error stays unchanged. */
export function ofNamedApp(error: unknown, named: string | undefined): unknown {
  if (named === undefined || !(error instanceof FaultError)) return error;
  return new FaultError(namedBy('appId', 'app', error.fault));
}
