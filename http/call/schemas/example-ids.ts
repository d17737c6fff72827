// The ids of the description's examples. The code of real ids makes them, so they parse. All belong
// to one app, so that the examples tell one story.

import { formatId, type IdPrefix, subscriberId } from '../../../engine/base/id.ts';
import { instant } from './schemas.ts';

const app = 8269; // the second owner of slot 77
const startMs = 1_790_000_000_000;

export function exampleInstant(seconds = 0): string {
  return instant(startMs + seconds * 1000);
}

export const exampleIds = {
  org: idOf('org', 0, 1),
  key: idOf('key', 0, 2),
  app: idOf('app', app, 3),
  subscriber: subscriberId(app, 12, startMs, 0x2f1a),
  device: idOf('dev', app, 5),
  send: idOf('ntf', app, 6),
  deadLetter: idOf('dl', app, 7),
  event: idOf('evt', app, 8),
  segment: idOf('seg', app, 9),
  message: idOf('msg', app, 10),
  template: idOf('tpl', app, 16),
  asset: idOf('ast', app, 20),
  flag: idOf('flg', app, 11),
  form: idOf('frm', app, 22),
  relay: idOf('rel', app, 23),
  inApp: idOf('iam', app, 12),
  campaign: idOf('cmp', app, 13),
  dryRun: idOf('dry', app, 15),
  otherMessage: idOf('msg', app, 14),
  journey: idOf('jrn', app, 15),
  liveActivity: idOf('la', app, 17),
  bulkChange: idOf('blk', app, 20),
  doubtful: idOf('dbt', app, 21),
  auditNote: idOf('aud', 0, 17),
  invoice: idOf('inv', 0, 18),
  client: idOf('org', 0, 18),
  member: idOf('mbr', 0, 19),
  session: idOf('ses', 0, 20),
  webhookDelivery: idOf('whd', app, 19),
} as const;

function idOf(prefix: IdPrefix, ordinal: number, nth: number): string {
  // Any fixed bits do; they only make the ids differ.
  const low32 = Math.imul(nth, 0x9e3779b1) >>> 0;
  return formatId(prefix, { ordinal, atMs: startMs, high16: low32 >>> 16, low32 });
}

/** The version of an example. */
export const exampleEtag = 'q1Jm0yBvXc7uYd2KfTzR5w';
