// Sends a built file in the smallest form that the browser accepts.

import type { HeaderList, HttpRequest, HttpResponder } from '../server/exchange.ts';
import type { BuiltFile } from './built-file.ts';

const varies: HeaderList[number] = ['vary', 'accept-encoding'];

export function sendFile(
  file: BuiltFile,
  request: HttpRequest,
  response: HttpResponder,
  headers: HeaderList,
): void {
  const all: HeaderList[number][] = [...headers, varies, ['content-type', file.type]];
  const accepted = request.header('accept-encoding');
  for (const [coding, bytes] of file.packed) {
    if (!new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\b)`).test(accepted)) continue;
    response.send(200, [...all, ['content-encoding', coding]], bytes);
    return;
  }
  response.send(200, all, file.plain);
}
