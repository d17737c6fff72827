// Keeps the zone's records for the next start, in a file that each change replaces whole.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type DnsRecord, Zone } from './zone.ts';

const kept = z.array(
  z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() }),
);

/** The zone with the records of the last start; a file that cannot be used only reaches the log. */
export function zoneIn(directory: string, log: (line: string) => void): Zone {
  const path = join(directory, 'dns.json');
  const zone = new Zone((records) => {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.new`, JSON.stringify(records.map(plain)));
      renameSync(`${path}.new`, path);
    } catch (error) {
      log(`the DNS records are not kept: ${String(error)}`);
    }
  });
  for (const { type, name, value } of readKept(path, log)) zone.add(type, name, value);
  return zone;
}

function readKept(path: string, log: (line: string) => void): z.output<typeof kept> {
  try {
    return kept.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log(`the kept DNS records cannot be read: ${String(error)}`);
    return [];
  }
}

function plain({ type, name, value }: DnsRecord): Omit<DnsRecord, 'id'> {
  return { type, name, value };
}
