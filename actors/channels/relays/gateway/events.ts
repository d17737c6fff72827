// What a gateway posts: reports on messages, and what people write to its number. The proof comes
// first. A report names its message by our mark, by our UUID, or by the gateway's own id.

import { createHash, createHmac } from 'node:crypto';
import type { Millis, Ordinal } from '../../../../engine/base/brand.ts';
import { parseId } from '../../../../engine/base/id.ts';
import { phoneNumber } from '../../addresses/phone-number.ts';
import { readMailMark } from '../../email/mail-mark.ts';
import {
  type CallbackItem,
  idCharsMax,
  inboundItem,
  type MessageName,
} from '../../port/callback-item.ts';
import type {
  ReadRelayCall,
  ReadRelayEvents,
  RelayCall,
  RelayItem,
} from '../../port/relay-events.ts';
import { isSameSecret } from '../../port/same-secret.ts';
import type { GatewayCallbacks, GatewayConfig, GatewayProof } from './config.ts';
import { newsOf } from './news.ts';
import { fieldsOf, itemsAt, type ReadDocument, readDocument, textAt } from './places.ts';

const itemsMax = 1_000;

type Reports = NonNullable<GatewayCallbacks['reports']>;
type Inbounds = NonNullable<GatewayCallbacks['inbound']>;
type Numbers = Pick<GatewayConfig, 'country'>;

/** What the address of a call says, which we wrote ourselves. */
type Query = Readonly<Record<string, string>>;

export const readGatewayReports: ReadRelayEvents = (call, relay) => {
  const config = relay as GatewayConfig;
  const { callbacks, credentials } = config;
  if (callbacks === undefined) return Promise.resolve({ state: 'refused', reason: 'signature' });
  const query = queryOf(call.query);
  const problem = proofProblem(call, query, callbacks.proof, credentials);
  if (problem !== undefined) return Promise.resolve({ state: 'refused', reason: problem });
  return Promise.resolve(readItems(call, query, callbacks, config));
};

function readItems(
  call: RelayCall,
  query: Query,
  { reports, inbound }: GatewayCallbacks,
  numbers: Numbers,
): ReadRelayCall {
  const items: RelayItem[] = [];
  let ignored = 0;
  let isRead = false;
  const told = reports && documentOf(call, reports.format);
  if (reports !== undefined && told !== undefined) {
    isRead = true;
    for (const one of itemsAt(told, reports.items, itemsMax)) {
      const item = reportIn(one, reports, query, numbers);
      if (item === undefined) ignored++;
      else items.push(item);
    }
  }
  const written = inbound && items.length === 0 ? documentOf(call, inbound.format) : undefined;
  if (inbound !== undefined && written !== undefined) {
    isRead = true;
    for (const one of itemsAt(written, inbound.items, itemsMax)) {
      const item = textIn(one, inbound, query, call, numbers);
      if (item === undefined) continue;
      items.push(item);
      ignored = Math.max(0, ignored - 1);
    }
  }
  if (!isRead) return { state: 'refused', reason: 'unreadable' };
  return { state: 'read', events: [], ignored, items };
}

/** `undefined`: it is not of this format. */
function documentOf(call: RelayCall, asked: Reports['format']): ReadDocument | undefined {
  const { body, query } = call;
  const format = asked === 'auto' ? formatOf(call) : asked;
  if (format === 'query') return { raw: query, value: queryOf(query) };
  const document = readDocument(Buffer.from(body).toString('utf8'), format);
  return document.value === undefined ? undefined : document;
}

function formatOf({ body, headers }: RelayCall): 'json' | 'form' | 'query' {
  if (body.length === 0) return 'query';
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  return isForm ? 'form' : 'json';
}

/** Some gateways put their fields behind an address that has a `?` already with another `?`. */
function queryOf(query: string): Query {
  return fieldsOf(query.replace(/\?(?=\w+=)/g, '&'));
}

function reportIn(
  document: ReadDocument,
  rules: Reports,
  query: Query,
  numbers: Numbers,
): RelayItem | undefined {
  const news = newsOf(document, rules);
  const named = nameOf(document, rules, query);
  if (news === undefined || named === undefined) return undefined;
  const to = e164(textAt(document, rules.to), numbers);
  const addresses = to === undefined ? [] : [to];
  return withApp({ kind: 'status', ...named.name, addresses, news }, named.app);
}

