import { createServer } from 'node:http'

// A server that reads requests and answers 202, for the baseline: it costs the machine what the flood costs it, and the
// server under test nothing. Prints its port.
const sink = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(202, { 'content-type': 'application/json' }).end('{}'))
})
sink.listen(0, '127.0.0.1', () => {
  const address = sink.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
