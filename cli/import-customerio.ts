// `engage import-customerio`: moving in from Customer.io.

import { customerIo } from './import/services/customerio.ts';
import { serviceCommand } from './move-command.ts';

export const command = serviceCommand(customerIo);
