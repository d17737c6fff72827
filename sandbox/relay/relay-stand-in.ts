// What the stand-ins of all mail services share: their form, with faults by the recipient's name,
// and the reports of what became of their mails.

import type { ControlRoute } from '../control-route.ts';
import type { NamedFault } from '../faults.ts';
import type { HttpStandIn, Received, StandInResponse, Verdict, World } from '../stand-in.ts';
import { relayFaults } from './relay-faults.ts';
import { RelayReports, type ReportSpeech } from './relay-reports.ts';

interface RelayServiceForm {
  /** The kind of relay, also below which path it is mounted. */
  readonly channel: string;
  readonly label: string;
  readonly bodyBytesMax: number;
  readonly speech: ReportSpeech;
  /** The service's own response with a status. */
  readonly refusal: (status: number, retryAfterSeconds?: number) => StandInResponse;
  readonly namedFaults?: readonly NamedFault<StandInResponse>[];
  readonly controls?: readonly ControlRoute[];
  /** `serial`: of this call, from 1. */
  readonly receive: (
    received: Received,
    reports: RelayReports,
    serial: number,
  ) => Verdict | Promise<Verdict>;
}

export function relayStandIn(world: World, form: RelayServiceForm): HttpStandIn {
  const { channel, label, bodyBytesMax, speech, refusal, namedFaults = [], controls = [] } = form;
  const reports = new RelayReports(world, speech);
  const mount = `/${channel}`;
  let calls = 0;
  return {
    transport: 'http',
    ...{ channel, label, mount, bodyBytesMax, refusal },
    look: 'email',
    urls: { [channel.toUpperCase()]: mount },
    namedFaults: [...relayFaults(refusal), ...namedFaults],
    controls: [...reports.controls(), ...controls],
    close: () => reports.close(),
    receive: (received) => form.receive(received, reports, ++calls),
  };
}

/** A header that asks for a pause. */
export function retryAfter(seconds: number | undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}
