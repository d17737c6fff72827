// The partition that a request is for, by its head: the key or session that it shows, or an id in
// its path or query. A request that names nobody there is served where it arrives, and asks owners
// by messages.

import { slotOfOrg } from '../../actors/tenants/accounts/org-slot.ts';
import { partitionOf, slotOf } from '../../engine/actor/placement.ts';
import { type IdPrefix, parseId } from '../../engine/base/id.ts';
import { basicOf, slotOfKey } from '../call/admission/authenticate.ts';
import { sessionToken } from '../call/session/session-cookie.ts';
import type { HttpRequest } from '../server/exchange.ts';

interface Whose {
  readonly partitions: number;
  readonly publicUrl: string;
}

/** Everything else is the same on each server: pages, files, health, the reference. */
const ownedPaths = /^\/(?:e$|mcp$|v1\/|i\/cdp\/|compat\/|f\/|preview\/)/;
const tokenForm = /e[ks]_([0-9a-hjkmnp-tv-z]{12})_/;
const idForm = /^([a-z]{2,3})_[0-9a-hjkmnp-tv-z]{26}$/;
/** As `MailPreviews` makes them. */
const previewForm = /^\/preview\/[\w-]+\.(\d{1,4})$/;

/** `undefined`: any server may serve it. */
export function partitionOfRequest(request: HttpRequest, whose: Whose): number | undefined {
  const { method, path } = request;
  if (method === 'OPTIONS' || !ownedPaths.test(path)) return undefined;
  const slot = slotShown(request, whose.publicUrl) ?? slotNamed(path, request.query);
  return slot === undefined ? undefined : partitionOf(slot, whose.partitions);
}

/** Of a key in any scheme, or of the cookie's session where no key is shown. */
function slotShown(request: HttpRequest, publicUrl: string): number | undefined {
  const header = request.header('authorization');
  const shown = header === '' ? sessionToken(request, publicUrl) : header;
  if (shown === '') return undefined;
  const keyId = (tokenForm.exec(shown) ?? tokenForm.exec(textOfBasic(header)))?.[1];
  if (keyId !== undefined) return slotOfKey(keyId);
  // Segment's libraries show an app id before the key.
  return slotOfId(basicOf(header).name.split('.')[0] ?? '');
}

function textOfBasic(header: string): string {
  const { name, password } = basicOf(header);
  return `${name}:${password}`;
}

function slotNamed(path: string, query: string): number | undefined {
  for (const segment of path.split('/')) {
    const slot = slotOfId(segment);
    if (slot !== undefined) return slot;
  }
  const preview = previewForm.exec(path)?.[1];
  if (preview !== undefined) return slotOf(Number(preview));
  return query === '' ? undefined : slotOfId(new URLSearchParams(query).get('appId') ?? '');
}

function slotOfId(text: string): number | undefined {
  const prefix = idForm.exec(text)?.[1];
  if (prefix === undefined) return undefined;
  if (prefix === 'org') return slotOfOrg(text);
  const ordinal = parseId(prefix as IdPrefix, text)?.ordinal ?? 0;
  return ordinal === 0 ? undefined : slotOf(ordinal);
}
