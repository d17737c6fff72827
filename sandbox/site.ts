// The sandbox's HTTP port: stand-ins by first path segment, then control routes, then the inbox.
// Only the latter two are guarded against foreign pages; servers call stand-ins.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerControl, controlRoutes } from './control.ts';
import { type ControlRoute, refused } from './control-route.ts';
import { fileOfMail } from './email/mail-content.ts';
import { EventStreams } from './events.ts';
import { readBody, sendAnswer, serveStandIn } from './http-shell.ts';
import { inboxPage, mailDocument, type PageAnswer, savedFile } from './inbox-pages.ts';
import { parseJson } from './json.ts';
import { isFromHere } from './same-machine.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type StandIn,
  type StandInResponse,
  type World,
} from './stand-in.ts';
import { tryPage } from './try/try-page.ts';
import { receiverMount, WebhookReceiver } from './webhook-receiver/receiver.ts';

const controlBodyBytesMax = 64 * 1024;

export class Site {
  readonly #world: World;
  readonly #mounts: ReadonlyMap<string, readonly HttpStandIn[]>;
  readonly #routes: readonly ControlRoute[];
  readonly #events: EventStreams;
  readonly #receiver: WebhookReceiver;

  constructor(world: World, standIns: readonly StandIn[]) {
    this.#world = world;
    const mounted = standIns.filter((standIn) => standIn.transport === 'http');
    this.#mounts = new Map(
      mounted.map(({ mount }) => [mount, mounted.filter((other) => other.mount === mount)]),
    );
    this.#receiver = new WebhookReceiver(world.clock);
    this.#routes = controlRoutes(world, standIns, this.#receiver);
    this.#events = new EventStreams(world.ledger, this.#receiver);
  }

  /** Rejects only for a bug. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '/';
    const questionMark = target.indexOf('?');
    const path = questionMark === -1 ? target : target.slice(0, questionMark);
    const query = questionMark === -1 ? '' : target.slice(questionMark + 1);
    const slash = path.indexOf('/', 1);
    const first = slash === -1 ? path : path.slice(0, slash);
    const below = path.slice(first.length);
    const standIn = this.#mounts.get(first)?.find(({ owns }) => owns?.(below) ?? true);
    if (standIn) {
      return serveStandIn(standIn, this.#world, request, response, below, query);
    }
    if (first === receiverMount) return this.#receiver.serve(request, response, below);
    return this.#serveHere(request, response, path, query);
  }

  close(): void {
    this.#events.close();
    this.#receiver.close();
  }

  async #serveHere(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: string,
  ): Promise<void> {
    if (!isFromHere(request.headers.host, request.headers.origin)) {
      const { status, body } = refused(403, 'open the sandbox by its address or as localhost');
      sendAnswer(response, lineAnswer(status, body));
    } else if (path === '/control/events') {
      this.#events.attach(response);
    } else if (path === '/control' || path.startsWith('/control/')) {
      await this.#control(request, response, path.slice('/control'.length), query);
    } else {
      const page = (await inboxPage(path)) ?? (await tryPage(path, this.#world.tryPlace));
      sendAnswer(response, page ?? (await this.#file(path)) ?? (await this.#mail(path)));
    }
  }

  async #control(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: string,
  ): Promise<void> {
    const bytes = await readBody(request, controlBodyBytesMax);
    if (bytes === 'aborted') return;
    const parsed =
      bytes === 'too_large' ? undefined : bytes.length === 0 ? {} : parseJson(bytes.toString());
    const { status, body } =
      parsed === undefined
        ? refused(400, 'the body must be JSON of at most 64 KiB')
        : await answerControl(
            this.#routes,
            request.method ?? 'GET',
            path,
            new URLSearchParams(query),
            parsed,
          );
    sendAnswer(response, lineAnswer(status, body));
  }

  /** A file of a mail, to be saved and never shown. */
  async #file(path: string): Promise<PageAnswer | undefined> {
    const [, mail, place] = /^\/inbox\/mail\/(\d{1,15})\/files\/(\d{1,3})$/.exec(path) ?? [];
    const message = mail === undefined ? undefined : this.#world.ledger.get(Number(mail));
    const file = message && (await fileOfMail(message.exchange.requestBody, Number(place)));
    return file && savedFile(file.name, file.bytes);
  }

  async #mail(path: string): Promise<StandInResponse> {
    const { ledger } = this.#world;
    const mailId = /^\/inbox\/mail\/(\d{1,15})$/.exec(path)?.[1];
    const message = mailId === undefined ? undefined : ledger.get(Number(mailId));
    const html = message && (await ledger.contentOf(message)).html;
    return html === undefined ? jsonAnswer(404, { error: 'nothing here' }) : mailDocument(html);
  }
}

/** Ends with a newline, as the product's answers do, so two curls do not run into one line. */
function lineAnswer(status: number, body: unknown): StandInResponse {
  const answer = jsonAnswer(status, body, { 'cache-control': 'no-store' });
  return { ...answer, body: `${answer.body}\n` };
}
