// A process that takes the lock of a data directory, says how, and holds it until it is killed.

import { lockDataDirectory } from '../../../storage/lock.ts';

const [dataDir = '', options = '{}'] = process.argv.slice(2);
const lock = await lockDataDirectory(dataDir, JSON.parse(options));
process.stdout.write(`${lock.by}\n`);
setInterval(() => {}, 60_000);
