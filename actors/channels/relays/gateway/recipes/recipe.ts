// A recipe: a gateway's configuration as its public documents describe it. The tenant adds the
// credentials, and may replace any member.

import type { z } from 'zod';
import type { gatewaySchema } from '../config.ts';

export interface GatewayRecipe {
  readonly label: string;
  /** Absent: texts. */
  readonly channel?: 'voice';
  /** Where it delivers: ISO 3166 countries; absent: worldwide. */
  readonly countries?: readonly string[];
  /** The document that it follows. */
  readonly source: string;
  /** What the tenant enters, by name. */
  readonly credentials: Readonly<Record<string, string>>;
  /** What else to do at the gateway. */
  readonly setup?: string;
  readonly config: Omit<z.input<typeof gatewaySchema>, 'credentials' | 'recipe'>;
}

/** Every recipe takes reports at the address with this secret of the tenant's choice. */
export const reportSecret = {
  reports: 'A long random text of your own: the secret in the address for delivery reports.',
} as const;
export const byToken = { kind: 'token', secret: 'reports' } as const;
