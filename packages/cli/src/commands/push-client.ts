import { ExitError, exitCodes } from '@tripline/common/exit-error'


type PushClientOptions = {
  readonly url: URL
  readonly token: string
  /** Sent as soon as the connection is there. */
  readonly subscription: object
}

/** A connection to a server that pushes. */
type PushClient = {
  /** What the server says, in order; ends after `close`. @throws ExitError (1) where the server ends it. */
  readonly messages: AsyncIterable<string>
  readonly close: () => void
}

/**
 * Connects with a token and subscribes. The token stands beside the protocol's name, where no log keeps it.
 *
 * @throws ExitError (66) if no server answers.
 */
export async function openPushClient({ url, token, subscription }: PushClientOptions): Promise<PushClient> {
  const socket = new WebSocket(url, ['bearer', token])
  await new Promise<void>((resolve, reject) => {
    const refuse = (): void => reject(new ExitError(exitCodes.unreadable, `no server answers at ${url.host}; check --server`))
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', refuse, { once: true })
  })
  let isDone = false
  const messages = new ReadableStream<string>({
    start(controller) {
      socket.addEventListener('message', ({ data }) => {
        if (!isDone) controller.enqueue(String(data))
      })
      socket.addEventListener('close', ({ code, reason }) => {
        if (isDone) return
        isDone = true
        if (code === normalClosure) controller.close()
        else controller.error(new ExitError(exitCodes.refused, `the server closed the connection: ${reason || `code ${code}`}`))
      })
    },
    cancel() {
      isDone = true
    },
  })
  socket.send(JSON.stringify(subscription))
  return { messages, close: () => socket.close(normalClosure) }
}

/** The code of an end that is as it should be. */
const normalClosure = 1000
