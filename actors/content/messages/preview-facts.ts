// What a preview needs of memory and records: the message, the person, their devices, and the app's
// settings. The pool renders it, because that may take longer than a turn.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import { namedRecipient } from '../../people/audience/find-person.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { mailSettings } from '../../tenants/accounts/records.ts';
import type { MessageContent } from '../shape/message-schema.ts';
import type { UtmFacts } from '../shape/utm-facts.ts';
import type { PreviewFacts, PreviewQuestion } from './protocol.ts';

/** Decides `message.facts`. A made-up person has no devices, nobody has no tags either. */
export function previewFacts(
  app: AccountsReads & Pick<AudienceReads, 'people'>,
  content: MessageContent,
  { to, person }: Pick<PreviewQuestion, 'to' | 'person'>,
  context: Context,
  from: Omit<UtmFacts, 'channel'> = {},
): Decision<PreviewFacts> {
  const named = to === undefined ? undefined : namedRecipient(app, to, context);
  if (named !== undefined && 'fault' in named) return refused(named.fault);
  const { id, name, timezone } = app.record;
  return accepted({
    content,
    app: {
      id,
      name,
      timezone,
      email: mailSettings(app.settings, app.branding),
      ...(app.settings.wording == null ? {} : { wording: app.settings.wording }),
    },
    ...(app.settings.utm == null ? {} : { utm: { setting: app.settings.utm, from } }),
    isSomebody: to !== undefined || person !== undefined,
    person: named?.person ?? { id: '', tags: {}, ...person },
    devices: named?.person.devices ?? [],
    nowMs: context.nowMs,
  });
}
