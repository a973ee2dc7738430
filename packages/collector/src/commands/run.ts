import { jsonErrors } from '@tripline/common/command-line/print-error'
import { exitCodes } from '@tripline/common/exit-error'
import { getErrorMessage } from '@tripline/common/error-message'
import { RunningCollector } from '../collector.ts'
import { LogBuffer } from '../control/log-buffer.ts'
import { configOption, defineCollectorCommand } from './command.ts'
import type { CollectorCommand } from './command.ts'

/** Runs until a termination signal; SIGHUP reads the configuration again. */
export const runCommand: CollectorCommand = defineCollectorCommand({
  name: 'run',
  summary: 'Runs the collector until SIGTERM or SIGINT.',
  options: { ...configOption, json: jsonErrors },
  notes: [
    'SIGHUP reads the configuration again.',
    'Exit codes: 0 ended in order; 2 wrong arguments; 70 the disk failed; 78 the configuration is invalid, or nothing is '
      + 'enrolled.',
  ],
  run: async ({ options: { config } }, io) => {
    const toldToStop = io.waitForStopSignal()
    const logs = new LogBuffer(io.logLine, io.now)
    const collector = await RunningCollector.start({ ...io, logs }, config)
    const removeListener = io.onReloadSignal?.(() => {
      collector.reload().catch((error: unknown) => {
        logs.log.error('the configuration was not read again; the old one goes on', { error: getErrorMessage(error) })
      })
    })
    logs.log.info('started', { pid: io.processId })
    const watching = new AbortController()
    try {
      const signal = await Promise.race([toldToStop, collector.watchFailure(watching.signal)])
      logs.log.info('stopping', { signal })
      return exitCodes.ok
    } finally {
      watching.abort()
      removeListener?.()
      await collector.close()
    }
  },
})
