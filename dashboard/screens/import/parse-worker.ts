// Reads a file in a worker: once through to survey it, then piece by piece to send it. A piece is
// sent, and the next one waits until it was dealt with, so that a file of any size needs little
// memory.

import { csvPieces } from '../../../files/csv-pieces.ts';
import { decoded } from '../../../files/decoded.ts';
import { jsonLines } from '../../../files/json-lines.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { pieceSize, surveyFile } from './survey-file.ts';

let goOn: (() => void) | undefined;

// papaparse would take the messages of a worker for its own.
globalThis.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'more') goOn?.();
  else if (data.kind === 'survey') void told(survey(data));
  else void told(read(data));
};

function tell(message: FromWorker): void {
  postMessage(message);
}

async function told(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    tell({ kind: 'problem', problem: error instanceof Error ? error.message : String(error) });
  }
}

async function survey({
  file,
  format,
  encoding,
}: Extract<ToWorker, { readonly kind: 'survey' }>): Promise<void> {
  let toldBytes = 0;
  const onBytes = (bytes: number) => {
    if (bytes - toldBytes < pieceSize) return;
    toldBytes = bytes;
    tell({ kind: 'surveying', bytes });
  };
  tell(await surveyFile(file, format, encoding, onBytes));
}

async function read({
  file,
  format,
  encoding,
  form,
}: Extract<ToWorker, { readonly kind: 'read' }>): Promise<void> {
  const texts = decoded(file.stream(), encoding);
  if (format === 'csv')
    for await (const { rows, bytes } of csvPieces(texts, pieceSize, form))
      await dealtWith({ kind: 'rows', rows, bytes });
  else
    for await (const piece of jsonLines(texts, pieceSize))
      await dealtWith({ kind: 'objects', ...piece });
  tell({ kind: 'end' });
}

async function dealtWith(piece: FromWorker): Promise<void> {
  const next = new Promise<void>((wake) => {
    goOn = wake;
  });
  tell(piece);
  await next;
}
