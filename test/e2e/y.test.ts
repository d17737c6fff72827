import t from 'tap';
import { killLoop } from './kill-loop.ts';
t.setTimeout(80_000);
t.test('x', async (t) => {
  const report = await killLoop(t, { kills: 5, seed: 20_260_921 });
  console.error(JSON.stringify(report));
});
