// How each kind of relay is talked to, one line each. Apart from `kinds.ts`, because most code
// needs only the kinds' data.

import type { RelayKindName } from '../port/open-relay.ts';
import { brevoService } from './brevo/provider.ts';
import { httpService } from './gateway/provider.ts';
import { mailgunService } from './mailgun/provider.ts';
import { postmarkService } from './postmark/provider.ts';
import type { RelayService } from './relay.ts';
import { resendService } from './resend/provider.ts';
import { sendgridService } from './sendgrid/provider.ts';
import { sesService } from './ses/provider.ts';
import { smtpService } from './smtp/provider.ts';

export const relayServices: Readonly<Partial<Record<RelayKindName, RelayService>>> = {
  smtp: smtpService,
  ses: sesService,
  sendgrid: sendgridService,
  postmark: postmarkService,
  mailgun: mailgunService,
  resend: resendService,
  brevo: brevoService,
  http: httpService,
};
