// Message templates in the simulator: made, changed and deleted under handles of their worker's
// own, and what a send that starts from one must say. A template is copied when it is used, so
// whatever becomes of it, a send leaves with the words it was accepted with.

import type { MessageContent } from '../../actors/content/shape/message-schema.ts';
import type { TemplateRef } from '../../actors/content/templates/template-ref.ts';
import { pick } from '../../engine/base/rng.ts';
import { coin } from './chance.ts';
import { type Client, persist } from './client.ts';
import { isConflict, isFault, nextName, unexpected, type Worker } from './worker.ts';

/** What is sent, and what it must say for a value of `code`. */
interface Words {
  readonly request: TemplateRef & Pick<MessageContent, 'title' | 'body'>;
  wordsOf(code: string): string;
}

/**
 * Words of their own, or a template's where the worker has one. `before` is a part of a body that
 * shows nothing.
 */
export function drawWords(worker: Worker, before = ''): Words {
  const { rng, templates } = worker;
  if (before === '' && templates.size > 0 && coin(rng, 0.5)) {
    const [templateName, version] = pick(rng, [...templates]);
    return { request: { templateName }, wordsOf: (code) => wordsOf(version, code) };
  }
  const version = nextName(worker);
  return {
    request: { ...contentOf(version), body: `${before}${contentOf(version).body}` },
    wordsOf: (code) => wordsOf(version, code),
  };
}

/** Makes a template, gives one other words, or deletes one. */
export function* changeTemplate(worker: Worker): Client {
  const { app, rng, templates } = worker;
  const by = { by: app.org };
  const actor = 'key_simulated';
  const version = nextName(worker);
  const [template] = templates.size === 0 ? [undefined] : pick(rng, [...templates]);
  if (template === undefined || coin(rng, 0.3)) {
    const name = `handle-${version}`;
    const body = { name, content: contentOf(version) };
    const { reply, lost } = yield* persist(app.ordinal, 'template.create', body, by);
    if (app.leaving) return;
    if (!reply.ok && !(lost > 0 && isConflict(reply)))
      return unexpected(worker, 'template.create', reply);
    templates.set(name, version);
  } else if (coin(rng, 0.6)) {
    const change = { content: contentOf(version), removed: [] };
    const body = { template, change, actor };
    const { reply } = yield* persist(app.ordinal, 'template.update', body, by);
    if (app.leaving) return;
    if (!reply.ok) return unexpected(worker, 'template.update', reply);
    templates.set(template, version);
  } else {
    // From before it is asked for, as a lost answer says nothing.
    templates.delete(template);
    const { reply, lost } = yield* persist(app.ordinal, 'template.delete', { template, actor }, by);
    if (app.leaving) return;
    if (!reply.ok && !(lost > 0 && isFault(reply, 'not_found')))
      unexpected(worker, 'template.delete', reply);
  }
}

function contentOf(version: string) {
  return { title: 'Your code', body: `${version}: the {{ code }} is yours.` };
}

function wordsOf(version: string, code: string): string {
  return `${version}: the ${code} is yours.`;
}
