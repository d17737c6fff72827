// Lets children of a test start as the product starts them. Tap's loader would come into each
// process that a test spawns, and once more into each of its threads, to note which modules it
// reads; that took most of a server's processor time.

/** What `process-on-spawn`, which tap uses, keeps for the process. */
interface OnSpawn {
  readonly listeners: unknown[];
}

const onSpawn = (globalThis as unknown as Readonly<Record<symbol, OnSpawn | undefined>>)[
  Symbol.for('process-on-spawn@*:singletonId')
];
onSpawn?.listeners.splice(0);
// `fork` gives its parent's own arguments.
process.execArgv = process.execArgv.filter((argument) => !argument.includes('@tapjs/'));
