// `engage import-braze`: moving in from Braze.

import { braze } from './import/services/braze.ts';
import { serviceCommand } from './move-command.ts';

export const command = serviceCommand(braze);
