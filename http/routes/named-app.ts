// The app of a route without one in its path: from query or body, or the key's only one. The actor
// checks existence and ownership of the parsed id, and its refusal must name `appId`, too.

import { z } from 'zod';
import type { Ordinal } from '../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../engine/base/fault.ts';
import { namedBy } from '../call/answer/errors.ts';
import type { Call } from '../call/call.ts';

export const appIdInput = z
  .string()
  .optional()
  .describe('The app id. Only an app-scoped key may omit it; its own app is used.');

/** For routes whose body may name the app as well. */
export const appIdOnlyQuery = z.object({ appId: appIdInput });

/** The app of query and body; a fault on `appId` if they name two. */
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

/** The app `named`, or the key's only one. Throws a fault on `appId`. */
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

/** A refusal about an app that `appId` named says so; other errors stay unchanged. */
export function ofNamedApp(error: unknown, named: string | undefined): unknown {
  if (named === undefined || !(error instanceof FaultError)) return error;
  return new FaultError(namedBy('appId', 'app', error.fault, named));
}
