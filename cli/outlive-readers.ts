// A service goes on when whoever reads its output goes away (`engage start | head`). Without a
// listener, the next line would end the process with EPIPE.

export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
