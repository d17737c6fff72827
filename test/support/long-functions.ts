// How long the functions of a file are, read from their indentation, which the formatter keeps:
// a function opens with a line that ends in `{` and closes with the next line as far indented that
// begins with `}`.

interface LongFunction {
  readonly line: number;
  /** The name, or the start of the line that opens it where it has none. */
  readonly name: string;
  /** From the line of its head to that of its closing brace. */
  readonly lines: number;
}

const statements = /^(?:\} )?(?:else|if|for|while|switch|do|try|catch|finally|with)\b/;
const containers =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:class|interface|type|enum|namespace)\b/;
const indent = (line: string) => line.length - line.trimStart().length;

/** Functions of more than `most` lines in code without comments, in the order they stand. */
export function longFunctions(code: string, text: string, most: number): LongFunction[] {
  const lines = code.split('\n');
  const written = text.split('\n');
  const found: LongFunction[] = [];
  for (let at = 0; at < lines.length; at++) {
    const opener = lines[at] ?? '';
    if (!opener.endsWith('{')) continue;
    const head = headOf(lines, at);
    if (head === undefined) continue;
    let end = at + 1;
    const depth = indent(opener);
    while (end < lines.length && !closes(lines[end] ?? '', depth)) end++;
    const length = end - head + 1;
    if (length > most)
      found.push({ line: head + 1, name: nameOf(written[head] ?? ''), lines: length });
  }
  return found;
}

function closes(line: string, depth: number): boolean {
  return indent(line) === depth && line.trimStart().startsWith('}');
}

/** The line a function's head begins at; none for a block, a type or a literal. */
function headOf(lines: readonly string[], at: number): number | undefined {
  const opener = (lines[at] ?? '').trimStart();
  if (statements.test(opener) || containers.test(opener)) return undefined;
  if (!opener.startsWith(')')) return isFunction(opener) ? at : undefined;
  let head = at - 1;
  const depth = indent(lines[at] ?? '');
  while (head > 0 && (indent(lines[head] ?? '') !== depth || lines[head]?.trim() === '')) head--;
  const start = (lines[head] ?? '').trimStart();
  return statements.test(start) ? undefined : head;
}

function isFunction(opener: string): boolean {
  if (/=> \{$/.test(opener) || /\bfunction\b.*\{$/.test(opener)) return true;
  return /^(?:(?:static|async|get|set|public|private|protected|override) )*\*?[#\w]+(?:<.*>)?\(.*\).*\{$/.test(
    opener,
  );
}

function nameOf(head: string): string {
  const line = head.trim();
  const named =
    /(?:function\*?|const|let) ([\w$]+)/.exec(line) ?? /^(?:[a-z]+ )*\*?([#\w]+)[<(]/.exec(line);
  const test = /\btest\(\s*(['"`].*?['"`])/.exec(line)?.[1];
  return test ?? named?.[1] ?? line.slice(0, 50);
}
