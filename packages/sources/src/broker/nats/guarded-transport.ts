import type { ConnectionOptions } from '@nats-io/nats-core'
import { NodeTransport } from '@nats-io/transport-node/lib/node_transport.js'
import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { limits } from '../../limits.ts'

/** Options of a connection to an address, with the name whose certificate it must show. */
export type GuardedOptions = ConnectionOptions & { readonly serverName: string }

/** Characters of a line that are looked at. */
const announcementLengthMax = 65_536
const lineFeed = 0x0a
const lineEndLength = 2

/** Follows lines and the messages that they announce, and tells when one is longer than its bound. */
export class FrameGuard {
  #line = ''
  #lineLength = 0
  /** Bytes of the announced message that are still to come. */
  #pendingCount = 0

  accepts(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length;) {
      if (this.#pendingCount > 0) {
        const taken = Math.min(this.#pendingCount, chunk.length - at)
        this.#pendingCount -= taken
        at += taken
        continue
      }
      const end = chunk.indexOf(lineFeed, at)
      const stop = end === -1 ? chunk.length : end + 1
      this.#lineLength += stop - at
      if (this.#lineLength > limits.broker.lineBytesMax) return false
      // Lines that announce messages are short; of a longer one the beginning tells that it is none.
      if (this.#line.length < announcementLengthMax) this.#line += Buffer.from(chunk.subarray(at, stop)).toString('latin1')
      at = stop
      if (end === -1) continue
      const size = /^H?MSG .* (\d+)\r\n$/i.exec(this.#line)?.[1]
      if (size !== undefined && Number(size) > limits.broker.frameBytesMax) return false
      if (size !== undefined) this.#pendingCount = Number(size) + lineEndLength
      this.#line = ''
      this.#lineLength = 0
    }
    return true
  }
}

/**
 * The transport of NATS with bounds on what a server may send: the library itself gathers a line or message of any length in memory.
 * Connections have no lookup: the servers are addresses that were checked before.
 */
export class GuardedTransport extends NodeTransport {
  override async connect(server: Parameters<NodeTransport['connect']>[0], options: GuardedOptions): Promise<void> {
    await super.connect({ ...server, tlsName: isIP(options.serverName) === 0 ? options.serverName : '' }, options)
  }

  override async dial({ hostname, port }: { hostname: string; port: number }): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = connect({ host: hostname, port, noDelay: true })
    socket.once('connect', resolve).once('error', reject)
    await promise
    socket.removeAllListeners()
    // Until the server has described itself; the library removes the listeners then.
    let byteCount = 0
    socket.on('data', (chunk: Buffer) => {
      byteCount += chunk.length
      if (byteCount > limits.broker.lineBytesMax) socket.destroy(createBoundError())
    })
    return socket
  }

  override async *iterate(): AsyncIterableIterator<Uint8Array> {
    const guard = new FrameGuard()
    for await (const chunk of super.iterate()) {
      if (!guard.accepts(chunk)) {
        await this.close(createBoundError())
        return
      }
      yield chunk
    }
  }
}

function createBoundError(): Error {
  return new Error('the server sent a line or message that is too long')
}
