// Which identity an endpoint opts out as: the product's rule a second time, for the simulator's own channels.

/** The identity that an endpoint opts out as; push has none. Written apart from the product's own rule. */
export function identityOf(channel: string, endpoint: unknown): string | undefined {
  if (typeof endpoint !== 'string') return undefined;
  switch (channel) {
    case 'email':
      return `email:${endpoint.toLowerCase()}`;
    case 'sms':
    case 'whatsapp':
      return `phone:${endpoint}`;
    case 'telegram':
    case 'line':
      return `${channel}:${endpoint}`;
    default:
      return undefined;
  }
}
