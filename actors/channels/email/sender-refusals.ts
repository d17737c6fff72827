// The reasons of refusals that speak of the sender: nobody else would have got the mail either.
// They end no device, and whoever sends to many counts them.

/** Of receipts, late bounces and paused channels. */
export const senderRefusals = [
  /** SPF, DKIM, DMARC or reverse DNS: the domain or the relay does not prove who it is. */
  'sender_not_authenticated',
  /** A blocklist, a bad reputation, a banned address of the relay. */
  'sender_blocked',
  /** The sender's address or domain itself. */
  'sender_refused',
] as const;
