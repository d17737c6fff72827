// What compressing a JSON answer costs and saves, by its size and the level of gzip: the reason for
// the numbers in http/server/compress.ts. Run: npx tsx bench/compress.ts

import { gzipSync } from 'node:zlib';
import { median, printSummary } from './support/options.ts';

const rounds = 9;
const cities = ['Hà Nội', 'Jakarta', 'Manila'];

/** As a page of people is: much of it repeats, and ids do not. */
function page(rows: number): string {
  const items = Array.from({ length: rows }, (_, i) => ({
    id: `sub_${((i * 7_919 + 104_729) ** 3).toString(36).padStart(26, '0')}`,
    externalUserId: `customer-${i}`,
    tags: { plan: i % 3 === 0 ? 'free' : 'pro', city: cities[i % 3], orders: (i * 7_919) % 1_000 },
    devices: [{ channel: 'email', enabled: true, endpoint: `user${i}@example.com` }],
    createdAt: new Date(1_700_000_000_000 + i * 1_000_003).toISOString(),
  }));
  return JSON.stringify({ items });
}

/** Microseconds, and bytes that are left. */
function cost(text: string, level: number): { readonly us: number; readonly bytes: number } {
  const each = Math.max(3, Math.round(400_000 / text.length));
  let bytes = 0;
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    for (let i = 0; i < each; i++) bytes = gzipSync(text, { level }).length;
    return ((performance.now() - begun) / each) * 1_000;
  });
  return { us: median(times), bytes };
}

const figures: Record<string, number> = {};
for (const rows of [1, 8, 30, 250, 1_000]) {
  const text = page(rows);
  const said = [1, 4, 9].map((level) => {
    const { us, bytes } = cost(text, level);
    if (rows === 250) figures[`us250Level${level}`] = us;
    return `level ${level}: ${Math.round(us)} us, ${bytes} bytes`;
  });
  console.log(`${text.length} characters: ${said.join('; ')}`);
}
printSummary('compress', figures);
