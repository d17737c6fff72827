// `engage import-onesignal`: moving in from OneSignal.

import { oneSignal } from './import/services/onesignal.ts';
import { serviceCommand } from './move-command.ts';

export const command = serviceCommand(oneSignal);
