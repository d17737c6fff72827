// What still works while the disk is nearly full: reads, opt-outs, the outcomes of what is already
// under way, and what any of these lead to. The room for it is the reserve that the disk guard
// keeps. Easily got wrong: a report or a consequence that is refused does not come again, so a kind
// that is missing here is a send whose outcome nobody knows, or a change without its note.

import type { Message } from '../../engine/actor/message.ts';

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
  'audit.list',
  'audit.note', // of what is let through: there is no change without its note
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
  'device.remove',
  'sdk.unregister',
  'suppression.add',
  'suppression.list',
  'transactional.read',
  'send.explain',
  'timeline.locate',
  'dead_letter.list',
  // Providers do not all tell a second time, and one address may tell of an opt-out as well as of a
  // receipt.
  'callback.carrier_status',
  'callback.carrier_inbound',
  'callback.whatsapp_subscribe',
  'callback.rcs',
  'callback.chat',
  'callback.email',
  'callback.email_address',
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
  'journey.enter', // of whom a review found: they are told once
  'journey.hear',
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
  'template.read',
  'template.list',
  'campaign.read',
  'campaign.list',
  'campaign.stats',
  'campaign.export',
  'dry_run.people',
  'journey.read',
  'journey.list',
  'journey.stats',
  'live_activity.list',
  'insight.facts',
  'dispatch.report',
  'dispatch.wave_report',
  'secrets.survey',
  'restored.begin',
  'restored.abandon',
]);

/** True for a message that is handled even then. */
export function allowedWhenFull({ kind }: Message): boolean {
  return allowed.has(kind);
}
