import { runCluster } from './support/cluster-run.ts';
for (let seed = Number(process.argv[2]); seed <= Number(process.argv[3]); seed++) {
  const at = performance.now();
  const r = await runCluster(seed);
  console.log(seed, JSON.stringify({...r, movesMs: r.movesMs.map(Math.round).join(), deathsMs: r.deathsMs.map(Math.round).join()}), Math.round(performance.now()-at));
}
