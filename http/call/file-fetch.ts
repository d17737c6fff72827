// Fetches files that callers name by their address, through the guard on addresses. Redirects are
// followed a few times, each through the guard. Orgs take turns: a server that never answers takes
// ten seconds, and a file up to ten megabytes of memory.

import type { Outbound, OutboundResult } from '../../actors/channels/outbound/outbound-call.ts';
import type { Tenant } from '../../actors/tenants/accounts/protocol.ts';
import type { Bytes, Millis } from '../../engine/base/brand.ts';
import { OrgLine } from './org-line.ts';

/** `problem` completes "attachments[0].url: …". */
type FetchedFile =
  | { readonly bytes: Uint8Array; readonly type?: string }
  | { readonly problem: string };

interface FileFetch {
  /** Throws `overloaded` if the org's turn does not come in time. */
  fetch(tenant: Tenant, url: string, bytesMax: Bytes): Promise<FetchedFile>;
  close(): Promise<void>;
}

const timeoutMsDefault: Millis = 10_000;
const redirectsMax = 3;

/** `open` is called with the first file. */
export function fileFetch(
  open: () => Promise<Outbound>,
  timeoutMs: Millis = timeoutMsDefault,
): FileFetch {
  let opening: Promise<Outbound> | undefined;
  const line = new OrgLine(
    {
      runningMax: 16,
      runningOfOwnerMax: 4,
      waitingMax: 256,
      waitingOfOwnerMax: 32,
      waitMs: 15_000,
    },
    'too many files are being fetched; nothing was sent, retrying is safe',
  );
  return {
    fetch: (tenant, url, bytesMax) =>
      line.run(tenant, async () => {
        opening ??= open();
        return fetchThrough(await opening, url, bytesMax, timeoutMs);
      }),
    close: async () => (await opening)?.close(0),
  };
}

async function fetchThrough(
  outbound: Outbound,
  first: string,
  bytesMax: Bytes,
  timeoutMs: Millis,
): Promise<FetchedFile> {
  const startedMs = performance.now();
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const leftMs = timeoutMs - (performance.now() - startedMs);
    if (leftMs <= 0) return { problem: slow(timeoutMs) };
    const result = await outbound.call({
      method: 'GET',
      url,
      destination: 'guarded',
      headers: { accept: '*/*' },
      timeoutMs: Math.ceil(leftMs),
      answerBytesMax: bytesMax,
      wantsBytes: true,
    });
    const location = redirectOf(result);
    if (location === undefined) return fileOf(result, bytesMax, timeoutMs);
    if (redirects === redirectsMax) return { problem: 'redirects too often' };
    if (!URL.canParse(location, url)) return { problem: 'redirects to no address' };
    url = new URL(location, url).href;
  }
}

function redirectOf(result: OutboundResult): string | undefined {
  if (result.kind !== 'answered' || ![301, 302, 303, 307, 308].includes(result.status))
    return undefined;
  const { location } = result.headers;
  return typeof location === 'string' ? location : undefined;
}

function fileOf(result: OutboundResult, bytesMax: Bytes, timeoutMs: Millis): FetchedFile {
  switch (result.kind) {
    case 'refused':
      return { problem: refusals[result.reason] };
    case 'unsent':
      return { problem: result.reason === 'timeout' ? slow(timeoutMs) : 'cannot be reached' };
    case 'unanswered':
      return {
        problem: result.reason === 'timeout' ? slow(timeoutMs) : 'the server closed the connection',
      };
    case 'answered': {
      const { status, bytes, cut, headers } = result;
      if (status !== 200) return { problem: `the server answered ${status}, expected 200` };
      if (cut === 'limit') return { problem: `the file is larger than ${bytesMax} bytes` };
      if (cut === 'timeout') return { problem: slow(timeoutMs) };
      if (cut !== undefined || bytes === undefined)
        return { problem: 'the server closed the connection' };
      const type = headers['content-type'];
      return { bytes, ...(typeof type === 'string' ? { type } : {}) };
    }
  }
}

const refusals: Readonly<Record<Extract<OutboundResult, { kind: 'refused' }>['reason'], string>> = {
  invalid_url: 'expected an https address',
  scheme_not_allowed: 'expected an https address',
  port_not_allowed: 'only ports 443 and 8443 are allowed',
  userinfo_not_allowed: 'must not contain a user or a password',
  private_address: 'leads to a private address',
};

function slow(timeoutMs: Millis): string {
  return `the file did not arrive within ${timeoutMs / 1_000} seconds`;
}
