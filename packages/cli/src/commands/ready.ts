import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { getErrorMessage } from '@tripline/common/error-message'
import { setTimeout as sleep } from 'node:timers/promises'
import { usageError } from '../framework/command-error.ts'
import { defineCommand } from '../framework/command.ts'
import { readNumber } from '../framework/parse-number.ts'
import { writeText } from '../framework/write-text.ts'
import { limits } from '../limits.ts'

/** Asks a server whether it accepts work: for service managers and health checks of containers, which have no client of their own. */
export const readyCommand = defineCommand({
  name: 'ready',
  summary: 'Asks a server whether it accepts work, or waits until it does.',
  options: {
    server: { kind: 'text', value: '<url>', default: 'http://127.0.0.1:8080', help: 'The address of the server.' },
    wait: { kind: 'text', value: '<seconds>', default: '0', help: 'How long to wait for a server that is not ready.' },
    json: { kind: 'flag', help: 'Prints one JSON object: {"status"}.' },
  },
  notes: [
    'Asks /readyz. For a certificate of an authority of your own, set NODE_EXTRA_CA_CERTS to its file.',
    'Exit codes: 0 ready; 1 not ready, such as while it starts or its disk is full; 2 wrong arguments; 66 no server answers.',
  ],
  async run({ options }, context) {
    const url = URL.parse('/readyz', options.server)
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw usageError(`option '--server' is '${options.server}'; it takes an address such as http://127.0.0.1:8080`)
    }
    const waitMs = readNumber('--wait', options.wait, { min: 0, max: limits.readyWaitSecondsMax }) * 1_000
    const startedAt = context.now()
    for (;;) {
      const answer = await askReadiness(url)
      if (!(answer instanceof Error) && answer.isReady) {
        await writeText(context.stdout, options.json ? `${JSON.stringify({ status: answer.status })}\n` : `${answer.status}\n`)
        return exitCodes.ok
      }
      if (context.now() - startedAt >= waitMs) throw createRefusal(url, answer)
      await sleep(limits.readyPauseMs)
    }
  },
})

type Answer = { readonly isReady: boolean; readonly status: string }

async function askReadiness(url: URL): Promise<Answer | Error> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(limits.readyAnswerMs), redirect: 'error' })
    const { status = `status ${response.status}` } = (await response.json()) as { readonly status?: string }
    return { isReady: response.status === 200, status }
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause : new Error(getErrorMessage(error), { cause: error })
  }
}

function createRefusal({ host }: URL, answer: Answer | Error): ExitError {
  if (answer instanceof Error) return new ExitError(exitCodes.unreadable, `no server answers at ${host}: ${answer.message}; check --server`)
  return new ExitError(exitCodes.refused, `the server at ${host} is not ready: ${answer.status}`)
}
