// Injected randomness: the operating system's CSPRNG, or seeded in the simulator so that a seed
// reruns the world. Key material arrives in messages, never from here.

import { randomBytes } from 'node:crypto';

export interface Rng {
  /** Uniform in [0, 2^32). */
  uint32(): number;
}

/** The operating system's, 4 KiB at a time. */
export function systemRng(): Rng {
  let pool = randomBytes(4096);
  let at = 0;
  return {
    uint32() {
      if (at === pool.length) {
        pool = randomBytes(4096);
        at = 0;
      }
      const value = pool.readUInt32LE(at);
      at += 4;
      return value;
    },
  };
}

/** sfc32: seed and stream name give the same numbers on every machine. */
export function seededRng(seed: number, stream = ''): Rng {
  let h = 0x811c9dc5 ^ seed;
  for (let i = 0; i < stream.length; i++) h = Math.imul(h ^ stream.charCodeAt(i), 0x01000193);
  let a = h | 0;
  let b = Math.imul(h, 0x9e3779b1) | 0;
  let c = seed | 0;
  let d = 1;
  const uint32 = () => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 16; i++) uint32();
  return { uint32 };
}

/** Uniform integer in [0, bound); `bound` is 1 to 2^32. */
export function below(rng: Rng, bound: number): number {
  return Math.floor((rng.uint32() / 4294967296) * bound);
}

/** Uniform in [0, 1). */
export function fraction(rng: Rng): number {
  return rng.uint32() / 4294967296;
}

/** The list must not be empty. */
export function pick<T>(rng: Rng, values: readonly T[]): T {
  return values[below(rng, values.length)] as T;
}
