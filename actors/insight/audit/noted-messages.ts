// The messages of edges that lead to what the audit log notes: the edge says with these who asks,
// and with no other, since a send would carry it for nothing. Beside `notes.ts`, because an edge
// must not load all areas with it.

/** The messages of edges that lead to such entries: they say who asks. */
export const notedMessages: ReadonlySet<string> = new Set([
  'org.create',
  'org.rename',
  'org.set_limits',
  'key.create',
  'key.delete',
  'app.create',
  'app.update',
  'app.delete',
  'settings.patch',
  'credential.put',
  'credential.delete',
  'identity.put_secret',
  'cdp.put',
  'cdp.remove',
  'suppression.remove',
  'template.update',
  'template.delete',
  'campaign.send',
  'campaign.pause',
  'campaign.resume',
  'campaign.cancel',
  'campaign.delete',
  'journey.update',
  'journey.delete',
  'dead_letter.redrive',
]);
