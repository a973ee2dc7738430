import { flushCodeCache, useCodeCache } from './code-cache.ts'
import { readConfig } from './config.ts'
import type { ServeArguments } from './config.ts'
import { getErrorMessage } from './domain/error-message.ts'
import { ExitError, exitCodes } from './exit-error.ts'
import { createLog } from './log.ts'
import { processRuntime } from './runtime.ts'
import type { Runtime } from './runtime.ts'

/**
 * Runs `tripline serve` until a signal asks it to stop, and resolves to its exit code (C1): 0 when it was
 * stopped, 70 when the data directory cannot be used or something went wrong that should not, 78 for a setting
 * that cannot be used. When it listens it prints one JSON line on stdout; its log are JSON lines on stderr.
 */
export async function runServe(args: ServeArguments, io: Runtime = processRuntime()): Promise<number> {
  const log = createLog(io)
  const toldToStop = io.waitForStopSignal()
  try {
    const config = await readConfig(args, io)
    useCodeCache(config.dataDir)
    // Imported only here, by way of the cache.
    const { startServer } = await import('./server.ts')
    const server = await startServer(config, io)
    if (server.firstAdmin) log.printSecret('first start: log in with these credentials; they are shown only once', server.firstAdmin)
    io.printLine(JSON.stringify({ event: 'ready', port: server.port, pid: io.processId }))
    flushCodeCache()
    const end = await Promise.race([toldToStop.then((signal) => ({ signal })), server.failed.then((error) => ({ error }))])
    if ('signal' in end) log.info('stopping', end)
    else log.error(`event processing stopped: ${getErrorMessage(end.error)}`, { exit_code: exitCodes.storage })
    await server.close()
    return 'signal' in end ? exitCodes.stopped : exitCodes.storage
  } catch (error) {
    const exitCode = error instanceof ExitError ? error.exitCode : exitCodes.storage
    const stack = error instanceof Error && !(error instanceof ExitError) ? error.stack : undefined
    log.error(getErrorMessage(error), { exit_code: exitCode, stack })
    return exitCode
  }
}
