// Under which identity an endpoint opts out, written apart from the product's own rule.

/** The identity that an endpoint opts out as; push has none. */
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
