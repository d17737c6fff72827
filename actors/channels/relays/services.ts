// How each kind of relay is talked to, one line each. Apart from `kinds.ts`, because most code needs
// only the kinds' data.

import { mailgunService } from './mailgun/service.ts';
import type { RelayKindName, RelayService } from './relay.ts';
import { sendgridService } from './sendgrid/service.ts';
import { sesService } from './ses/service.ts';
import { smtpService } from './smtp/provider.ts';

export const relayServices: Readonly<Partial<Record<RelayKindName, RelayService>>> = {
  smtp: smtpService,
  ses: sesService,
  sendgrid: sendgridService,
  mailgun: mailgunService,
};
