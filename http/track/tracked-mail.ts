// The open pixel and the tracked links of emails. Readers get the picture or redirect even if
// recording fails. The address is in the signed token, so it cannot be another one. Look-ahead
// requests (HEAD, or a header that says so) are no open and no click.

import type { Tracked } from '../../actors/channels/email/tracked.ts';
import { notFound, statusOf } from '../../actors/faults.ts';
import type { CallbacksProtocol } from '../../actors/sending/callbacks/protocol.ts';
import { FaultError } from '../../engine/base/fault.ts';
import type { Call } from '../call/call.ts';
import { anybody, type Reply, route } from '../call/route.ts';
import { errorSchema } from '../call/schemas/schemas.ts';
import { wantsPage } from '../call/wants-page.ts';
import { servesLinks } from './link-host.ts';
import { acceptedLanguages, pageWords } from './page-words.ts';
import { pageHeaders, unsubscribePage } from './unsubscribe-page.ts';

const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const shared = {
  method: 'GET',
  tag: 'Tracking',
  access: anybody,
  reads: [],
  changes: ['event', 'outcome'],
  lane: 'none',
} as const;
const uncached = ['cache-control', 'no-store, private'] as const;
const noIndex = ['x-robots-tag', 'noindex, nofollow'] as const;

export const openPixel = route({
  ...shared,
  path: '/o/:token',
  params: {
    token: 'The token from the email, with `.gif` appended; identifies the send and its device.',
  },
  summary: 'Email open pixel',
  description:
    'The tracking pixel at the end of an email, if the app has `emailTracking` on. Records an `opened` event, at most once an hour per email. Opens by machines are recorded with `meta.machine`, and count for no person. HEAD requests, and GET requests marked as prefetch, record nothing.',
  responses: { 200: { description: 'A 1×1 image.', contentType: 'image/gif' } },
  refusals: [404],
  async handle(call) {
    const name = call.param('token');
    const tracked = name.endsWith('.gif') ? read(call, name.slice(0, -4), 'opened') : undefined;
    if (tracked === undefined || !(await servesLinks(call, tracked.app)))
      throw new FaultError(notFound('picture'));
    await record(call, tracked);
    const headers = [['content-type', 'image/gif'], uncached, noIndex] as const;
    return { status: 200, bytes: pixel, headers };
  },
});

export const followLink = route({
  ...shared,
  path: '/c/:token',
  params: {
    token: 'The token from the email; identifies the send, its device and the destination.',
  },
  summary: 'Email click redirect',
  description:
    'A tracked link in an email, if the app has `emailTracking` on. Redirects to the URL from the email, and to no other. Records a `clicked` event, at most once an hour per link. Clicks by machines are recorded with `meta.machine`, and count for no person. HEAD requests, and GET requests marked as prefetch, record nothing.',
  requestHeaders: { accept: '`text/html`, as from a browser: an unknown link is a page.' },
  responses: {
    302: {
      description: "Redirects to the link's URL.",
      headers: { location: 'The URL from the email.' },
    },
    404: {
      description: 'This server did not make the link. A page with `accept: text/html`.',
      schema: errorSchema,
      contentType: 'text/html',
    },
  },
  async handle(call) {
    const tracked = read(call, call.param('token'), 'clicked');
    if (tracked?.kind !== 'clicked' || !(await servesLinks(call, tracked.app)))
      return unknownLink(call);
    await record(call, tracked);
    const headers = [
      ['location', tracked.url],
      uncached,
      noIndex,
      ['referrer-policy', 'no-referrer'],
    ] as const;
    return { status: 302, headers };
  },
});

/** A person sees a page, in the browser's language: the link does not say the email's. */
function unknownLink(call: Call<unknown, unknown>): Reply {
  const refusal = notFound('link');
  if (!wantsPage(call.header('accept'))) throw new FaultError(refusal);
  const words = pageWords(acceptedLanguages(call.header('accept-language')), undefined);
  const html = unsubscribePage({ kind: 'unknown_link' }, words);
  return { status: statusOf(refusal), html, headers: pageHeaders() };
}

function read(
  { edge }: Call<unknown, unknown>,
  token: string,
  kind: Tracked['kind'],
): Tracked | undefined {
  const tracked = edge.readTracked(token);
  return tracked?.kind === kind ? tracked : undefined;
}

/** Waits until it is durable. The reader does not see a failure to record. */
async function record(call: Call<unknown, unknown>, tracked: Tracked): Promise<void> {
  if (call.method === 'HEAD' || isLookingAhead(call)) return;
  const userAgent = call.header('user-agent') ?? '';
  const burst = call.edge.isBurst(tracked) ? { isBurst: true as const } : {};
  const engaged = { tracked, userAgent, ...burst };
  try {
    await call.to<CallbacksProtocol>(tracked.app).ask('callback.engaged', engaged);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error; // full, stopping, or the app is gone
  }
}

function isLookingAhead(call: Call<unknown, unknown>): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(call.header(name) ?? ''),
  );
}
