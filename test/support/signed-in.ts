// A browser in the dashboard, as the server sees it: its cookie, and the headers that a page of the
// same origin sends.

import { type Client, client, type Reply } from './server.ts';

export const pageHeaders = {
  'sec-fetch-site': 'same-origin',
  'x-engage-dashboard': '1',
} as const;

export interface Browser extends Client {
  /** `engage=es_…`; empty while nobody is signed in. */
  cookie(): string;
  /** Posts to `/v1/session` and keeps the cookie that it sets. */
  signIn(body: object): Promise<Reply>;
  signOut(): Promise<Reply>;
}

export function browser(url: string): Browser {
  let cookie = '';
  const anonymous = client(url);
  const call: Client['call'] = async (line, body, more = {}) => {
    const headers = { ...pageHeaders, ...(cookie === '' ? {} : { cookie }), ...more };
    const reply = await anonymous.call(line, body, headers);
    const set = reply.headers['set-cookie'];
    const text = Array.isArray(set) ? set[0] : set;
    if (text !== undefined) {
      const [pair = ''] = text.split(';');
      cookie = pair.endsWith('=') ? '' : pair;
    }
    return reply;
  };
  return {
    call,
    async must(line, body) {
      const { status, text, json } = await call(line, body);
      if (status >= 300) throw new Error(`${line}: ${status} ${text}`);
      return json;
    },
    cookie: () => cookie,
    signIn: (body) => call('POST /v1/session', body),
    signOut: () => call('DELETE /v1/session'),
  };
}
