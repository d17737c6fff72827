// Serves requests that other servers forward, by the handler of this server's own requests. One
// whose partition is not here is refused before anything was done, and never forwarded again.

import type { HttpHandler } from '../server/exchange.ts';
import { ForwardedRequest } from './forwarded-head.ts';
import type { Owners } from './owners.ts';

export function serveForwarded(handler: HttpHandler, owners: Pick<Owners, 'of'>): HttpHandler {
  return (request, response) => {
    const forwarded = ForwardedRequest.of(request);
    if (forwarded === undefined) {
      response.send(404, [], '');
      return undefined;
    }
    const { partition } = forwarded;
    const place = owners.of(partition);
    if (place?.shard !== undefined && !place.isHeld) return handler(forwarded, response);
    const { term = 0, member = null } = place ?? {};
    response.send(421, [], JSON.stringify({ partition, term, owner: member }));
    return undefined;
  };
}
