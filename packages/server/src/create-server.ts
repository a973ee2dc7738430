import { processRuntime } from '@tripline/common/runtime'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { readGivenConfig } from './config/config.ts'
import type { GivenSettings } from './config/config.ts'
import { httpOptions } from './listener/http-options.ts'
import { RequestEntrance } from './listener/request-entrance.ts'
import type { OwnStores } from './open-stores.ts'
import { openServer } from './server.ts'
import type { OpenServer } from './server.ts'

/** What an embedded server is opened with. */
export type ServerOptions = {
  /**
   * Settings by name, such as `{ dataDir: 'data', rules: ['rules'], publicUrl: 'https://tripline.example' }`. Neither the environment
   * nor a configuration file is read. Addresses, TLS and limits of connections are those of the HTTP server around it.
   */
  readonly settings?: GivenSettings
  /** Stores in place of those below the data directory. The caller closes them after `stop`. */
  readonly stores?: OwnStores
  /** Takes the lines of the log, each a JSON object; default: stderr. */
  readonly logLine?: (line: string) => void
}

/** A server inside another program, which passes it requests. */
export type EmbeddedServer = Pick<OpenServer<never>, 'firstAdmin' | 'firstPasswordFile' | 'failed' | 'untilIdle'> & {
  /** Options for `http.createServer`: the deadlines of headers and bodies that the server has of its own. */
  readonly httpOptions: typeof httpOptions
  /** Answers a request of an HTTP server: `http.createServer(server.httpOptions, server.handleRequest)`. */
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => void
  /** Opens a WebSocket for live push: `http.on('upgrade', server.handleUpgrade)`. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /**
   * Takes no more requests, ends WebSockets, waits for running requests up to `shutdownGraceMs`, and closes what `createServer`
   * opened. Call it after `http.close()`, which waits for the WebSockets in turn.
   */
  readonly stop: () => Promise<void>
}

/**
 * Opens the server for a program that has an HTTP server of its own: API, console, ingest and live push, without a listener. It
 * installs no signal handler and ends no process; when `failed` resolves, stop it.
 *
 * @throws ExitError with one sentence: 70 if the data directory cannot be used, 78 for a setting that cannot be used.
 */
export async function createServer({ settings = {}, stores, logLine }: ServerOptions = {}): Promise<EmbeddedServer> {
  const { printLine, logLine: writeLine, now, elapsedMs, randomBytes, readText, waitForStopSignal, processId } = processRuntime()
  const io = {
    printLine, logLine: logLine ?? writeLine, now, elapsedMs, randomBytes, readText, waitForStopSignal, processId, environment: {},
  }
  const config = readGivenConfig(settings)
  const { entrance, firstAdmin, firstPasswordFile, failed, untilIdle, close } = await openServer(config, {
    io,
    ...(stores && { ownStores: stores }),
    openEntrance: async (options) => {
      const opened = new RequestEntrance(options)
      return {
        useTls: () => {},
        close: (graceMs: number) => opened.close(graceMs),
        handleRequest: (request: IncomingMessage, response: ServerResponse) => opened.handleRequest(request, response),
        handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => opened.handleUpgrade(request, socket, head),
      }
    },
  })
  const { handleRequest, handleUpgrade } = entrance
  let stopping: Promise<void> | undefined
  return { firstAdmin, firstPasswordFile, failed, untilIdle, httpOptions, handleRequest, handleUpgrade, stop: () => (stopping ??= close()) }
}
