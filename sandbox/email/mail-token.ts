// Stand-in for the token endpoint of a mailbox provider (RFC 6749): a refresh token or the client's
// own credentials in, an access token for the mail stand-in out.

import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type World,
} from '../stand-in.ts';
import { mailLoginsOf, revokedPrefix } from './mail-logins.ts';

export function mailTokenStandIn(world: World): HttpStandIn {
  const logins = mailLoginsOf(world);
  return {
    transport: 'http',
    channel: 'mail-token',
    mount: '/mail-token',
    urls: { SMTP_TOKEN: '/mail-token/token' },
    bodyBytesMax: 64 * 1024,
    namedFaults: [],
    refusal: (status) =>
      oauthError(status, 'temporarily_unavailable', `Fault ${status} on demand.`),
    receive(received) {
      if (received.method !== 'POST' || received.path !== '/token')
        return { answer: oauthError(404, 'not_found', 'The token endpoint is POST /token.') };
      const judged = judge(received);
      if ('status' in judged) return { answer: judged };
      const { token, seconds } = logins.issue(received.nowMs);
      return {
        answer: jsonAnswer(200, { access_token: token, expires_in: seconds, token_type: 'Bearer' }),
        to: judged.clientId,
        name: judged.clientId,
      };
    },
    controls: logins.controls,
  };
}

function judge({ headers, body }: Received): { readonly clientId: string } | StandInResponse {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return oauthError(400, 'invalid_request', 'The body must be a form.');
  const form = new URLSearchParams(body.toString());
  const clientId = form.get('client_id') ?? '';
  if (clientId === '' || (form.get('client_secret') ?? '') === '')
    return oauthError(401, 'invalid_client', 'client_id and client_secret are required.');
  if (clientId.startsWith(revokedPrefix))
    return oauthError(401, 'invalid_client', 'The client was deleted.');
  switch (form.get('grant_type')) {
    case 'client_credentials':
      return { clientId };
    case 'refresh_token': {
      const refreshToken = form.get('refresh_token') ?? '';
      if (refreshToken === '' || refreshToken.startsWith(revokedPrefix))
        return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
      return { clientId };
    }
    default:
      return oauthError(400, 'unsupported_grant_type', 'The grant type is not supported.');
  }
}

function oauthError(status: number, error: string, description: string): StandInResponse {
  return jsonAnswer(status, { error, error_description: description });
}
