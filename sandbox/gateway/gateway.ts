// Stand-in for every HTTP gateway for texts: the first part of the path is the host that the
// product would call. The last four digits of a number play a fault; the inbox shows all as SMS.

import { z } from 'zod';
import { Callbacks, type Post } from '../callbacks.ts';
import { segmentsOf } from '../carrier/sms-segments.ts';
import { type ControlRoute, ok, parseControl, refused } from '../control-route.ts';
import type { Effect, NamedFault } from '../faults.ts';
import type { Content } from '../message.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type World,
} from '../stand-in.ts';
import {
  type Dialect,
  dialectOf,
  type GatewayReport,
  type GatewayText,
  type Refusal,
} from './dialects.ts';

const mount = '/gateway';
const bodyBytesMax = 64 * 1024;
/** Numbers, and messages, that are remembered. */
const talksMax = 10_000;

interface Talk {
  readonly dialect: Dialect;
  readonly callback: string | undefined;
}

export function gatewayStandIn(world: World): HttpStandIn {
  const callbacks = new Callbacks();
  const talks = new Map<string, Talk>();
  /** The number of each message, for gateways that are asked what became of one. */
  const numbers = new Map<string, string>();
  /** Where gateways report whose requests do not say so, by host. */
  const hooks = new Map<string, string>();
  let serial = 0;
  return {
    transport: 'http',
    channel: 'gateway',
    label: 'SMS gateway',
    look: 'phone',
    mount,
    urls: { GATEWAY: mount },
    bodyBytesMax,
    namedFaults,
    refusal: (status, seconds) =>
      jsonAnswer(
        status,
        { message: `Fault ${status} on demand` },
        seconds === undefined ? {} : { 'retry-after': String(seconds) },
      ),
    controls: [
      ...callbacks.controls('gateway'),
      hookRoute(hooks),
      replyRoute(world, callbacks, talks),
    ],
    close: () => callbacks.close(),
    receive(received) {
      const [, host = '', ...rest] = received.path.split('/');
      const dialect = dialectOf(host, `/${rest.join('/')}`);
      const key = dialect.key(received);
      if (key === undefined || key === '' || key.startsWith('revoked'))
        return { answer: dialect.refused('key') };
      const asked = dialect.asked?.(received);
      if (received.method === 'GET' && asked !== undefined)
        return { answer: toldOf(dialect, asked, numbers.get(asked)) };
      if (received.method === 'GET')
        return { answer: jsonAnswer(200, { code: '00', balance: 10 }) };
      const text = dialect.read({ ...received, path: `/${rest.join('/')}` });
      if (text === undefined)
        return { answer: jsonAnswer(400, { message: 'to or text is missing' }) };
      const id = `${received.nowMs.toString(36)}-${++serial}`;
      const { to } = text;
      const callback = text.callback ?? hooks.get(host);
      return {
        answer: dialect.accepted(id, text),
        to,
        name: `${endingOf(to)} ${host}`,
        message: {
          ...idsOf(text),
          ...(text.call && { look: 'call' as const }),
          read: () => contentOf(text, dialect, received),
        },
        accepted() {
          remember(talks, to, { dialect, callback });
          remember(numbers, id, to);
          if (callback !== undefined) callbacks.play(postsFor(dialect, callback, id, text));
        },
      };
    },
  };
}

const endingOf = (number: string) => `…${number.slice(-4)}`;

function remember<Value>(known: Map<string, Value>, name: string, value: Value): void {
  known.delete(name);
  const [oldest] = known.size >= talksMax ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
  known.set(name, value);
}

function toldOf(dialect: Dialect, id: string, to: string | undefined): StandInResponse {
  const report = to === undefined ? undefined : reportsFor(endingOf(to)).at(-1);
  return dialect.told?.(report, id, to ?? '') ?? jsonAnswer(404, {});
}

/** What is reported of a number, in order. */
function reportsFor(ending: string): readonly GatewayReport[] {
  switch (ending) {
    case '…0007':
      return ['sent', 'gone'];
    case '…0014':
      return ['sent', 'absent'];
    case '…0011':
      return ['sent', 'sent', 'delivered', 'delivered'];
    case '…0012':
      return ['delivered', 'sent'];
    case '…0019':
      return [];
    default:
      return ['sent', 'delivered'];
  }
}

function postsFor(dialect: Dialect, callback: string, id: string, text: GatewayText): Post[] {
  const ending = endingOf(text.to);
  const url = ending === '…0015' ? callback.replace(/token=[^&]*/, 'token=forged') : callback;
  return reportsFor(ending).map((report) => posted(dialect.report(report, id, text), url));
}

