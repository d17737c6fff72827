// The carrier's message and call stand-ins: read, check, assign a sid, answer 201. Callbacks start
// only in `accepted`, since a fault may still refuse a valid call.

import { Callbacks } from '../callbacks.ts';
import type { NamedFault } from '../faults.ts';
import type { Content } from '../message.ts';
import { type HttpStandIn, jsonAnswer, type StandInResponse } from '../stand-in.ts';
import {
  type CarrierRequest,
  carrierRefusal,
  idsOf,
  isResource,
  oneOf,
  type Report,
  readAccount,
  readRequest,
  scripted,
  sidOf,
} from './carrier.ts';
import { signedForm } from './carrier-callbacks.ts';

const bodyBytesMax = 64 * 1024;

export interface Taken {
  readonly to: string;
  readonly accountSid: string;
  readonly sid: string;
  readonly form: CarrierRequest['form'];
  readonly caller: CarrierRequest['caller'];
  readonly nowMs: number;
}

interface CarrierKind {
  readonly channel: 'sms' | 'voice';
  readonly label: string;
  readonly look: NonNullable<HttpStandIn['look']>;
  readonly resource: 'Messages' | 'Calls';
  /** Form fields; others are refused. */
  readonly known: ReadonlySet<string>;
  readonly namedFaults: readonly NamedFault<StandInResponse>[];
  readonly controls: (callbacks: Callbacks) => NonNullable<HttpStandIn['controls']>;
  readonly sidPrefixOf: (form: CarrierRequest['form']) => Parameters<typeof sidOf>[0];
  readonly refusalOf: (form: CarrierRequest['form']) => StandInResponse | undefined;
  readonly contentOf: (form: CarrierRequest['form']) => Content;
  /** The response's body. */
  readonly resourceOf: (taken: Taken) => object;
  /** In order. */
  readonly reportsOf: (taken: Taken) => readonly Report[];
  /** For each accepted one, before its callbacks. */
  readonly note?: (taken: Taken) => void;
}

export const isAddressable = (number: string) => /^\+[1-9]\d{1,14}$/.test(number);

/** Below `/carrier`; control routes below `/control/<channel>`. */
export function carrierStandIn(kind: CarrierKind): HttpStandIn {
  const callbacks = new Callbacks();
  let taken = 0;
  return {
    transport: 'http',
    channel: kind.channel,
    label: kind.label,
    look: kind.look,
    mount: '/carrier',
    owns: (path) => isResource(path, 'Calls') === (kind.resource === 'Calls'),
    urls: { CARRIER: '/carrier' },
    bodyBytesMax,
    namedFaults: kind.namedFaults,
    refusal: carrierRefusal,
    controls: kind.controls(callbacks),
    close: () => callbacks.close(),
    receive(received) {
      const account = readAccount(received);
      if (account !== undefined) return { answer: account };
      const request = readRequest(received, kind.resource, kind.known);
      if ('status' in request) return { answer: request };
      const { form, caller } = request;
      const to = oneOf(form, 'To');
      const recipient = to !== undefined && {
        to,
        name: to,
        message: { ...idsOf(form), read: () => kind.contentOf(form) },
      };
      const refusal = kind.refusalOf(form);
      if (refusal !== undefined || to === undefined) {
        return { answer: refusal ?? carrierRefusal(400, undefined), ...recipient };
      }
      const { nowMs } = received;
      const sid = sidOf(kind.sidPrefixOf(form), `${nowMs} ${++taken}`);
      const one: Taken = { to, accountSid: caller.accountSid, sid, form, caller, nowMs };
      return {
        answer: jsonAnswer(201, kind.resourceOf(one)),
        ...recipient,
        accepted() {
          kind.note?.(one);
          const url = oneOf(form, 'StatusCallback');
          callbacks.play(scripted(to, url, caller, kind.reportsOf(one)).map(signedForm));
        },
      };
    },
  };
}
