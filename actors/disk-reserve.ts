// What still works while the disk is nearly full: reads, opt-outs, and the outcomes of what is already under way.
// The room for it is the reserve that the disk guard keeps.

import type { Message } from '../engine/actor/message.ts';

const allowed = new Set([
  'partition.found',
  'org.read',
  'org.tally',
  'org.meter',
  'key.find',
  'key.list',
  'key.delete',
  'app.list',
  'app.read',
  'settings.read',
  'settings.patch', // a shorter retention is how an operator makes room
  'credential.list',
  'credential.rotate', // a provider has spent the old one already
  'integration.list',
  'cdp.verify', // so that a platform hears of the disk, not of its key
  'cdp.remove',
  'subscriber.read',
  'subscriber.list',
  'subscriber.erase',
  'subscribers.window',
  'suppression.add',
  'suppression.list',
  'transactional.read',
  'dead_letter.list',
  'events.locate',
  'events.list',
  'sdk.describe',
  'sdk.person',
  'segment.read',
  'segment.list',
  'segment.uncounted',
  'segment.preview',
  'segment.explain',
  'segment.delete',
  'segment.members',
  'segment.review', // of what was let through: followers must not miss it
  'segment.reconcile',
  'segment.membership',
  'message.read',
  'message.list',
  'message.facts',
  'message.delete',
  'flag.read',
  'flag.list',
  'flag.explain',
  'flag.delete',
  'flags.uncounted',
  'flags.evaluate',
  'inapp.read',
  'inapp.list',
  'inapp.uncounted',
  'inapp.feed',
  'inapp.delete',
  'insight.facts',
  'dispatch.report',
  'secrets.survey',
  'restored.begin',
  'restored.abandon',
]);

/** True for a message that is handled even then. */
export function allowedWhenFull({ kind }: Message): boolean {
  return allowed.has(kind);
}
