// JSON Lines from a stream of bytes: one value a line, a bad line by itself. A file that is one
// JSON array is not JSON Lines, and its first line says so.

interface Piece {
  readonly objects: readonly { readonly value?: unknown; readonly problem?: string }[];
  readonly bytes: number;
}

export async function* jsonLines(
  stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  pieceBytes: number,
): AsyncGenerator<Piece> {
  const decoder = new TextDecoder();
  let rest = '';
  let bytes = 0;
  let sent = 0;
  let objects: { readonly value?: unknown; readonly problem?: string }[] = [];
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    objects.push(...lines.flatMap(parsed));
    if (bytes - sent < pieceBytes) continue;
    sent = bytes;
    yield { objects, bytes };
    objects = [];
  }
  objects.push(...parsed(rest + decoder.decode()));
  if (objects.length > 0) yield { objects, bytes };
}

function parsed(line: string): readonly { readonly value?: unknown; readonly problem?: string }[] {
  const text = line.trim();
  if (text === '') return [];
  try {
    return [{ value: JSON.parse(text) }];
  } catch {
    return [{ problem: 'the line is not JSON' }];
  }
}
