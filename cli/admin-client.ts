// Reaches a data directory's server by admin socket, or holds its lock if none runs.

import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { adminAddress } from '../http/process/admin-address.ts';
import type { AnswerLine } from '../http/process/admin-lines.ts';
import type { AdminRequest, AdminResults } from '../http/process/admin-socket.ts';
import { lockDataDirectory } from '../storage/lock.ts';
import { makeDirectory } from './directory.ts';

/** `undefined` if no server runs; throws the server's error. */
export async function askServer<C extends AdminRequest['command']>(
  dataDir: string,
  request: Extract<AdminRequest, { command: C }>,
  onProgress: (text: string) => void = () => undefined,
): Promise<AdminResults[C] | undefined> {
  if (!existsSync(dataDir)) return undefined;
  const address = adminAddress(dataDir);
  try {
    const answer = await exchange(address.path, request, onProgress);
    return answer as AdminResults[C] | undefined;
  } finally {
    address.release();
  }
}

/** Holds the directory's lock; throws if a server has it (starting or stopping). */
export async function withLock<T>(dataDir: string, run: () => Promise<T>): Promise<T> {
  makeDirectory(dataDir);
  const lock = await lockDataDirectory(dataDir).catch((error: unknown) => {
    const sentence = error instanceof Error ? error.message : String(error);
    throw new Error(`${sentence} It does not respond; it may be starting or stopping. Try again.`);
  });
  try {
    return await run();
  } finally {
    await lock.release();
  }
}

/** Throws a one-sentence error without partitions. */
export function needData(dataDir: string): void {
  if (!existsSync(join(dataDir, 'partitions')))
    throw new Error(`${dataDir} holds no data; check ENGAGE_DATA_DIR.`);
}

function exchange(
  path: string,
  request: AdminRequest,
  onProgress: (text: string) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    let received = '';
    let isConnected = false;
    socket.setEncoding('utf8');
    socket.once('connect', () => {
      isConnected = true;
      socket.write(`${JSON.stringify(request)}\n`);
    });
    socket.on('data', (part: string) => {
      received += part;
      for (let end = received.indexOf('\n'); end >= 0; end = received.indexOf('\n')) {
        const line = JSON.parse(received.slice(0, end)) as AnswerLine;
        received = received.slice(end + 1);
        if ('progress' in line) onProgress(line.progress);
        else if ('error' in line) reject(new Error(line.error));
        else resolve(line.result);
      }
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const isNobody = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
      if (!isConnected && isNobody) resolve(undefined);
      else if (error.code === 'EACCES')
        reject(new Error(`${path} belongs to another user: run this as the server's user.`));
      else reject(error);
    });
    socket.once('close', () => reject(new Error('the server exited before it was done.')));
  });
}
