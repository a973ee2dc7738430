import type { Context } from 'hono'

/** What the middleware knows of a request. */
export type Env = {
  Variables: {
    requestId: string
    /** When the request came in, on the clock of `Io.elapsedMs`. */
    startedMs: number
  }
}

export type RequestContext = Context<Env>

/** One method of one path. */
export type Route = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly handle: (c: RequestContext) => Response | Promise<Response>
}
