// Serves the scripts of the web SDK at `/sdk/v1/…` to pages of any origin. A page that names the
// version of a file (`?v=`, as its ETag says) keeps it for good; all others ask again each hour.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerHeaders } from '../call/answer/answer-headers.ts';
import type { AnsweredCall } from '../call/answer/answered-call.ts';
import type { Edge } from '../call/edge.ts';
import type { Special } from '../call/pipeline.ts';
import type { BuiltFile } from '../dashboard/built-file.ts';
import { sendFile } from '../dashboard/send-file.ts';
import type { HeaderList } from '../server/exchange.ts';

const filesAt = '/sdk/v1/';
const versionChars = 12;
const lookEveryMs = 1_000;

interface ScriptFile extends BuiltFile {
  readonly version: string;
}

const shared: HeaderList = [
  ['access-control-allow-origin', '*'],
  ['cross-origin-resource-policy', 'cross-origin'],
  ['x-content-type-options', 'nosniff'],
  // A site that passes these paths on to Engage may use the worker for all of its pages.
  ['service-worker-allowed', '/'],
];

const hourly: HeaderList[number] = ['cache-control', 'public, max-age=3600'];
const forGood: HeaderList[number] = ['cache-control', 'public, max-age=31536000, immutable'];

const notBuilt =
  'The web SDK is not built. Run `npm run build` in the folder of Engage, then try again.\n';

/** `folder` for tests: where the built files are. */
export function webSdkSpecial(
  edge: Pick<Edge, 'clock' | 'config'>,
  onAnswered: (call: AnsweredCall) => void,
  folder = builtFolder(),
): Special {
  const built = new BuiltScripts(folder);
  return (request, response, requestId) => {
    const { path, method } = request;
    if (!path.startsWith(filesAt) || (method !== 'GET' && method !== 'HEAD')) return undefined;
    const name = path.slice(filesAt.length);
    const headers = [...answerHeaders(edge, requestId), ...shared];
    const finish = (status: number) => {
      onAnswered({ route: `${filesAt}*`, method, status, lane: 'none' });
      return { sink: undefined };
    };
    const files = built.at(edge.clock.monotonic());
    const file = files?.get(name);
    if (files === undefined) {
      response.send(503, [...headers, ['content-type', 'text/plain; charset=utf-8']], notBuilt);
      return finish(503);
    }
    if (file === undefined) return undefined;
    const { version } = file;
    const isNamed = new URLSearchParams(request.query).get('v') === version;
    headers.push(isNamed ? forGood : hourly, ['etag', `"${version}"`]);
    if (request.header('if-none-match').includes(`"${version}"`)) {
      response.send(304, headers, '');
      return finish(304);
    }
    sendFile(file, request, response, headers);
    return finish(200);
  };
}

/** The files as `sdk/web/build.mjs` wrote them, in memory; read again after a new build. */
class BuiltScripts {
  readonly #folder: string;
  #files: ReadonlyMap<string, ScriptFile> | undefined;
  #builtMs = 0;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    this.#folder = folder;
  }

  at(nowMs: number): ReadonlyMap<string, ScriptFile> | undefined {
    if (nowMs - this.#lookedMs < lookEveryMs) return this.#files;
    this.#lookedMs = nowMs;
    // The build writes this one last.
    const last = statSync(join(this.#folder, 'built.json'), { throwIfNoEntry: false });
    if (last === undefined || last.mtimeMs === this.#builtMs) return this.#files;
    this.#builtMs = last.mtimeMs;
    this.#files = new Map(
      readdirSync(this.#folder)
        .filter((name) => name.endsWith('.js'))
        .map((name) => [name, scriptFile(join(this.#folder, name))]),
    );
    return this.#files;
  }
}

function scriptFile(path: string): ScriptFile {
  const plain = readFileSync(path);
  const packed = [
    ['br', `${path}.br`],
    ['gzip', `${path}.gz`],
  ] as const;
  return {
    type: 'text/javascript; charset=utf-8',
    plain,
    packed: new Map(
      packed
        .filter(([, file]) => existsSync(file))
        .map(([coding, file]) => [coding, readFileSync(file)]),
    ),
    version: createHash('sha256').update(plain).digest('base64url').slice(0, versionChars),
  };
}

/** Compiled code has it beside its own folder; sources run from the root. */
function builtFolder(): string {
  const here = fileURLToPath(new URL('../../', import.meta.url));
  return here.endsWith('/dist/') ? join(here, 'web-sdk') : join(here, 'dist/web-sdk');
}
