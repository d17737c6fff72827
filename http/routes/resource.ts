// The routes that most resources have alike. A resource says once what its routes share; a verb
// says what it has of its own, and replaces what is different for it.

import { z } from 'zod';
import type { CountedPage, OrderedPage } from '../../actors/people/audience/protocol.ts';
import type { Scope } from '../../actors/tenants/accounts/records.ts';
import type { ProtocolShape, ReplyOf } from '../../engine/actor/protocol.ts';
import type { IdPrefix } from '../../engine/base/id.ts';
import { present } from '../call/answer/present.ts';
import type { Actor, Asked, Call } from '../call/call.ts';
import { key, type Method, type Noun, type Route } from '../call/route.ts';
import { countedPage, listQuery, nameSchema } from '../call/schemas/schemas.ts';

type AnyCall = Call<unknown, unknown>;

interface Shared<P extends ProtocolShape<P>, Row, Named> {
  /** Of the list. The last of `params` names one below it. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly tag: string;
  readonly noun: Noun;
  /** In summaries: `a feature flag`. */
  readonly a: string;
  /** In what describes answers, if it is shorter there: `flag`. */
  readonly the?: string;
  /** Of its ids. */
  readonly prefix?: IdPrefix;
  /** The scopes that reading and changing need, unless these are `read` and `write`. */
  readonly scopes?: readonly [read: Scope, change: Scope];
  readonly schema: z.ZodType;
  view(row: Row, call: AnyCall): object;
  /** Who answers. It may refuse the caller. */
  actor(call: AnyCall): Actor<P>;
  /** How messages name one. */
  named(call: AnyCall): Named;
}

/** Messages with such a reply. */
type Replying<P extends ProtocolShape<P>, Reply> = {
  [K in keyof P & string]: ReplyOf<P, K> extends Reply ? K : never;
}[keyof P & string];

/** Those of them that need no more than this. */
type Kinds<P extends ProtocolShape<P>, Body, Reply> = {
  [K in Replying<P, Reply>]: Body extends Asked<P, K> ? K : never;
}[Replying<P, Reply>];

/** A message, and what it says beside the `Named`. */
interface Says<P extends ProtocolShape<P>, K extends keyof P, Body, Named> {
  readonly asks: K;
  says(call: Call<undefined, Body>): Omit<Asked<P, K>, keyof Named>;
}

/**
 * What a verb has of its own: a message whose reply is shown, or a handler; and any member of its
 * route. `answer` describes its success.
 */
type Own<
  Asks,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
> = Partial<Omit<Route<Query, Body>, 'method' | 'handle'>> & { readonly answer?: string } & (
    | Asks
    | Pick<Route<Query, Body>, 'handle'>
  );

type Listed = z.ZodObject<typeof listQuery>;

/** The same where its types are known to fit. */
type Given = Partial<Route> & {
  readonly answer?: string;
  readonly asks?: string;
  readonly all?: string;
  page?(rows: unknown, query: unknown): unknown;
  says?(call: AnyCall): object;
};

const duplicateBody = z
  .object({
    name: nameSchema.nullish().describe('Default: "Copy of" and the name of the original.'),
  })
  .meta({ examples: [{}, { name: 'Spring sale, second try' }] });

/** The verbs of a resource; each makes a route. */
export class Resource<P extends ProtocolShape<P>, Row, Named extends object> {
  readonly #of: Shared<P, Row, Named>;
  readonly #one: string;
  readonly #the: string;
  /** The path of one. */
  readonly #below: string;
  readonly #reads: Pick<Route, 'access' | 'reads'>;
  readonly #changes: Pick<Route, 'access' | 'changes'>;

  constructor(of: Shared<P, Row, Named>) {
    const [reader, changer] = of.scopes ?? ['read', 'write'];
    this.#of = of;
    this.#one = of.a.replace(/^an? /, '');
    this.#the = of.the ?? this.#one;
    this.#below = `${of.path}/:${Object.keys(of.params).at(-1)}`;
    this.#reads = { access: key(reader), reads: [of.noun] };
    this.#changes = { access: key(changer), changes: [of.noun] };
  }

