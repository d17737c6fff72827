// The faults of a run. Each strikes, lasts a while, and is healed by `Rig.healed`.

import { below, type Rng } from '../../../engine/base/rng.ts';
import { Filler } from '../../support/small-disk.ts';
import type { Rig } from './rig.ts';
import type { RigEngine } from './rig-engine.ts';
import type { RigServer } from './rig-server.ts';

export interface FaultKind {
  readonly name: string;
  /** An owner may die or be fenced by it, with calls under way. */
  readonly mayRepeatSends: boolean;
  /** Nobody can take writes, in a cluster of three. */
  readonly isTotal: boolean;
  /** Whether this rig can have it. */
  suits(rig: Rig): boolean;
  /** Resolves to what undoes it beside `Rig.healed`. */
  strike(rig: Rig, rng: Rng): Promise<(() => Promise<void>) | undefined>;
}

const engineOf = (rig: Rig, rng: Rng) => rig.engines[below(rng, rig.engines.length)] as RigEngine;
const serverOf = (rig: Rig, rng: Rng) => rig.servers[below(rng, rig.servers.length)] as RigServer;
const always = () => true;
const inCluster = (rig: Rig) => rig.servers.length > 0;

/** Cuts with a reset, or lets nothing through, as dice fall. */
function part(rig: Rig, rng: Rng, one: string, others: readonly string[]): void {
  const isSilent = below(rng, 2) === 0;
  for (const other of others) {
    if (other === one) continue;
    if (isSilent) rig.network.hold(one, other);
    else rig.network.cut(one, other);
  }
}

const names = (ends: readonly { readonly name: string }[]) => ends.map(({ name }) => name);

const processFaults: readonly FaultKind[] = [
  {
    ...{ name: 'engine.kill', mayRepeatSends: true, isTotal: false, suits: always },
    async strike(rig, rng) {
      await engineOf(rig, rng).program.kill();
      return undefined;
    },
  },
  {
    ...{ name: 'engine.pause', mayRepeatSends: true, isTotal: false, suits: always },
    async strike(rig, rng) {
      engineOf(rig, rng).program.pause();
      return undefined;
    },
  },
  {
    // Its partitions move before it ends: nothing is sent twice.
    ...{ name: 'engine.stop', mayRepeatSends: false, isTotal: false, suits: always },
    async strike(rig, rng) {
      await engineOf(rig, rng).stop();
      return undefined;
    },
  },
  {
    ...{ name: 'engine.disk', mayRepeatSends: false, isTotal: true },
    suits: (rig) => rig.smallDisk !== undefined,
    async strike(rig) {
      const filler = new Filler({ teardown: () => undefined } as never, rig.smallDisk ?? '');
      return () => filler.end();
    },
  },
  {
    ...{ name: 'server.kill', mayRepeatSends: false, isTotal: false, suits: inCluster },
    async strike(rig, rng) {
      await serverOf(rig, rng).program.kill();
      return undefined;
    },
  },
  {
    ...{ name: 'server.pause', mayRepeatSends: false, isTotal: false, suits: inCluster },
    async strike(rig, rng) {
      serverOf(rig, rng).program.pause();
      return undefined;
    },
  },
  {
    ...{ name: 'machine.kill', mayRepeatSends: true, isTotal: false, suits: inCluster },
    async strike(rig, rng) {
      const index = below(rng, rig.engines.length);
      await Promise.all([rig.engines[index]?.program.kill(), rig.servers[index]?.program.kill()]);
      return undefined;
    },
  },
  {
    ...{ name: 'servers.two', mayRepeatSends: false, isTotal: true, suits: inCluster },
    async strike(rig, rng) {
      const spared = serverOf(rig, rng);
      const others = rig.servers.filter((one) => one !== spared);
      await Promise.all(others.map(({ program }) => program.kill()));
      return undefined;
    },
  },
  {
    ...{ name: 'all.kill', mayRepeatSends: true, isTotal: true, suits: always },
    async strike(rig) {
      const all = [...rig.engines, ...rig.servers];
      await Promise.all(all.map(({ program }) => program.kill()));
      return undefined;
    },
  },
];

const networkFaults: readonly FaultKind[] = [
  {
    ...{ name: 'engine.no-log', mayRepeatSends: true, isTotal: false, suits: inCluster },
    async strike(rig, rng) {
      part(rig, rng, engineOf(rig, rng).name, names(rig.servers));
      return undefined;
    },
  },
  {
    ...{ name: 'engine.no-peers', mayRepeatSends: false, isTotal: false, suits: inCluster },
    async strike(rig, rng) {
      part(rig, rng, engineOf(rig, rng).name, names(rig.engines));
      return undefined;
    },
  },
  {
    // It publishes and hears no answer.
    ...{ name: 'engine.deaf', mayRepeatSends: true, isTotal: false, suits: inCluster },
    async strike(rig, rng) {
      const { name } = engineOf(rig, rng);
      for (const server of rig.servers) rig.network.mute(server.name, name);
      return undefined;
    },
  },
  {
    ...{ name: 'server.cut', mayRepeatSends: false, isTotal: false, suits: inCluster },
    async strike(rig, rng) {
      part(rig, rng, serverOf(rig, rng).name, names(rig.servers));
      return undefined;
    },
  },
  {
    // An engine and its server in a minority.
    ...{ name: 'machine.cut', mayRepeatSends: true, isTotal: false, suits: inCluster },
    async strike(rig, rng) {
      const index = below(rng, rig.engines.length);
      const inside = names([rig.engines[index] as RigEngine, rig.servers[index] as RigServer]);
      const outside = names([...rig.engines, ...rig.servers]).filter(
        (one) => !inside.includes(one),
      );
      for (const one of inside) part(rig, rng, one, outside);
      return undefined;
    },
  },
  {
    ...{ name: 'server.slow', mayRepeatSends: false, isTotal: false, suits: inCluster },
    async strike(rig, rng) {
      const { name } = serverOf(rig, rng);
      for (const other of names([...rig.servers, ...rig.engines]))
        rig.network.delay(name, other, 20 + below(rng, 80));
      return undefined;
    },
  },
];

export const faultKinds: readonly FaultKind[] = [...processFaults, ...networkFaults];
