// The messages about what the texts of a campaign cost, apart from the others: only they know of
// prices.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type {
  CountryCost,
  CountryTexts,
  PricesOf,
  TextPrices,
} from '../../channels/sms/text-prices.ts';
import type { SendingApp } from '../../content/liquid/context.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import type { UtmParameters } from '../../content/shape/utm-facts.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

interface Asked extends Caller {
  readonly id: string;
  readonly dryRunId: string;
}

export interface TextCost {
  /** The most segments first. */
  readonly countries: readonly CountryCost[];
  readonly texts: number;
  readonly segments: number;
  /** Of the countries with a price; `null` if none has. */
  readonly total: number | null;
  /** Texts that cannot be rendered, or are too long: they are not sent. */
  readonly unsendable: number;
}

export interface CampaignCost {
  /** The relay that sends first; `null`: the app's carrier account. */
  readonly relay: { readonly id: string; readonly name: string } | null;
  /** Whose prices count: the relay's, else those of the settings; `null`: nobody told any. */
  readonly pricesOf: PricesOf | null;
  /** ISO 4217; `null` without prices. */
  readonly currency: string | null;
  /** Some of the people stand for the others, or for those whose variant is not decided yet. */
  readonly isEstimate: boolean;
  /** To people who get it now or later. */
  readonly primary: TextCost;
  /** If nobody reacted; `null` without a fallback to texts. */
  readonly fallback: TextCost | null;
}

/** What memory knows, for the pool. */
export interface CostRead {
  readonly app: Ordinal;
  readonly dryRunId: string;
  readonly parts: number;
  /** The channel's place in the catalog, and whether each pass uses it. */
  readonly sms: number;
  readonly isPrimary: boolean;
  readonly isFallback: boolean;
  readonly sending: SendingApp;
  readonly nowMs: number;
  readonly contents: readonly {
    /** Absent without variants. */
    readonly variant?: string;
    readonly content: MessageContent;
    readonly utm?: UtmParameters | undefined;
  }[];
  /** What the gateway takes. */
  readonly segmentsMax?: number | undefined;
  readonly takesGsmOnly: boolean;
}

export interface CostFacts {
  readonly read: CostRead;
  readonly relay: CampaignCost['relay'];
  readonly pricesOf: CampaignCost['pricesOf'];
  readonly prices?: TextPrices;
}

interface Counted {
  readonly texts: readonly CountryTexts[];
  readonly unsendable: number;
}

export interface CostCounted {
  readonly isEstimate: boolean;
  readonly primary: Counted;
  readonly fallback: Counted;
}

/** Renders the texts of a dry run, and counts their segments. */
export const costRead: PoolRead<CostRead, CostCounted> = {
  name: 'cost',
  of: 'the texts of the campaign',
};

export interface CampaignCostProtocol {
  /** The host answers it, after `campaign.cost_facts`. */
  'campaign.cost': { body: Asked; reply: CampaignCost };
  'campaign.cost_facts': { body: Asked; reply: CostFacts };
}