  /** Shows a page that `asks` replies, or the `page` of `all` rows. */
  list<Query extends z.ZodType = Listed>(
    own: Own<
      | { readonly asks: Kinds<P, OrderedPage, CountedPage<Row>> }
      | {
          readonly all: Kinds<P, object, readonly Row[]>;
          readonly page: (rows: readonly Row[], query: z.output<Listed>) => CountedPage<Row>;
        },
      z.ZodUndefined,
      Query
    >,
  ): Route {
    const given = own as Given;
    const usual = { summary: `List ${this.#one}s`, query: z.object(listQuery) };
    const handle = async (call: AnyCall) => {
      const page = await this.#page(call as Call<z.output<Listed>>, given);
      const items = page.items.map((row) => this.#of.view(row, call));
      return { status: 200, body: { ...page, items } };
    };
    const words = `${capitalized(this.#the)}s.`;
    const answers = this.#answers(200, given.answer ?? words, countedPage(this.#of.schema));
    return this.#route('GET', given, { ...this.#reads, ...usual, ...answers, handle });
  }

  create<K extends Replying<P, Row>, Body extends z.ZodType>(
    own: Own<Says<P, K, z.output<Body>, object>, Body> & { readonly body: Body },
  ): Route {
    const given = own as Given;
    const usual = {
      summary: `Create ${this.#of.a}`,
      refusals: [409],
      ...this.#creates(given),
    };
    const shows = this.#shows(201, `The ${this.#the}.`, given, () => ({}));
    return this.#route('POST', given, { ...this.#changes, ...usual, ...shows });
  }

  read(own: Own<{ readonly asks: Kinds<P, Named, Row> }>): Route {
    const given = own as Given;
    const usual = { ...this.#place, summary: `Read ${this.#of.a}` };
    const shows = this.#shows(200, `The ${this.#the}.`, given);
    return this.#route('GET', given, { ...this.#reads, ...usual, ...shows });
  }

  update<K extends Replying<P, Row>, Body extends z.ZodType>(
    own: Own<Says<P, K, z.output<Body>, Named>, Body> & { readonly body: Body },
  ): Route {
    const given = own as Given;
    const usual = { ...this.#place, summary: `Update ${this.#of.a}`, ...editsOf(given) };
    const shows = this.#shows(200, `The updated ${this.#the}.`, given);
    return this.#route('PATCH', given, { ...this.#changes, ...usual, ...shows });
  }

  remove(own: Own<{ readonly asks: Kinds<P, Named, unknown> }>): Route {
    const given = own as Given;
    const usual = { ...this.#place, summary: `Delete ${this.#of.a}`, ...editsOf(given) };
    const answers = this.#answers(204, given.answer ?? 'Deleted.');
    const handle = async (call: AnyCall) => {
      await ask(this.#of.actor(call), given.asks, this.#of.named(call));
      return { status: 204 };
    };
    return this.#route('DELETE', given, { ...this.#changes, ...usual, ...answers, handle });
  }

  /** `POST` to what an action is called below one, which shows that one as it is afterwards. */
  action<K extends Replying<P, Row>, Body extends z.ZodType = z.ZodUndefined>(
    name: string,
    own: Own<{ readonly asks: Kinds<P, Named, Row> } | Says<P, K, z.output<Body>, Named>, Body>,
  ): Route {
    const given = own as Given;
    const usual = {
      ...this.#place,
      path: `${this.#below}/${name}`,
      summary: `${capitalized(name)} ${this.#of.a}`,
      refusals: [409],
      ...editsOf(given),
    };
    const shows = this.#shows(200, `The updated ${this.#the}.`, given);
    return this.#route('POST', given, { ...this.#changes, ...usual, ...shows });
  }

  duplicate(
    own: Own<{ readonly asks: Kinds<P, Named & { name?: string }, Row> }, typeof duplicateBody>,
  ): Route {
    const given = own as Given;
    const usual = {
      ...this.#place,
      path: `${this.#below}/duplicate`,
      summary: `Duplicate ${this.#of.a}`,
      body: duplicateBody,
      optionalBody: true,
      refusals: [409],
      ...this.#creates(given),
    } as const;
    const shows = this.#shows(201, `The new ${this.#the}.`, given, (call) => ({
      ...this.#of.named(call),
      ...present({ name: (call.body as z.output<typeof duplicateBody>).name ?? undefined }),
    }));
    return this.#route('POST', given, { ...this.#changes, ...usual, ...shows });
  }

  get #place() {
    return { path: this.#below, params: this.#of.params };
  }

  #route(
    method: Method,
    { answer: _answer, asks: _asks, all: _all, page: _page, says: _says, ...own }: Given,
    usual: Pick<Route, 'summary' | 'responses' | 'handle'> & Partial<Route>,
  ): Route {
    const { path, tag } = this.#of;
    return {
      method,
      path,
      tag,
      lane: 'standard',
      access: key(),
      ...usual,
      ...own,
    };
  }

  #answers(status: number, description: string, schema?: z.ZodType): Pick<Route, 'responses'> {
    return { responses: { [status]: { description, ...(schema && { schema }) } } };
  }

  /** Answers with the row of a message's reply. */
  #shows(
    status: number,
    words: string,
    { answer = words, asks, says }: Given,
    named: (call: AnyCall) => object = this.#of.named,
  ): Pick<Route, 'responses' | 'handle'> {
    return {
      ...this.#answers(status, answer, this.#of.schema),
      handle: async (call) => {
        const actor = this.#of.actor(call);
        const row = await ask<Row>(actor, asks, { ...named(call), ...says?.(call) });
        return { status, body: this.#of.view(row, call) };
      },
    };
  }

  async #page(call: Call<z.output<Listed>>, given: Given): Promise<CountedPage<Row>> {
    const actor = this.#of.actor(call);
    if (given.all === undefined) return await ask(actor, given.asks, present(call.query));
    const rows = await ask(actor, given.all, {});
    return given.page?.(rows, call.query) as CountedPage<Row>;
  }

  #creates({ asks: kind }: Given): Pick<Route, 'creates'> {
    const { prefix } = this.#of;
    if (kind === undefined || prefix === undefined) return {};
    return { creates: { kind, prefix, read: this.#below } };
  }
}

function capitalized(words: string): string {
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

function editsOf({ asks }: Given): Pick<Route, 'edits'> {
  return asks === undefined ? {} : { edits: asks };
}

/** The verbs' types have checked that the message fits. */
function ask<Reply>(actor: Asker, kind: string | undefined, body: object): Promise<Reply> {
  return actor.ask(kind as never, body as never) as Promise<Reply>;
}

interface Asker {
  ask(kind: never, body: never): Promise<unknown>;
}
