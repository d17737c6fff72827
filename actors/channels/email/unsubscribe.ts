// The unsubscribe link of an email: app, address, whether the mail is marketing, and which mail it
// is, sealed, so that nobody else can read or make one. It works while the master key is
// configured.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { formatId, type IdPrefix, parseId } from '../../../engine/base/id.ts';
import type { Rng } from '../../../engine/base/rng.ts';
import { type Sealer, unsubscribePlace } from '../../sealer.ts';

interface Unsubscribe {
  readonly app: Ordinal;
  readonly address: string;
  /** False for links of builds that did not note it. */
  readonly isMarketing: boolean;
  /** The mail it is in; absent in links of builds that did not note it. */
  readonly about?: UnsubscribeMail;
  /** The key of its topic, if it has one. */
  readonly topic?: string;
}

interface UnsubscribeMail {
  readonly sendId: string;
  readonly deviceId: string;
  readonly journeyId?: string;
}

/** `<public URL>/u/<token>`. */
export function unsubscribeUrl(
  publicUrl: string,
  sealer: Sealer,
  app: Ordinal,
  address: string,
  isMarketing: boolean,
  rng: Rng,
  about?: UnsubscribeMail & { readonly topic?: string },
): string {
  const mail = about === undefined ? '' : mailText(about);
  const topic = about?.topic === undefined ? '' : `.${about.topic}`;
  const text = `${app}${isMarketing ? 'm' : ''}${mail}${topic}|${address}`;
  const sealed = sealer.seal(text, unsubscribePlace(), rng);
  return `${publicUrl}/u/${Buffer.from(sealed).toString('base64url')}`;
}

/** The token's content; `undefined` if it is not ours. */
export function openUnsubscribe(sealer: Sealer, token: string): Unsubscribe | undefined {
  try {
    const text = sealer.open(Buffer.from(token, 'base64url'), unsubscribePlace());
    const bar = text.indexOf('|');
    const [, digits, marketing, mail, topic] = head.exec(text.slice(0, bar)) ?? [];
    if (digits === undefined) return undefined;
    const app = Number(digits);
    const about = mail === undefined ? undefined : mailOf(mail, app);
    const address = text.slice(bar + 1);
    const ofTopic = topic === undefined ? {} : { topic };
    const link = { app, address, isMarketing: marketing === 'm', ...ofTopic };
    return about === undefined ? link : { ...link, about };
  } catch {
    return undefined; // forged, damaged, or sealed under a key that was retired
  }
}

const head = /^(\d+)(m?)(?:~([\w-]+))?(?:\.([\w-]+))?$/;
const idBytes = 12;

/** Ids without their app, which the link has: 33 letters, or 49 of a journey. */
function mailText({ sendId, deviceId, journeyId }: UnsubscribeMail): string {
  const ids = [parseId('ntf', sendId), parseId('dev', deviceId)];
  if (journeyId !== undefined) ids.push(parseId('jrn', journeyId));
  const bytes = Buffer.alloc(ids.length * idBytes);
  for (const [i, id] of ids.entries()) {
    if (id === undefined) return ''; // a preview's
    bytes.writeUIntBE(id.atMs, i * idBytes, 6);
    bytes.writeUInt16BE(id.high16, i * idBytes + 6);
    bytes.writeUInt32BE(id.low32, i * idBytes + 8);
  }
  return `~${bytes.toString('base64url')}`;
}

function mailOf(text: string, app: Ordinal): UnsubscribeMail | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 2 * idBytes && bytes.length !== 3 * idBytes) return undefined;
  const idAt = (prefix: IdPrefix, at: number) =>
    formatId(prefix, {
      ordinal: app,
      atMs: bytes.readUIntBE(at, 6),
      high16: bytes.readUInt16BE(at + 6),
      low32: bytes.readUInt32BE(at + 8),
    });
  const mail = { sendId: idAt('ntf', 0), deviceId: idAt('dev', idBytes) };
  return bytes.length === 2 * idBytes ? mail : { ...mail, journeyId: idAt('jrn', 2 * idBytes) };
}
