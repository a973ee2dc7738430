import { processRuntime } from '@tripline/common/runtime'
import { runServe } from '../../src/main.ts'
import { parseServeArguments } from '../parse-serve-arguments.ts'

/** A server in this process, on a data directory, whose clock starts at a stated instant. */
export type ServerAt = {
  readonly call: (method: string, path: string, token?: string, body?: unknown) => Promise<Answer>
  readonly logged: readonly string[]
  /** Ends it as SIGTERM does. */
  readonly stop: () => Promise<number>
}

export type Answer = { readonly status: number; readonly body: { readonly [name: string]: unknown } }

/** @throws Error with the last log line if it does not start. */
export async function serveAt(dataDir: string, startsAt: number, rulesFile: string): Promise<ServerAt> {
  const started = Promise.withResolvers<string>()
  const stopping = Promise.withResolvers<string>()
  const logged: string[] = []
  const real = processRuntime()
  const zeroMs = real.elapsedMs()
  const ended = runServe(parseServeArguments(['--listen', '127.0.0.1:0', '--data-dir', dataDir, rulesFile]), {
    ...real, printLine: started.resolve, logLine: (line) => logged.push(line),
    now: () => startsAt + Math.round(real.elapsedMs() - zeroMs), waitForStopSignal: () => stopping.promise,
  })
  void ended.then((code) => started.reject(new Error(`the server ended with ${code}: ${logged.at(-1)}`)))
  const { port } = JSON.parse(await started.promise) as { port: number }
  return {
    logged,
    call: async (method, path, token, body) => {
      const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' }
      const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
      const answered = await fetch(`http://127.0.0.1:${port}${path}`, sent)
      const text = await answered.text()
      return { status: answered.status, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) }
    },
    stop: () => {
      stopping.resolve('SIGTERM')
      return ended
    },
  }
}

/** Logs in and returns the access token. */
export async function logInAt({ call }: ServerAt, credentials: object): Promise<string> {
  const { status, body } = await call('POST', '/v1/auth/login', undefined, credentials)
  if (status !== 200) throw new Error(`the login was refused: ${JSON.stringify(body)}`)
  return String(body['access_token'])
}

/** Calls until what is answered is what is waited for. */
export async function pollUntil(call: () => Promise<Answer>, isThere: (body: Answer['body']) => boolean): Promise<Answer['body']> {
  for (let left = 200; ; left--) {
    const { body } = await call()
    if (isThere(body)) return body
    if (left === 0) throw new Error(`the server did not finish its work: ${JSON.stringify(body)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
