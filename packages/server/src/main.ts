import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { processRuntime } from '@tripline/common/runtime'
import type { Runtime } from '@tripline/common/runtime'
import { checkKeys } from './config/check-keys.ts'
import { flushCodeCache, useCodeCache } from './code-cache.ts'
import { readConfig } from './config/config.ts'
import type { ServeArguments } from './config/config.ts'
import { limits } from './limits.ts'
import { createLog } from './runtime/log.ts'
import { logWarnings } from './runtime/log-warnings.ts'
import { BufferedLog } from './runtime/buffered-log.ts'
import { tuneCollector } from './runtime/tune-collector.ts'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Runs `tripline serve` until a termination signal and resolves with the exit code: 0 after a signal, 70 if the data
 * directory is unusable or an unexpected error occurs, 78 for an invalid setting. Prints one JSON line on stdout once it
 * listens; the log goes to stderr as JSON lines.
 */
export async function runServe(args: ServeArguments, given: Runtime = processRuntime()): Promise<number> {
  const { io, flush } = bufferLog(given)
  const exitCode = await serve(args, io, flush)
  await flush()
  return exitCode
}

/** The runtime with a buffered log, where it can write one, and what waits until the log is written, but not for ever. */
function bufferLog(io: Runtime): { readonly io: Runtime; readonly flush: () => Promise<void> } {
  const { writeLog: write } = io
  if (write === undefined) return { io, flush: async () => {} }
  const { waitingLengthMax: lengthMax, flushMs } = limits.log
  const buffer = new BufferedLog({ write, lengthMax })
  return {
    io: { ...io, logLine: (line) => buffer.add(line), countDroppedLogLines: () => buffer.droppedCount },
    flush: async () => {
      const isOver = new AbortController()
      // The wait is aborted once the log is written: its rejection tells nothing.
      await Promise.race([buffer.flush(), wait(flushMs, undefined, { signal: isOver.signal }).catch(() => {})])
      isOver.abort()
    },
  }
}

async function serve(args: ServeArguments, io: Runtime, flushLog: () => Promise<void>): Promise<number> {
  const log = createLog(io)
  const toldToStop = io.waitForStopSignal()
  const endWarnings = logWarnings(io, log)
  tuneCollector()
  try {
    const config = await readConfig(args, io)
    // Before anything is written, the code cache included.
    await checkKeys(config)
    useCodeCache(config.dataDir)
    // Imported here so that the compile cache applies to it.
    const { startServer } = await import('./server.ts')
    const server = await startServer(config, io)
    const { firstAdmin, firstPasswordFile } = server
    if (firstAdmin && firstPasswordFile !== undefined) {
      const message = 'first start: log in with the password in this file, change it, and delete the file'
      log.warn(message, { email: firstAdmin.email, file: firstPasswordFile })
    } else if (firstAdmin) log.info('first start: log in with the password of --admin-password-file', { email: firstAdmin.email })
    // The log of the start is complete when the next line is printed.
    await flushLog()
    io.printLine(JSON.stringify({ event: 'ready', port: server.port, pid: io.processId }))
    flushCodeCache()
    const preparation = setTimeout(() => server.prepareRuleTests(), limits.ruleTest.prepareMs).unref()
    const end = await Promise.race([toldToStop.then((signal) => ({ signal })), server.failed.then((error) => ({ error }))])
    if ('signal' in end) log.info('stopping', end)
    else log.error(`event processing stopped: ${getErrorMessage(end.error)}`, { exit_code: exitCodes.storage })
    clearTimeout(preparation)
    await server.close()
    return 'signal' in end ? exitCodes.ok : exitCodes.storage
  } catch (error) {
    const exitCode = error instanceof ExitError ? error.exitCode : exitCodes.storage
    const stack = error instanceof Error && !(error instanceof ExitError) ? error.stack : undefined
    log.error(getErrorMessage(error), { exit_code: exitCode, stack })
    return exitCode
  } finally {
    endWarnings()
  }
}
