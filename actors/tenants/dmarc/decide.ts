// Decides about aggregate reports: only about the sender domain whose address it came to, only
// about days that are kept, and each once.

import { createHash } from 'node:crypto';
import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { dayMs } from '../../../engine/base/brand.ts';
import { dmarcMark } from '../../channels/email/return-path.ts';
import { notFound } from '../../faults.ts';
import { withApp } from '../accounts/with-app.ts';
import type { DmarcReport } from './aggregate.ts';
import type { DmarcMemory } from './memory.ts';
import { type DmarcEntry, type DmarcProtocol, type DmarcResult, dmarcDaysMax } from './protocol.ts';

export const dmarcDecisions: Decisions<DmarcProtocol, DmarcMemory> = {
  'dmarc.report': (state, { mark, report }, { owner, nowMs }) => {
    const app = state.apps.get(owner);
    const domain = [...(app?.emailDomains.keys() ?? [])].find(
      (one) => dmarcMark(owner, one) === mark,
    );
    // As for an address that is not ours: nobody learns which domains an app has.
    if (app === undefined || domain === undefined || !isAbout(report.domain, domain))
      return accepted<DmarcResult>('ignored');
    const day = Math.floor(report.fromMs / dayMs);
    const today = Math.floor(nowMs / dayMs);
    if (day > today || day <= today - dmarcDaysMax) return accepted<DmarcResult>('ignored');
    const id = idOf(report);
    if (app.dmarc.has(domain, day, id)) return accepted<DmarcResult>('repeated');
    if (app.dmarc.isFull(domain, day)) return accepted<DmarcResult>('ignored');
    const { org, sources } = report;
    const entry: DmarcEntry = { kind: 'dmarc.reported', owner, domain, day, id, org, sources };
    return accepted<DmarcResult>('taken', { entries: [entry] });
  },

  'dmarc.read': (state, { domain, days }, context) =>
    withApp(state, context, ({ dmarc, emailDomains }) =>
      emailDomains.has(domain)
        ? accepted(dmarc.summary(domain, days, Math.floor(context.nowMs / dayMs)))
        : refused(notFound('email domain')),
    ),
};

/** A policy may stand at the domain, or at the organization's domain above it. */
function isAbout(policy: string, domain: string): boolean {
  return policy === domain || domain.endsWith(`.${policy}`);
}

/** A receiver sends a report again under its id if it is not sure that it arrived. */
function idOf({ org, reportId, fromMs, toMs }: DmarcReport): string {
  const text = JSON.stringify([org, reportId, fromMs, toMs]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
