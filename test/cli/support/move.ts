// An import from another service as tests run it: in this process, against a server that is real or
// a stand-in.

import { join } from 'node:path';
import { ImportClient, type Pace } from '../../../cli/import/import-client.ts';
import type { Service } from '../../../cli/import/origin.ts';
import type { ServiceSummary } from '../../../cli/import/origin-summary.ts';
import { runServiceImport, type ServiceJob } from '../../../cli/import/run-move.ts';
import { braze } from '../../../cli/import/services/braze.ts';
import { customerIo } from '../../../cli/import/services/customerio.ts';
import { klaviyo } from '../../../cli/import/services/klaviyo.ts';
import { listmonk } from '../../../cli/import/services/listmonk.ts';
import { mailchimp } from '../../../cli/import/services/mailchimp.ts';
import { oneSignal } from '../../../cli/import/services/onesignal.ts';

export const services: Readonly<Record<Service['id'], Service>> = {
  onesignal: oneSignal,
  braze,
  customerio: customerIo,
  klaviyo,
  mailchimp,
  listmonk,
};

export interface ServiceTarget {
  readonly url: string;
  readonly key: string;
  readonly appId: string;
  /** Where the state is kept. */
  readonly directory: string;
}

type Changes = {
  readonly file?: Partial<ServiceJob['file']>;
  readonly map?: Partial<ServiceJob['map']>;
} & Partial<Pick<ServiceJob, 'topics' | 'isDry' | 'errorsPath' | 'client' | 'signal'>>;

const instant: Pace = { nowMs: () => 0, random: () => 0, wait: async () => undefined };

function serviceClient(
  { url, key, appId }: ServiceTarget,
  signal = new AbortController().signal,
): ImportClient {
  return new ImportClient({ url, key, appId }, signal, instant);
}

export async function importFrom(
  id: Service['id'],
  paths: readonly string[],
  target: ServiceTarget,
  changes: Changes = {},
): Promise<ServiceSummary> {
  const { file, map, ...rest } = changes;
  const signal = changes.signal ?? new AbortController().signal;
  return await runServiceImport({
    service: services[id],
    paths,
    file: { isSuppressed: false, mayAssume: false, ...file },
    map: {
      title: services[id].title,
      consent: 'confirmed',
      optOuts: 'as-exported',
      tagPrefix: '',
      ...map,
    },
    topics: { kind: 'ignore' },
    identity: {
      service: id,
      url: target.url,
      appId: target.appId,
      options: JSON.stringify(changes.map ?? {}),
      version: '1',
    },
    statePath: join(target.directory, `${id}-state.json`),
    isDry: false,
    client: serviceClient(target, signal),
    signal,
    ...rest,
  });
}
