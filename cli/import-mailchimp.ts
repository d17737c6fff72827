// `engage import-mailchimp`: moving in from Mailchimp.

import { mailchimp } from './import/services/mailchimp.ts';
import { serviceCommand } from './move-command.ts';

export const command = serviceCommand(mailchimp);
