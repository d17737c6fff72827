// Checks that ports are free before the start, because each process would report a busy one
// differently. Holds all at once, to find two settings with one port.

import { createServer, type Server } from 'node:net';

export interface WantedPort {
  readonly setting: string;
  readonly host: string;
  /** 0 picks a free port: never a problem. */
  readonly port: number;
}

/** One sentence per busy port. */
export async function portProblems(wanted: readonly WantedPort[]): Promise<string[]> {
  const held: { readonly setting: string; readonly port: number; readonly server: Server }[] = [];
  const problems = new Set<string>();
  try {
    for (const { setting, host, port } of wanted) {
      const server = createServer();
      const code = await listenCode(server, host, port);
      if (code === undefined) {
        held.push({ setting, port, server });
        continue;
      }
      const other = held.find((one) => one.port === port && port !== 0);
      problems.add(sentenceOf({ setting, host, port }, code, other?.setting));
    }
  } finally {
    await Promise.all(
      held.map(({ server }) => new Promise((resolve) => void server.close(resolve))),
    );
  }
  return [...problems];
}

/** Listens, or returns the error code. Exclusive, or cluster processes would share it. */
function listenCode(server: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => resolve(undefined));
  });
}

function sentenceOf(wanted: WantedPort, code: string, other: string | undefined): string {
  const { setting, host, port } = wanted;
  if (code === 'EADDRINUSE')
    return other === undefined
      ? `${setting} is ${port}: another program listens on that port of ${host}; stop it, or set another port.`
      : `${setting} is ${port}: ${other} already uses that port; set another.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `${setting} is ${port}: this user may not listen on that port; use a port above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
    return `ENGAGE_HOST is ${JSON.stringify(host)}: expected an address of this machine.`;
  return `${setting} is ${port}: cannot listen there at ${host} (${code}).`;
}
