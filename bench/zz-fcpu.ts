// front CPU per unit: args root, what(new|known|e1|send), seconds, [prof]
const root = process.argv[2]!;
const what = process.argv[3]!;
const seconds = Number(process.argv[4] ?? 5);
const { engage } = await import(`${root}/bench/support/engage.ts`);
const { load, mustAnswer } = await import(`${root}/bench/support/http-load.ts`);
const loads = await import(`${root}/bench/support/loads.ts`);
const server = await engage({ ...(what === "send" ? loads.acceptOnly : {}), ...(process.argv[5] ? { NODE_OPTIONS: "--require /tmp/front-scratch/prof.cjs", PROF_OUT: `/tmp/front-scratch/prof-${what}.cpuprofile` } : {}) });
try {
  const { key, apps } = await server.tenant(1);
  const target = { port: server.port, key, appId: apps[0] };
  let plan: any, per = 1, status = 200;
  if (what === 'new' || what === 'known') { per = 1000; plan = loads.importLoad(target, 1000, what === 'new'); }
  else if (what === 'e1') { plan = loads.eventLoad(target, 1); status = 202; }
  else {
    status = 202;
    const rows = Array.from({ length: 200 }, (_, i) => ({ externalUserId: `user-${i}`, tags: { first_name: 'Ana' }, devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }] }));
    await server.call('POST', '/v1/import/subscribers', { appId: target.appId, rows }, key);
    plan = loads.sendLoad(target);
  }
  mustAnswer(await load({ ...plan, seconds: 3, warmupSeconds: 0 }), status);
  const before = server.threadSeconds();
  const cpu0 = server.cpuSeconds();
  const r = await load({ ...plan, seconds, warmupSeconds: 0 });
  mustAnswer(r, status);
  const after = server.threadSeconds();
  const units = r.requests * per;
  const all = [...after].map(([id, s]: any) => [id, ((s - (before.get(id) ?? 0)) * 1e6) / units] as const);
  const front = all.find(([id]) => id === String(server.pid))![1];
  const others = all.filter(([id]) => id !== String(server.pid)).map(([, v]) => v).sort((a, b) => b - a).slice(0, 5);
  console.log(`${root.split('/').pop()} ${what}: front ${front.toFixed(2)} µs, all ${(((server.cpuSeconds() - cpu0) * 1e6) / units).toFixed(2)}, others ${others.map((v) => v.toFixed(1)).join(' ')}, ${Math.round(r.perSecond * per)}/s p99 ${r.p99Ms.toFixed(1)}`);
} finally { await server.stop(); }
