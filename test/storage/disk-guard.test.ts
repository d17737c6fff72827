// The disk guard: low before full, and not flapping.

import t from 'tap';
import { DiskGuard } from '../../storage/disk-guard.ts';

const reuseBytes = 64 * 1024 * 1024;

const GiB = 1024 ** 3;
const MiB = 1024 ** 2;

function guarded(totalBytes: number) {
  let freeBytes = totalBytes;
  const guard = new DiskGuard('/data', () => ({ freeBytes, totalBytes }));
  return (free: number) => {
    freeBytes = free;
    return guard.check().low;
  };
}

t.test('a disk is low below a twentieth', async (t) => {
  const lowAt = guarded(100 * GiB);
  t.equal(lowAt(5 * GiB), false);
  t.equal(lowAt(5 * GiB - 1), true);
});

t.test('a disk is low below 512 MiB', async (t) => {
  const lowAt = guarded(8 * GiB);
  t.equal(lowAt(512 * MiB), false);
  t.equal(lowAt(512 * MiB - 1), true);
});

t.test('a disk too small for the limit is low below its half', async (t) => {
  const lowAt = guarded(64 * MiB);
  t.equal(lowAt(32 * MiB), false);
  t.equal(lowAt(32 * MiB - 1), true);
});

t.test('a low disk stays low until there is a tenth more than the limit', async (t) => {
  const lowAt = guarded(100 * GiB);
  t.equal(lowAt(4 * GiB), true);
  t.equal(lowAt(5 * GiB + 1), true);
  t.equal(lowAt(5.49 * GiB), true);
  t.equal(lowAt(5.51 * GiB), false);
  t.equal(lowAt(5.1 * GiB), false);
});

t.test('the file system of this machine is read', async (t) => {
  const { freeBytes, totalBytes } = new DiskGuard('.').check();
  t.ok(totalBytes > 0 && freeBytes >= 0 && freeBytes <= totalBytes);
});

t.test(
  'while a disk is low a file with much room of its own may be written to, down to half the limit',
  async (t) => {
    let freeBytes = 6 * GiB;
    const guard = new DiskGuard('/data', () => ({ freeBytes, totalBytes: 100 * GiB }));
    guard.check();
    t.equal(
      guard.isLowFor(() => {
        throw new Error('nobody asks a file while there is room');
      }),
      false,
    );
    freeBytes = 4 * GiB;
    guard.check();
    t.equal(guard.freeBytes, freeBytes);
    t.equal(
      guard.isLowFor(() => reuseBytes),
      false,
    );
    t.equal(
      guard.isLowFor(() => reuseBytes - 1),
      true,
    );
    freeBytes = 2.5 * GiB - 1;
    guard.check();
    t.equal(
      guard.isLowFor(() => Number.MAX_SAFE_INTEGER),
      true,
    );
  },
);

t.test('a disk is full below 8 MiB or a 64th, and for a tenth more', async (t) => {
  const fullAt = (totalBytes: number) => {
    let freeBytes = totalBytes;
    const guard = new DiskGuard('/data', () => ({ freeBytes, totalBytes }));
    return (free: number) => {
      freeBytes = free;
      t.equal(guard.check().low, free < totalBytes / 2 && free < 512 * MiB);
      return guard.full;
    };
  };
  const large = fullAt(9 * GiB);
  const steps = [8 * MiB, 8 * MiB - 1, 8.7 * MiB, 8.9 * MiB, 8.1 * MiB].map(large);
  t.same(steps, [false, true, true, false, false]);
  const small = fullAt(64 * MiB);
  t.same([MiB, MiB - 1, 0].map(small), [false, true, true]);
});

t.test('room for more is room far from the limit', async (t) => {
  let freeBytes = 10 * GiB;
  const guard = new DiskGuard('/data', () => ({ freeBytes, totalBytes: 100 * GiB }));
  guard.check();
  t.equal(guard.hasRoomFor(4.4 * GiB), true);
  t.equal(guard.hasRoomFor(4.6 * GiB), false);
  freeBytes = 4 * GiB;
  guard.check();
  t.equal(guard.hasRoomFor(0), false);
});
