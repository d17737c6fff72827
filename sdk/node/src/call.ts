// A call that was made: awaiting it gives the body of the answer, `withResponse()` its headers too.

/** What may be said about one call. */
export interface CallOptions {
  /** Another app than the client's. */
  readonly appId?: string | undefined;
  /** The client makes one for each send and each creation if there is none. */
  readonly idempotencyKey?: string | undefined;
  /** The `etag` of the version that the call changes: another version is a 412. */
  readonly ifMatch?: string | undefined;
  /** `true`: an unknown member of the body is an error, not a warning. */
  readonly strict?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For each attempt, until its answer is complete. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one. */
  readonly retries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What the headers of an answer say. */
export interface AnswerInfo {
  readonly status: number;
  readonly headers: Headers;
  /** Names the call in the server's log. */
  readonly requestId: string | undefined;
  /** The version of the thing, for `ifMatch`. */
  readonly etag: string | undefined;
  /** `undefined` for routes without a rate limit. */
  readonly rateLimit:
    | {
        readonly lane: string;
        readonly limit: number;
        readonly remaining: number;
        /** Seconds until there is room for the whole limit again. */
        readonly reset: number;
      }
    | undefined;
  /** Whether an earlier call with the idempotency key has done this. */
  readonly isReplay: boolean;
  /** Attempts that the answer took. */
  readonly attempts: number;
}

/** The body of an answer with what its headers say. */
export interface Answered<Answer> extends AnswerInfo {
  readonly data: Answer;
}

/** A promise of the answer's body. The call is under way already. */
export class Call<Answer> implements Promise<Answer> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #answered: Promise<Answered<Answer>>;

  constructor(answered: Promise<Answered<Answer>>) {
    this.#answered = answered;
  }

  /** The body with the status and the headers. */
  withResponse(): Promise<Answered<Answer>> {
    return this.#answered;
  }

  then<Done = Answer, Failed = never>(
    done?: ((answer: Answer) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#answered.then(({ data }) => data).then(done, failed);
  }

  catch<Failed = never>(
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Answer | Failed> {
    return this.then(undefined, failed);
  }

  finally(always?: (() => void) | null): Promise<Answer> {
    return this.then().finally(always);
  }
}
