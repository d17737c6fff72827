// `engage import-listmonk`: moving in from listmonk.

import { listmonk } from './import/services/listmonk.ts';
import { serviceCommand } from './import-service.ts';

export const command = serviceCommand(listmonk);
