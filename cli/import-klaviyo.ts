// `engage import-klaviyo`: moving in from Klaviyo.

import { klaviyo } from './import/services/klaviyo.ts';
import { serviceCommand } from './move-command.ts';

export const command = serviceCommand(klaviyo);
