// The links between the programs of a rig, by the names of their ends: `engine0`, `server2`. What
// two ends say to each other goes through here, however connected them.

import { type Direction, Link, type Way } from './link.ts';

interface Between {
  readonly way: Way;
  /** The direction in which the first end speaks. */
  readonly says: Direction;
}

export class Network {
  readonly #links: Link[] = [];
  /** By caller and target. */
  readonly #ways = new Map<string, Way>();

  /** A link for one caller. */
  async link(caller: string, target: string, port: () => number): Promise<Link> {
    const link = await Link.open({ to: port });
    this.#links.push(link);
    this.#ways.set(`${caller} ${target}`, link.way());
    return link;
  }

  /** A link that several ends know by one address. */
  async shared(
    callers: readonly string[],
    target: string,
    port: () => number,
    callerOf: (port: number, link: number) => string,
  ): Promise<Link> {
    const link = await Link.open({ to: port, callerOf });
    this.#links.push(link);
    for (const caller of callers) this.#ways.set(`${caller} ${target}`, link.way(caller));
    return link;
  }

  /** Resets what is connected between them, and refuses what connects. */
  cut(one: string, other: string): void {
    for (const { way } of this.#between(one, other)) way.cut();
  }

  /** They hear nothing of each other. */
  hold(one: string, other: string): void {
    for (const { way } of this.#between(one, other)) way.hold();
  }

  /** The other end hears nothing of what this one says, and this one hears it. */
  mute(one: string, other: string): void {
    for (const { way, says } of this.#between(one, other)) way.hold(says);
  }

  delay(one: string, other: string, ms: number): void {
    for (const { way } of this.#between(one, other)) way.delay(ms);
  }

  connections(one: string, other: string): number {
    return this.#between(one, other).reduce((sum, { way }) => sum + way.connections, 0);
  }

  heal(): void {
    for (const way of this.#ways.values()) way.heal();
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map((link) => link.close()));
  }

  #between(one: string, other: string): Between[] {
    const dialed = this.#ways.get(`${one} ${other}`);
    const answered = this.#ways.get(`${other} ${one}`);
    return [
      ...(dialed === undefined ? [] : [{ way: dialed, says: 'forth' as const }]),
      ...(answered === undefined ? [] : [{ way: answered, says: 'back' as const }]),
    ];
  }
}
