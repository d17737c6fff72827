// The engine process as the primary starts it, with a way in for benches: a message on this
// process's channel goes to an actor as the system's own, and its answer returns.

const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const { startEngine } = await built('http/process/engine.js');
const { readConfig } = await built('http/process/config.js');

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
