// An idle server: time until ready on an empty directory, and the memory of all processes 15
// seconds later, when V8 has returned start-up memory. Live mode has two processes, sandbox mode
// three. `resident` counts shared pages per process, `proportional` once.
// Run: npm run build && npx tsx bench/idle.ts [starts = 3]

import { engage } from './support/engage.ts';

const starts = Number(process.argv[2] ?? 3);
const idleMs = 15_000;

// the first fetch of a process loads its client
await fetch('http://127.0.0.1:1/').catch(() => undefined);
for (const mode of ['live', 'sandbox'] as const) {
  const readyMs: number[] = [];
  const resident: number[] = [];
  const proportional: number[] = [];
  for (let i = 0; i < starts; i++) {
    const startedMs = performance.now();
    const server = await engage({ ENGAGE_MODE: mode });
    readyMs.push(performance.now() - startedMs);
    try {
      await new Promise((resolve) => setTimeout(resolve, idleMs));
      resident.push(server.residentMb());
      proportional.push(server.proportionalMb());
    } finally {
      await server.stop();
    }
  }
  console.log(
    `${mode.padEnd(7)} cold start to ready ${median(readyMs).toFixed(0)} ms (${readyMs.map((ms) => ms.toFixed(0)).join(' ')}), idle memory ${median(resident).toFixed(0)} MB resident, ${median(proportional).toFixed(0)} MB proportional; medians of ${starts}`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
