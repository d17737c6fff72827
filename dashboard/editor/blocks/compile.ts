// Makes a mail's HTML of its design, in a worker that starts with the first one.

import workerPath from 'url:./compile-worker.ts';
import { startWorker } from '../../api/worker.ts';
import { mjmlOf } from './mjml.ts';
import type { Design } from './model.ts';

interface Compiled {
  readonly html: string;
  /** MJML's words on what it could not make. */
  readonly errors: readonly string[];
}

interface Answer extends Compiled {
  readonly id: number;
}

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, (answer: Compiled) => void>();

export function compile(design: Design): Promise<Compiled> {
  const { source, restore } = mjmlOf(design);
  worker ??= started();
  const id = ++lastId;
  worker.postMessage({ id, source });
  return new Promise((resolve) => {
    waiting.set(id, ({ html, errors }) => resolve({ html: restore(html), errors }));
  });
}

function started(): Worker {
  const own = startWorker(workerPath);
  own.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  own.addEventListener('error', ({ message }) => {
    for (const resolve of waiting.values()) resolve({ html: '', errors: [message] });
    waiting.clear();
  });
  return own;
}
