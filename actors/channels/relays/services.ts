// How each kind of relay is talked to, one line each. Apart from `kinds.ts`, because most code needs
// only the kinds' data.

import { brevoService } from './brevo/provider.ts';
import { httpService } from './gateway/service.ts';
import { mailgunService } from './mailgun/service.ts';
import { postmarkService } from './postmark/provider.ts';
import type { RelayKindName, RelayService } from './relay.ts';
import { resendService } from './resend/provider.ts';
import { sendgridService } from './sendgrid/service.ts';
import { sesService } from './ses/service.ts';
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