/** Our own names come first: they need no table of the gateway's ids. */
function nameOf(
  document: ReadDocument,
  { mark, uuid, id }: Reports,
  query: Query,
): { readonly name: MessageName; readonly app: Ordinal | undefined } | undefined {
  const marked = readMailMark(textAt(document, mark)) ?? readMailMark(query['mark']);
  if (marked !== undefined) {
    const { sendId, deviceId, app } = marked;
    return { name: { sendId, deviceId }, app };
  }
  const app = appIn(query);
  const ours = textAt(document, uuid);
  if (ours !== undefined) return { name: { uuid: ours }, app };
  const theirs = textAt(document, id);
  return theirs === undefined ? undefined : { name: { name: theirs.slice(0, idCharsMax) }, app };
}

function textIn(
  document: ReadDocument,
  rules: Inbounds,
  query: Query,
  { nowMs, body, query: address }: RelayCall,
  numbers: Numbers,
): RelayItem | undefined {
  const from = e164(textAt(document, rules.from), numbers);
  const text = textAt(document, rules.text);
  if (from === undefined || text === undefined) return undefined;
  const id = textAt(document, rules.id) ?? ownId(nowMs, body, address);
  return withApp(inboundItem({ id, from, atMs: undefined, texts: [text] }), appIn(query));
}

/** Of its own instant: a STOP of somebody who had come back must not pass for a repeated one. */
function ownId(nowMs: Millis, body: Uint8Array, query: string): string {
  return `${nowMs}-${createHash('sha256').update(body).update(query).digest('hex').slice(0, 32)}`;
}

function withApp(item: CallbackItem, app: Ordinal | undefined): RelayItem {
  return { item, ...(app === undefined ? {} : { app }) };
}

function appIn({ app }: Query): Ordinal | undefined {
  return app === undefined ? undefined : parseId('app', app)?.ordinal;
}

/** A gateway writes numbers with or without `+`, or as its country does. */
function e164(raw: string | undefined, { country }: Numbers): string | undefined {
  const text = raw?.trim();
  if (text === undefined || text === '') return undefined;
  const isBare = /^[1-9]\d{6,14}$/.test(text);
  const forms = isBare
    ? [phoneNumber(`+${text}`), phoneNumber(text, country)]
    : [phoneNumber(text, country)];
  const found = forms.find((one) => 'value' in one);
  return found !== undefined && 'value' in found ? found.value : undefined;
}

function proofProblem(
  call: RelayCall,
  query: Query,
  proof: GatewayProof,
  credentials: Readonly<Record<string, string>>,
): 'signature' | 'too_old' | undefined {
  const secretOf = (name: string) => credentials[name] ?? '';
  switch (proof.kind) {
    case 'token':
      return isProven(secretOf(proof.secret), query[proof.query]);
    case 'header':
      return isProven(secretOf(proof.secret), call.headers[proof.header.toLowerCase()]);
    case 'basic': {
      const [user, password] = [secretOf(proof.user), secretOf(proof.password)];
      if (user === '' || password === '') return 'signature';
      const login = Buffer.from(`${user}:${password}`).toString('base64');
      return isProven(`Basic ${login}`, call.headers['authorization']);
    }
    case 'hmac':
      return hmacProblem(call, query, proof, secretOf(proof.secret));
  }
}

function isProven(wanted: string, given: string | undefined): 'signature' | undefined {
  return wanted !== '' && given !== undefined && isSameSecret(wanted, given)
    ? undefined
    : 'signature';
}

function hmacProblem(
  call: RelayCall,
  query: Query,
  proof: Extract<GatewayProof, { kind: 'hmac' }>,
  secret: string,
): 'signature' | 'too_old' | undefined {
  const { header, prefix = '', algorithm, encoding, fields, join, timestamp } = proof;
  const given = call.headers[header.toLowerCase()];
  if (secret === '' || given === undefined || !given.startsWith(prefix)) return 'signature';
  const hmac = createHmac(algorithm, secret);
  const stamp = timestamp && (call.headers[timestamp.header.toLowerCase()] ?? '');
  if (stamp !== undefined) hmac.update(`${stamp}${join}`);
  if (fields === undefined) hmac.update(call.body);
  else hmac.update(fields.map((place) => textAt(signedOf(call, query), place) ?? '').join(join));
  const said = given.slice(prefix.length);
  const problem = isProven(hmac.digest(encoding), encoding === 'hex' ? said.toLowerCase() : said);
  if (problem !== undefined || timestamp === undefined) return problem;
  const atMs = /^\d{1,11}$/.test(stamp ?? '') ? Number(stamp) * 1_000 : Number.NaN;
  return Math.abs(call.nowMs - atMs) <= timestamp.secondsMax * 1_000 ? undefined : 'too_old';
}

/** Fields are signed as they were sent: of a JSON body, of a form, or of the address. */
function signedOf(call: RelayCall, query: Query): ReadDocument {
  const format = formatOf(call);
  if (format === 'query') return { raw: '', value: query };
  return readDocument(Buffer.from(call.body).toString('utf8'), format);
}
