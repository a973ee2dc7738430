import { parentPort, workerData } from 'node:worker_threads'

// Opens a WebSocket for each token, says when all listen, and counts messages until it is asked how many came. A thread of
// its own: thousands of messages a second would delay the thread that measures latency.
const { url, tokens } = workerData as { readonly url: string; readonly tokens: readonly string[] }
let messageCount = 0
for (const token of tokens) {
  const socket = new WebSocket(`${url}?token=${token}`)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('a listener could not connect')))
  })
  socket.addEventListener('message', () => messageCount++)
  socket.send(JSON.stringify({ action: 'subscribe', topics: ['alerts'] }))
}
parentPort?.on('message', () => parentPort?.postMessage(messageCount))
parentPort?.postMessage('listening')
