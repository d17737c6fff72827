// The engine process with its front, shards and dispatchers, as the primary starts it, and a way in
// for a bench: a message that comes over this process's channel goes to an actor as the system's
// own, and its answer goes back. For what the product's areas ask of each other and no route
// offers.

const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const { startEngine } = await built('http/engine.js');
const { readConfig } = await built('http/config.js');

const system = -1;

const engine = await startEngine(readConfig(process.env), undefined);
process.on('message', async ({ id, to, message }) => {
  try {
    const answer = await engine.edge.router.ask(to, { by: system, ...message });
    if (answer.ok) process.send({ id, value: answer.value });
    else process.send({ id, problem: answer.fault.message });
  } catch (error) {
    process.send({ id, problem: String(error) });
  }
});
process.on('SIGTERM', () => {
  void engine.stop().then(() => process.exit(0));
});
process.on('disconnect', () => process.exit(1)); // the bench is gone
