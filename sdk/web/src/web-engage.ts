// The surface on the web: what every platform has, and web push.

import { Engage as Core, type InitOptions } from './core.ts';
import { Emitter } from './emitter.ts';
import type { Platform } from './platform.ts';
import { Push, type PushEvents, type WorkerPlace } from './push.ts';

export interface WebInitOptions extends InitOptions {
  /** Where the site has the worker of Engage; by default `/engage-sw.js` for `/engage/`. */
  readonly serviceWorker?: WorkerPlace;
}

export class WebEngage extends Core {
  readonly push: Push;
  #place: WorkerPlace | undefined;

  constructor(platform: Platform) {
    super(platform);
    this.push = new Push(
      () => this.settled(),
      new Emitter<PushEvents>(),
      () => this.#place,
    );
    this.events.on('told', (message) => this.push.heard(message));
  }

  override async init(options: WebInitOptions): Promise<void> {
    this.#place = options?.serviceWorker;
    await super.init(options);
  }

  protected override async begun(): Promise<void> {
    const session = await this.started;
    await this.push.refresh(session).catch((error: unknown) => this.failed(error));
  }
}
