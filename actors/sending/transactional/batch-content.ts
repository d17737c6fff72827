// The content of a batch, with each recipient's own parts. Content that reads nothing of the person
// is rendered once per language and channels. The batch's variables win over tags of the same name.

import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { chosenLanguage } from '../../channels/words/languages.ts';
import { keysInNfc, mergedOver } from '../../content/accept/variables.ts';
import type { TemplateSubscriber } from '../../content/liquid/context.ts';
import { RenderBudget } from '../../content/liquid/render-budget.ts';
import { languageOf } from '../../content/render/localize.ts';
import { personReads } from '../../content/render/person-reads.ts';
import { contentLimits } from '../../content/shape/content-limits.ts';
import { withoutMembers } from '../../content/templates/copy.ts';
import type { AppRecord } from '../../tenants/accounts/records.ts';
import { copyCount, noCopies } from '../outbox/copies.ts';
import type { BatchRecipient, SharedRequest } from './protocol.ts';
import { type RenderedSend, renderTransactional } from './render.ts';

export class BatchContent {
  readonly #app: AppRecord;
  readonly #shared: SharedRequest;
  readonly #nowMs: Millis;
  readonly #sharedChars: number;
  readonly #isSame: boolean;
  readonly #rendered = new Map<string, RenderedSend>();
  #steps = 0;
  #work = 0;
  #chars = 0;

  constructor(app: AppRecord, shared: SharedRequest, nowMs: Millis) {
    this.#app = app;
    this.#shared = shared;
    this.#nowMs = nowMs;
    this.#sharedChars = JSON.stringify(shared).length;
    this.#isSame = isAboutNobody(shared);
  }

  renderings = 0;

  /** How many copies each email has. */
  get copies(): number {
    return copyCount(this.#shared.mail ?? noCopies);
  }

  /** Template steps and work, and about how many characters they produced. */
  get spent(): { readonly steps: number; readonly work: number; readonly chars: number } {
    return { steps: this.#steps, work: this.#work, chars: this.#chars };
  }

  /** The content for one recipient and its devices; a fault names the member. */
  of(
    person: TemplateSubscriber,
    own: BatchRecipient,
    targets: readonly { readonly channel: ChannelId }[],
  ): RenderedSend {
    const known = this.#isSame && isPlain(own) ? this.#placeOf(person, targets) : undefined;
    const rendered =
      (known === undefined ? undefined : this.#rendered.get(known)) ??
      this.#render(person, own, targets);
    if (known !== undefined) this.#rendered.set(known, rendered);
    // Counted per recipient, rendered or not: it is written for each.
    if ('content' in rendered) {
      const { plain, email } = rendered.content;
      this.#chars += this.#sharedChars + plain.body.length + (email?.body.length ?? 0);
    }
    return rendered;
  }

  #render(
    person: TemplateSubscriber,
    own: BatchRecipient,
    targets: readonly { readonly channel: ChannelId }[],
  ): RenderedSend {
    this.renderings++;
    const budget = new RenderBudget();
    const request = hasOwnTexts(own) ? merged(this.#shared, own) : this.#shared;
    const variables = mergedOver(this.#shared.variables, own.variables);
    const rendered = renderTransactional(
      this.#app,
      person,
      request,
      targets,
      this.#nowMs,
      variables,
      budget,
    );
    this.#steps += contentLimits.stepsMax - budget.stepsLeft;
    this.#work += contentLimits.workMax - budget.workLeft;
    return rendered;
  }

  /** What content that reads nothing of the person depends on. */
  #placeOf(
    person: TemplateSubscriber,
    targets: readonly { readonly channel: ChannelId }[],
  ): string {
    const { localizations } = this.#shared;
    const language =
      localizations === undefined
        ? undefined
        : chosenLanguage(localizations, languageOf(person.tags));
    return `${language ?? ''}|${targets.map(({ channel }) => channel).join()}`;
  }
}

function isPlain(own: BatchRecipient): boolean {
  return own.variables === undefined && !hasOwnTexts(own);
}

export function hasOwnTexts({ title, body, data }: BatchRecipient): boolean {
  return title !== undefined || body !== undefined || data !== undefined;
}

/** The recipient's title, body and data replace the batch's, in every language. */
function merged(shared: SharedRequest, { title, body, data }: BatchRecipient): SharedRequest {
  const request: { -readonly [Member in keyof SharedRequest]: SharedRequest[Member] } = {
    ...shared,
  };
  if (title !== undefined) request.title = title;
  if (body !== undefined) request.body = body;
  if (data !== undefined) request.data = data;
  const { localizations } = shared;
  if (localizations !== undefined && (title !== undefined || body !== undefined)) {
    request.localizations = withoutMembers(localizations, { title, body });
  }
  return request;
}

/** Whether nothing is read from the person; false if only rendering can find out. */
function isAboutNobody({ localizations = {}, variables = {}, ...own }: SharedRequest): boolean {
  const {
    channels: _channels,
    templateName: _name,
    templateId: _id,
    mail: _mail,
    ...content
  } = own;
  return [content, ...Object.values(localizations)].every((words) => {
    const reads = personReads(words);
    if (reads === undefined || JSON.stringify(words).includes('subscriber')) return false;
    const given = keysInNfc(variables);
    return [...reads.tags].every((name) => Object.hasOwn(given, name));
  });
}
