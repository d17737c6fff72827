// Unpacks into the place that it is given, as a process of its own, and prints the folder; with
// `killed` it is killed when it has written one file.

import type { PackedFile } from '../../../../cli/single/unpack.ts';
import { unpackedProgram } from '../../../../cli/single/unpack.ts';
import { packedProgram } from './packed.ts';

const [place = '', how] = process.argv.slice(2);
const packed = packedProgram();
process.stdout.write(unpackedProgram(place, how === 'killed' ? killedOnTheWay() : packed));

function killedOnTheWay() {
  function* files(): Generator<PackedFile> {
    yield packed.files[0] as PackedFile;
    process.kill(process.pid, 'SIGKILL');
  }
  return { ...packed, files: { [Symbol.iterator]: files, every: () => false } as never };
}
