// Looks again at the names of links, each once a day: a record that is gone would leave every link
// of new emails dead. What was looked at is forgotten with the process, so a start looks anew.

import { linkHostName } from '../../actors/tenants/accounts/link-host.ts';
import type { AccountsProtocol, LinkName } from '../../actors/tenants/accounts/protocol.ts';
import type { Message } from '../../engine/actor/message.ts';
import { dayMs, hourMs, type Millis, minuteMs, type Ordinal } from '../../engine/base/brand.ts';
import { FaultError } from '../../engine/base/fault.ts';
import type { Log } from '../../engine/observe/log.ts';
import type { CallEdge } from '../call/call-edge.ts';

const firstMs: Millis = minuteMs;
const everyMs: Millis = hourMs;

type LinkNamesPage = AccountsProtocol['email_domain.link_names']['reply'];

interface LinkNamesEdge extends Pick<CallEdge, 'clock' | 'lookUpCname'> {
  readonly router: Pick<CallEdge['router'], 'ask'>;
  readonly log: Pick<Log, 'warn'>;
}

/** The record of a name is gone, or leads elsewhere. */
export interface LinkNameLost {
  readonly kind: 'link_name.lost';
  readonly org: Ordinal;
  readonly appId: string;
  readonly name: string;
}

export class LinkNames {
  readonly #edge: LinkNamesEdge;
  readonly #host: string;
  readonly #partitions: number;
  readonly #tell: (notice: LinkNameLost) => void;
  /** When each was looked at, by the monotonic clock. */
  #lookedMs = new Map<string, Millis>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** `host`: where the names must lead. */
  constructor(
    edge: LinkNamesEdge,
    { host, partitions }: { readonly host: string; readonly partitions: number },
    tell: (notice: LinkNameLost) => void,
  ) {
    this.#edge = edge;
    this.#host = host;
    this.#partitions = partitions;
    this.#tell = tell;
  }

  start(afterMs: Millis = firstMs): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#pass(), afterMs);
    this.#timer.unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** One after the other: a name server that does not answer takes ten seconds. */
  async look(): Promise<void> {
    const looked = new Map<string, Millis>();
    for (let partition = 0; partition < this.#partitions; partition++)
      for await (const one of this.#namesOf(partition)) {
        if (this.#isStopped) return;
        const key = `${one.app} ${one.domain}`;
        const nowMs = this.#edge.clock.monotonic();
        const beforeMs = this.#lookedMs.get(key);
        const isDue = beforeMs === undefined || nowMs - beforeMs >= dayMs;
        if (!isDue) looked.set(key, beforeMs);
        else if (await this.#lookAt(one)) looked.set(key, nowMs);
      }
    this.#lookedMs = looked;
  }

  async #pass(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.#edge.log.warn(
        { evt: 'link_names.failed', err: error },
        'names of links were not checked',
      );
    }
    this.start(everyMs);
  }

  async *#namesOf(partition: number): AsyncGenerator<LinkName> {
    let from: number | null = 0;
    while (from !== null) {
      const kind = 'email_domain.link_names';
      const page: LinkNamesPage | undefined = await this.#ask(partition, { kind, from });
      yield* page?.names ?? [];
      from = page?.next ?? null;
    }
  }

  /** False if it must be looked at again: there was no answer. */
  async #lookAt({ app, appId, tenant, domain, selector }: LinkName): Promise<boolean> {
    const name = linkHostName(domain);
    const answer = await this.#edge.lookUpCname(tenant, name).catch((error: unknown) => {
      if (error instanceof FaultError) return undefined; // the org's turn did not come
      throw error;
    });
    if (answer === undefined || answer.answer === 'failed') return false;
    const kind = 'email_domain.links';
    const reply = await this.#ask(app, { kind, domain, selector, answer, host: this.#host });
    if (reply?.isLost === true) {
      this.#edge.log.warn(
        { evt: 'link_name.lost', app: appId, name },
        'the name of links of an app leads here no more; new emails have links with the public address',
      );
      this.#tell({ kind: 'link_name.lost', org: tenant.org, appId, name });
    }
    return reply !== undefined;
  }

  async #ask<Kind extends keyof AccountsProtocol>(
    to: number,
    message: { readonly kind: Kind } & Omit<AccountsProtocol[Kind]['body'], 'by'>,
  ): Promise<AccountsProtocol[Kind]['reply'] | undefined> {
    const asked = { ...message, by: -1 } as unknown as Message;
    const answer = await this.#edge.router.ask(to, asked, { lane: 'bulk' });
    return answer.ok ? (answer.value as AccountsProtocol[Kind]['reply']) : undefined;
  }
}
