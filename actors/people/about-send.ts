// The message by which a person opted out, as events and figures name it. Its id says which
// campaign or journey it belongs to, as long as that counts answers.

/** As a link or a return address names it. */
export interface MessageNamed {
  readonly sendId: string;
  readonly deviceId: string;
  readonly journeyId?: string;
}

/** The same of an email's link, with the key of its topic. */
export interface MailNamed extends MessageNamed {
  readonly topic?: string;
}

export interface AboutSend extends MessageNamed {
  readonly campaignId?: string;
  readonly messageId?: string;
  readonly variant?: string;
}

/** Campaigns and journeys; their house lies below. */
export interface SendsNamed {
  readonly sending: {
    sendNamed(
      sendId: string,
      campaigns: { get(id: string): object | undefined },
    ): Omit<AboutSend, keyof MessageNamed> | undefined;
  };
  readonly campaigns: { get(id: string): object | undefined };
  readonly journeys: { sendNamed(sendId: string): Partial<AboutSend> | undefined };
}

export function aboutSend(
  { sending, campaigns, journeys }: SendsNamed,
  { sendId, deviceId, journeyId }: MessageNamed,
): AboutSend {
  const named = sending.sendNamed(sendId, campaigns) ?? journeys.sendNamed(sendId);
  const ofJourney = journeyId === undefined ? {} : { journeyId };
  return { ...ofJourney, ...named, sendId, deviceId };
}
