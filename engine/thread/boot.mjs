// Entry of every worker thread. From sources registers tsx first (Node 20 loads no .ts in workers).
// `workerData.entry` is the module's URL; it must export `start(data)`.

import { workerData } from 'node:worker_threads';

if (workerData.entry.endsWith('.ts')) {
  const { register } = await import('tsx/esm/api');
  register();
}
const { start } = await import(workerData.entry);
await start(workerData);
