// Every kind of relay, one line each: what it is, as data.

import type { RelayKindName } from '../port/open-relay.ts';
import type { RelayKind } from '../port/relay-kind.ts';
import { brevo } from './brevo/kind.ts';
import { http } from './gateway/kind.ts';
import { mailgun } from './mailgun/kind.ts';
import { postmark } from './postmark/kind.ts';
import { resendKind } from './resend/kind.ts';
import { sendgrid } from './sendgrid/kind.ts';
import { ses } from './ses/kind.ts';
import { smtp } from './smtp/kind.ts';

export const relayKinds: Readonly<Partial<Record<RelayKindName, RelayKind>>> = {
  smtp,
  ses,
  sendgrid,
  postmark,
  mailgun,
  resend: resendKind,
  brevo,
  http,
};
