// The republished binaries of uWebSockets.js that this program loads, by their hashes: nobody
// vouches for the packages (docs/decisions/0001), so a file that was not tested is not loaded.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** SHA-256 of `uws.node`, by package: 20.51.4 for Node 20 and 22, 20.69.0 for 24 and 26. */
const knownHashes: Readonly<Record<string, string>> = {
  '@uwsjs/linux-x64-20': '4d482084b665c225892917ee0e9b9572d89eaa6f3dc200ff5e536293d3456c89',
  '@uwsjs/linux-x64-22': 'f687e7c3666b5cca9d355184bbf07bb0550f5ba0d3ffd453248ccfec552dde6c',
  '@uwsjs/linux-x64-24': '177efdc682425d754474bd30f9586c487fa6694f790f3406a23885d0e61c07a0',
  '@uwsjs/linux-x64-26': '604375741bf77780b34e7e299af9274cb1f56d73732201d19e3d8d8448176795',
};

/** Why this file must not be loaded as the binary of that package. `undefined` if it may. */
export function binaryProblem(packageName: string, path: string): string | undefined {
  const known = knownHashes[packageName];
  if (known === undefined) return `${packageName} is not a package that was tested`;
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found === known) return undefined;
  return `${path} is not the file that was tested: its SHA-256 is ${found}, expected ${known}`;
}
