import { getErrorCode } from '@tripline/common/error-code'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { tryParseJson } from '@tripline/common/json'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { ControlRequest } from './control-server.ts'

/** Sends a request to the running collector and yields its replies. @throws ExitError if none runs there. */
export async function* askCollector(path: string, request: ControlRequest): AsyncGenerator<{ readonly [name: string]: unknown }> {
  const socket = connect(path)
  await new Promise<void>((resolve, reject) => void socket.once('connect', resolve).once('error', reject)).catch((error: unknown) => {
    const code = getErrorCode(error)
    const reason = code === 'EACCES' ? `'${path}' belongs to another user` : `no collector listens at '${path}'`
    throw new ExitError(exitCodes.refused, reason, { cause: error })
  })
  try {
    socket.write(`${JSON.stringify(request)}\n`)
    for await (const line of createInterface({ input: socket })) {
      const parsed = tryParseJson(line)
      if ('value' in parsed) yield Object(parsed.value) as { readonly [name: string]: unknown }
    }
  } finally {
    socket.destroy()
  }
}
