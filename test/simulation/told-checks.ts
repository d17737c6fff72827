// Holds the newest receipt of every mail against what its relay has told of it: transactional ones
// and those of campaigns and journeys.

import type { Findings } from './invariants.ts';
import type { LogAudit } from './log-audit.ts';
import type { SendFact } from './log-facts.ts';
import type { AppModel } from './model.ts';
import type { Providers } from './providers.ts';
import { statusTold } from './told-mails.ts';

interface Checked {
  readonly audit: LogAudit;
  readonly providers: Pick<Providers, 'told'>;
  readonly findings: Findings;
}

export function checkToldMails({ audit, providers, findings }: Checked, app: AppModel): void {
  for (const { sendId, deviceId, told } of providers.told.all()) {
    const send = audit.sends.get(sendId);
    const target = audit.target(sendId, deviceId);
    if (send?.app !== app.ordinal || target === undefined || told.isUnsure) continue;
    if (target.state === 'forgotten' || !isTheirs(audit, send)) continue;
    const expected = statusTold(target.answered, told.kinds);
    findings.expect(
      target.status === expected,
      'told_is_heard',
      () =>
        `${sendId}/${deviceId} was answered ${target.answered}, told ${[...told.kinds]}, and reads ${target.status}`,
    );
  }
}

/** Whether what is told of a send has a place: its person is there, and so is its campaign. */
function isTheirs(audit: LogAudit, { id, app, person }: SendFact): boolean {
  const mine = audit.campaigns.of(app);
  if (mine.gone.has(mine.whole(person))) return false;
  const campaign = mine.sends.get(id)?.occurrence.campaignId;
  return campaign === undefined || mine.campaigns.has(campaign);
}
