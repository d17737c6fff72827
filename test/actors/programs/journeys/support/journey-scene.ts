// The scene of campaigns with journeys in it: people come by events, and what is stored of them can
// be read back.

import type { JourneyInput } from '../../../../../actors/programs/journeys/protocol.ts';
import type { JourneyRecord } from '../../../../../actors/programs/journeys/records.ts';
import type { JourneyStats } from '../../../../../actors/programs/journeys/stats.ts';
import { eventsOf } from '../../../../../actors/runtime/facts.ts';
import { decodeBlock } from '../../../../../engine/actor/block.ts';
import type { TestPartitionOptions } from '../../../../support/partition.ts';
import { Scene } from '../../campaigns/scene.ts';

interface ToldEvent {
  readonly name: string;
  readonly user: string;
  readonly at?: number;
}

interface StoredEvent {
  readonly seq: number;
  readonly name: string;
  readonly person: number;
  readonly atMs: number;
  readonly meta: Record<string, unknown> | undefined;
  readonly journeyId: string | undefined;
}

export class JourneyScene {
  readonly scene: Scene;

  constructor(scene: Scene) {
    this.scene = scene;
  }

  static async open(options: TestPartitionOptions = {}): Promise<JourneyScene> {
    return new JourneyScene(await Scene.open(options));
  }

  static async withPeople(...people: Parameters<Scene['people']>): Promise<JourneyScene> {
    return new JourneyScene(await Scene.withPeople(...people));
  }

  get nowMs(): number {
    return this.scene.one.clock.nowMs;
  }

  get state() {
    const app = this.scene.one.product.state.apps.get(this.scene.app);
    if (app === undefined) throw new Error('the app is gone');
    return app;
  }

  /** A journey that is live, unless told. */
  async journey(input: JourneyInput, active = true, more: object = {}): Promise<JourneyRecord> {
    const { one, app } = this.scene;
    const made = await one.value(app, 'journey.create', { input: { name: 'Welcome', ...input } });
    return active ? this.live(made.id, more) : made;
  }

  async live(id: string, more: object = {}): Promise<JourneyRecord> {
    const { one, app } = this.scene;
    const change = { input: {}, removed: [] };
    const record = await one.value(app, 'journey.update', { id, change, active: true, ...more });
    await this.scene.run();
    return record;
  }

  async pause(id: string): Promise<void> {
    const { one, app } = this.scene;
    const change = { input: {}, removed: [] };
    await one.value(app, 'journey.update', { id, change, active: false });
    await this.scene.run();
  }

  async stats(id: string): Promise<JourneyStats> {
    return this.scene.one.value(this.scene.app, 'journey.stats', { id });
  }

  /** Events in one request, and all that follows of them at this instant. */
  async track(...events: readonly ToldEvent[]): Promise<void> {
    await this.ask(...events);
    await this.scene.run();
  }

  /** The request alone. */
  async ask(...events: readonly ToldEvent[]): Promise<void> {
    const { one, app } = this.scene;
    const body = {
      events: events.map(({ name, user, at }) => ({
        name,
        externalUserId: user,
        ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
      })),
    };
    const bytes = Buffer.from(JSON.stringify(body));
    await one.value(app, 'events.ingest', { keyless: false }, { bytes });
  }

  person(user: string): number {
    return this.state.people.find(user) ?? -1;
  }

  /** To whom something was sent: external ids by title, in the order it left. */
  get sent(): readonly string[] {
    return this.scene.sent.map(({ content }) => content.title ?? '');
  }

  /** What is stored of events, by the service's own names. */
  stored(...names: readonly string[]): readonly StoredEvent[] {
    const found: StoredEvent[] = [];
    for (const { block } of this.scene.one.store.blocks(1, 1e9))
      for (const entry of decodeBlock(block).entries)
        for (const events of eventsOf(entry))
          for (let row = 0; row < events.count; row++) {
            const meta = events.metaJson(row);
            const name = events.name(row);
            if (names.length > 0 && !names.includes(name)) continue;
            found.push({
              seq: events.seq(row),
              name,
              person: events.person(row),
              atMs: events.atMs(row),
              meta: meta === undefined ? undefined : JSON.parse(meta),
              journeyId: events.reference(row, 'journeyId'),
            });
          }
    return found;
  }
}

export const send = (id: string, title = id, more: object = {}) => ({
  id,
  type: 'send',
  message: { title: `${title} {{ first_name }}`, body: 'x' },
  channels: ['fcm'],
  ...more,
});
export const wait = (id: string, hours: number) => ({ id, type: 'wait', hours });
export const goal = (id: string, event: string, timeoutHours: number) => ({
  id,
  type: 'goal',
  event,
  timeoutHours,
});
export const condition = (
  id: string,
  filter: object,
  then: object[],
  otherwise: object[] = [],
) => ({
  id,
  type: 'condition',
  filter,
  then,
  else: otherwise,
});
