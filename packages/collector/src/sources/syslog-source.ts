import { containsAddress, parseNetwork } from '@tripline/common/network'
import { decodeLine } from '@tripline/sources/lines/decode-line'
import { joinLines } from '@tripline/sources/lines/join-lines'
import { openSyslogSockets } from '@tripline/sources/syslog/open-sockets'
import { StreamConnections } from '@tripline/sources/syslog/stream-connections'
import type { SyslogSourceConfig } from '../config/source-config.ts'
import { limits } from '../limits.ts'
import type { RunSource, SourceContext } from './source.ts'

type Message = { readonly bytes: Buffer; readonly address: string; readonly receivedAt: number }

/** Listens for syslog. Nothing is acknowledged to its senders, so that messages go to the spool at once. */
export function createSyslogSource(config: SyslogSourceConfig): RunSource {
  return async (context, signal) => {
    const queue = new MessageBuffer(context, config)
    const networks = config.allowed_cidrs?.flatMap((range) => parseNetwork(range) ?? [])
    const { host, port, transport, framing, tls_cert: cert, tls_key: key } = config
    const failed = Promise.withResolvers<never>()
    const { connectionsMax: max, addressConnectionsMax: perAddressMax } = limits.syslog
    const connections = new StreamConnections(max).openListener({ max, perAddressMax })
    // It may fail before it is waited for.
    failed.promise.catch(() => {})
    const sockets = await openSyslogSockets({
      host, port, transport, framing, ...(cert !== undefined && key !== undefined && { tls: { cert, key } }),
      isAllowed: (address) => networks === undefined || networks.some((network) => containsAddress(network, address)),
      take: (bytes, address) => queue.add(bytes, address),
      onDropped: () => context.countDropped(1, 'messages were dropped: too long, too many of one sender, or without room'),
      onError: (error) => failed.reject(error), connections, now: context.now,
    })
    context.log.info('listening for syslog', { source: context.name, place: sockets.place })
    context.reportHealthy()
    let kernelCount = await sockets.readKernelDrops()
    const countKernelDrops = async (): Promise<void> => {
      const total = await sockets.readKernelDrops()
      if (total > kernelCount) context.countDropped(total - kernelCount, 'the kernel dropped datagrams because its buffer was full')
      kernelCount = total
    }
    try {
      while (!signal.aborted) {
        await Promise.race([context.sleep(limits.syslog.gatherMs, signal), failed.promise])
        if (await queue.write()) sockets.resume()
        await countKernelDrops()
      }
    } finally {
      // The count ends with the socket.
      await countKernelDrops()
      await sockets.close()
      await queue.write()
    }
  }
}

/** Messages on their way to the spool. */
class MessageBuffer {
  readonly #context: SourceContext
  readonly #config: SyslogSourceConfig
  #messages: Message[] = []
  #byteCount = 0

  constructor(context: SourceContext, config: SyslogSourceConfig) {
    this.#context = context
    this.#config = config
  }

  add(bytes: Buffer, address: string): boolean {
    const { queuedMessagesMax, queuedBytesMax } = limits.syslog
    if (this.#messages.length >= queuedMessagesMax || this.#byteCount + bytes.length > queuedBytesMax) return false
    this.#messages.push({ bytes, address, receivedAt: this.#context.now() })
    this.#byteCount += bytes.length
    return true
  }

  /** Messages of one record: small ones, so that little is dropped at once where the spool is full. */
  #countBatch(): number {
    const { batchMessagesMax, batchBytesMax } = limits.syslog
    let [count, byteCount] = [0, 0]
    for (const { bytes } of this.#messages) {
      if (count > 0 && (count >= batchMessagesMax || byteCount + bytes.length > batchBytesMax)) break
      count++
      byteCount += bytes.length
    }
    return count
  }

  /** Writes what has arrived; returns whether there was anything. What could not be written stays. */
  async write(): Promise<boolean> {
    const hadMessages = this.#messages.length > 0
    while (this.#messages.length > 0) {
      const batch = this.#messages.slice(0, this.#countBatch())
      const { log_source: logsource } = this.#config
      const decoded = batch.map(({ bytes, address, receivedAt }) =>
        decodeLine(bytes, { format: 'syslog', logsource, receivedAt, address, hostname: address }))
      await this.#context.append(joinLines(decoded))
      const [refused, ...others] = decoded.flatMap((one) => ('problem' in one ? [one.problem] : []))
      if (refused !== undefined) this.#context.countDropped(1 + others.length, refused)
      this.#messages = this.#messages.slice(batch.length)
      this.#byteCount -= batch.reduce((sum, { bytes }) => sum + bytes.length, 0)
    }
    return hadMessages
  }
}
