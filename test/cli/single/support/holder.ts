// Holds a program's folder until it is killed, and says when it does.

import { holdProgram } from '../../../../cli/single/unpack.ts';

holdProgram(process.argv[2] ?? '');
setInterval(() => undefined, 60_000);
process.stdout.write('held');
