import { getErrorMessage } from '@tripline/common/error-message'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import { limits } from '../limits.ts'

/** A request over the control socket: one line of JSON. */
export type ControlRequest = { readonly command: string; readonly [name: string]: unknown }

/** Answers a request; `send` may be called several times, and the connection ends when the promise resolves. */
export type ControlHandler = (request: ControlRequest, send: (reply: object) => void, signal: AbortSignal) => Promise<void>

/** Listens on a Unix socket that its owner alone can open. @throws Error if another collector runs there. */
export async function openControlServer(path: string, handle: ControlHandler): Promise<{ readonly close: () => Promise<void> }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // What a killed process left.
  await rm(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serveSocket(socket, handle)
  })
  const umask = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(path, resolve))
  } finally {
    process.umask(umask)
  }
  await chmod(path, 0o600)
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

function serveSocket(socket: Socket, handle: ControlHandler): void {
  const ending = new AbortController()
  let text = ''
  let isTaken = false
  const send = (reply: object): void => void (socket.destroyed || socket.write(`${JSON.stringify(reply)}\n`))
  socket.on('error', () => socket.destroy())
  socket.once('close', () => ending.abort())
  socket.on('data', (chunk) => {
    text += chunk.toString('utf8')
    if (text.length > limits.control.requestLengthMax) return void socket.destroy()
    const end = text.indexOf('\n')
    if (end === -1 || isTaken) return
    isTaken = true
    const parsed = tryParseJson(text.slice(0, end))
    const request = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {}
    const { command = '' } = request
    handle({ ...request, command: String(command) }, send, ending.signal)
      .catch((error: unknown) => send({ error: getErrorMessage(error) }))
      .finally(() => socket.end())
  })
}
