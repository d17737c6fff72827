// `engage import-listmonk`: moving in from listmonk.

import { listmonk } from './import/services/listmonk.ts';
import { serviceCommand } from './move-command.ts';

export const command = serviceCommand(listmonk);
