// The engine process, forked by the primary: reads the settings, starts, and drains on SIGTERM.

import { configurationExitCode } from '../engine/cluster/primary.ts';
import { ConfigError, readConfig } from '../http/process/config.ts';
import type { Engine } from '../http/process/engine.ts';
import { type SandboxAddresses, startThreads } from '../http/process/threads.ts';
import { onceAsked } from './once-asked.ts';
import { outliveReaders } from './outlive-readers.ts';

const exitOnSecondSignal = 1;

async function main(): Promise<void> {
  outliveReaders();
  let engine: Engine | undefined;
  let stopping = false;
  const stop = () => {
    // A start that is cut off is safe, like a crash.
    if (engine === undefined) process.exit(0);
    if (stopping) process.exit(exitOnSecondSignal);
    stopping = true;
    engine.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`engage: shutdown failed: ${error}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onceAsked(stop));
  process.on('SIGINT', () => undefined); // the terminal sends it to everyone; the primary decides
  process.on('disconnect', stop); // the primary is gone
  const config = readConfig(process.env);
  const text = process.env['ENGINE_SANDBOX'];
  const sandbox = text === undefined ? undefined : (JSON.parse(text) as SandboxAddresses);
  const threads = await startThreads(config, sandbox);
  // The front loads in parallel with the threads.
  const { startEngine } = await import('../http/process/engine.ts');
  engine = await startEngine(config, sandbox, threads);
  const sandboxed = config.mode === 'sandbox' ? await import('../http/process/demo.ts') : undefined;
  const demo = threads.fresh ? await sandboxed?.makeDemo(engine.edge) : undefined;
  const dashboard = await sandboxed?.demoLink(engine.edge);
  const { port, warnings } = engine;
  process.send?.({
    kind: 'ready',
    port,
    warnings,
    ...(demo && { demo }),
    ...(dashboard && { dashboard }),
  });
}

main().catch((error: unknown) => {
  const sentence = error instanceof Error ? error.message : String(error);
  for (const line of sentence.split('\n')) process.stderr.write(`engage: ${line}\n`);
  process.exit(error instanceof ConfigError ? configurationExitCode : 1);
});
