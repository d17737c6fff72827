// Reads a file in a worker, piece by piece: a piece is sent, and the next one waits until it was
// dealt with, so that a file of any size needs little memory.

import Papa from 'papaparse';
import { jsonLines } from './json-lines.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

const pieceBytes = 512 * 1024;

let goOn: (() => void) | undefined;

// papaparse would take the messages of a worker for its own.
globalThis.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'more') goOn?.();
  else if (data.format === 'csv') readCsv(data.file);
  else void readJsonLines(data.file);
};

function tell(message: FromWorker): void {
  postMessage(message);
}

function readCsv(file: File): void {
  let header: readonly string[] | undefined;
  Papa.parse<string[]>(file, {
    chunkSize: pieceBytes,
    skipEmptyLines: 'greedy',
    chunk: ({ data, meta }, parser) => {
      const rows = header === undefined ? data.slice(1) : data;
      header ??= (data[0] ?? []).map((name) => name.replace(/^\uFEFF/, '').trim());
      parser.pause();
      goOn = () => parser.resume();
      tell({ kind: 'rows', header, rows, bytes: meta.cursor });
    },
    complete: () => tell({ kind: 'end' }),
    error: ({ message }) => tell({ kind: 'problem', problem: message }),
  });
}

async function readJsonLines(file: File): Promise<void> {
  try {
    for await (const piece of jsonLines(file.stream(), pieceBytes)) {
      const next = new Promise<void>((wake) => {
        goOn = wake;
      });
      tell({ kind: 'objects', ...piece });
      await next;
    }
    tell({ kind: 'end' });
  } catch (error) {
    tell({ kind: 'problem', problem: error instanceof Error ? error.message : String(error) });
  }
}
