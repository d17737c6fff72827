// Campaign parameters (`utm_…`) of links, and what sends the message that they are about.

import type { ChannelId } from '../../channels/channel-ids.ts';

/** In the order in which links get them; the value is encoded. */
export type UtmParameters = readonly (readonly [name: string, value: string])[];

/** What sends a message. A test and a transactional send have the channel alone. */
export interface UtmFacts {
  readonly channel: ChannelId;
  readonly campaign?: Named;
  readonly journey?: Named;
  /** The id of the journey's step, and of the campaign's variant. */
  readonly step?: string;
  readonly variant?: string;
}

interface Named {
  readonly id: string;
  readonly name: string;
}