function posted({ query, ...post }: ReturnType<Dialect['report']>, url: string): Post {
  return {
    ...post,
    url: query === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`,
  };
}

function idsOf({ reference, callback }: GatewayText): { sendId?: string; deviceId?: string } {
  const named = callback !== undefined && URL.canParse(callback) ? new URL(callback) : undefined;
  const mark = named?.searchParams.get('mark') ?? reference ?? '';
  const [sendId, deviceId] = /^(ntf_\w+)-(dev_\w+)$/.exec(mark)?.slice(1) ?? [];
  return sendId === undefined || deviceId === undefined ? {} : { sendId, deviceId };
}

function contentOf(text: GatewayText, dialect: Dialect, { path }: Received): Content {
  if (text.call !== undefined) return callOf(text, dialect);
  const { alphabet, segments } = segmentsOf(text.text);
  const link = /https?:\/\/\S+/i.exec(text.text)?.[0];
  const later = namedFaults.find(({ prefix }) => prefix === endingOf(text.to));
  return {
    sender: text.from ?? dialect.label,
    text: text.text,
    ...(link !== undefined && { link }),
    details: [
      ['parts', `${segments} in ${alphabet}`],
      ['gateway', `${dialect.label}, ${path.split('/')[1] ?? ''}`],
      ...(text.reference === undefined ? [] : ([['reference', text.reference]] as const)),
    ],
    ...(later !== undefined && { note: `This number: ${later.says}` }),
  };
}

function callOf({ from, text, call, reference }: GatewayText, { label }: Dialect): Content {
  const { language } = call ?? {};
  return {
    ...{ sender: from ?? label, text, said: [text] },
    details: [
      ['gateway', label],
      ...(language === undefined ? [] : ([['language', language]] as const)),
      ...(reference === undefined ? [] : ([['reference', reference]] as const)),
    ],
  };
}

function ending(
  digits: string,
  says: string,
  effect?: (dialect: Dialect) => Effect<StandInResponse>,
): NamedFault<StandInResponse> {
  return {
    prefix: `…${digits}`,
    says,
    effect: (_number, name) => effect?.(dialectOf(name.split(' ')[1] ?? '')),
  };
}

const refusing = (why: Refusal) => (dialect: Dialect) =>
  ({ kind: 'reply', reply: dialect.refused(why) }) as const;

const namedFaults: readonly NamedFault<StandInResponse>[] = [
  ending('0001', 'refused: no such number', refusing('number')),
  ending('0002', 'refused: nothing is left on the account', refusing('credit')),
  ending('0003', 'refused: a wrong key', refusing('key')),
  ending('0004', 'refused: they have opted out', refusing('opted_out')),
  ending('0005', 'refused: too many messages', refusing('throttled')),
  ending('0006', '503: the gateway is down', () => ({
    kind: 'reply',
    reply: jsonAnswer(503, { message: 'unavailable' }),
  })),
  ending('0007', 'accepted; later failed: nobody has the number'),
  ending('0008', 'read, then hung up on: nothing was sent', () => ({ kind: 'drop' })),
  ending('0011', 'accepted; every report comes twice'),
  ending('0012', 'accepted; reports come in the wrong order'),
  ending('0014', 'accepted; later failed: the phone could not be reached'),
  ending('0015', 'accepted; reports have another token'),
  ending('0016', 'never answered', () => ({ kind: 'hang' })),
  ending('0018', 'read, then hung up on; sent all the same, and reports come', () => ({
    kind: 'drop',
    isTaken: true,
  })),
  ending('0019', 'accepted; no report ever comes'),
];

const hook = z.strictObject({ host: z.string().max(253), url: z.url() });

function hookRoute(hooks: Map<string, string>): ControlRoute {
  return {
    method: 'POST',
    path: '/gateway/hook',
    about:
      '{host, url}: where a gateway reports whose requests name no address, as its console would.',
    handle({ body }) {
      const parsed = parseControl(hook, body);
      if ('refusal' in parsed) return parsed.refusal;
      hooks.set(parsed.value.host, parsed.value.url);
      return ok(parsed.value);
    },
  };
}

const reply = z.strictObject({ from: z.string().max(32), body: z.string().max(1_600) });

function replyRoute(world: World, callbacks: Callbacks, talks: Map<string, Talk>): ControlRoute {
  let received = 0;
  return {
    method: 'POST',
    path: '/gateway/inbound',
    about: '{from, body}: somebody answers the last text to their number, such as STOP.',
    async handle({ body }) {
      const parsed = parseControl(reply, body);
      if ('refusal' in parsed) return parsed.refusal;
      const { from, body: words } = parsed.value;
      const talk = talks.get(from);
      if (talk?.callback === undefined)
        return refused(404, 'from: nothing was sent to this number, or without an address');
      const id = `in-${world.clock.now()}-${++received}`;
      const url = talk.callback.replace(/&?mark=[^&]*/, '');
      const status = await callbacks.post(posted(talk.dialect.reply(id, from, words), url));
      return typeof status === 'number' ? ok({ url, status }) : refused(502, `${url}: ${status}`);
    },
  };
}
