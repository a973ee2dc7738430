import { containsAddress, parseNetwork } from '@tripline/common/network'
import { getErrorMessage } from '@tripline/common/error-message'
import { syslogFormats } from '@tripline/formats/syslog/decode-message'
import { syslogFramings } from '@tripline/formats/syslog/frame-reader'
import type { ConnectorConfig, IngestCounts } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import { SyslogListenError, openSyslogSockets, syslogTransports } from '@tripline/sources/syslog/open-sockets'
import type { SyslogSockets } from '@tripline/sources/syslog/open-sockets'
import { StreamConnections } from '@tripline/sources/syslog/stream-connections'
import type { ConnectionBounds } from '@tripline/sources/syslog/stream-connections'
import { limits } from '../limits.ts'
import { MessageQueue } from './message-queue.ts'
import type { MessageQueueDeps } from './message-queue.ts'

/** Where listeners may open, as the operator decided. */
export type SyslogPlaces = {
  readonly host: string
  readonly isAllowedPort: (port: number) => boolean
  /** The ports that are allowed, as the operator stated them. */
  readonly allowedPorts: string
  /** Connections of all listeners together. */
  readonly connectionsMax: number
}

/** A connector that listens. */
type SyslogConnector = {
  readonly tenant: TenantId
  readonly id: string
  /** With its secrets. */
  readonly config: ConnectorConfig
  readonly record: (counts: IngestCounts) => void
}

/** An open listener. */
export type SyslogListener = {
  /** Such as `UDP 127.0.0.1:5514`. */
  readonly place: string
  readonly port: number
  /** Messages that were dropped since the last call: by the kernel, and by us for lack of room or over the limit of a source. */
  readonly takeDrops: () => Promise<{ readonly kernelCount: number; readonly ownCount: number }>
  /** Takes no more messages, and makes durable what has arrived. */
  readonly close: () => Promise<void>
}

/** Opens the listeners of connectors of type `syslog`: UDP, TCP and TLS on the ports that the operator allows. */
export class SyslogListeners {
  readonly #places: SyslogPlaces
  readonly #deps: MessageQueueDeps
  readonly #connections: StreamConnections

  constructor(places: SyslogPlaces, deps: MessageQueueDeps) {
    this.#places = places
    this.#deps = deps
    this.#connections = new StreamConnections(places.connectionsMax)
  }

  /** @throws SyslogListenError if the port is not allowed or in use, or the certificate cannot be used. */
  async open(connector: SyslogConnector): Promise<SyslogListener> {
    const port = Number(connector.config['port'])
    if (port !== 0 && !this.#places.isAllowedPort(port)) {
      const { allowedPorts } = this.#places
      throw new SyslogListenError(`port ${port} is not among the ports that the operator allows: ${allowedPorts} (--syslog-ports)`)
    }
    const drops = { ownCount: 0, kernelCount: 0 }
    const { record } = connector
    const onDropped = (): void => {
      drops.ownCount++
      record({ receivedCount: 0, refusedCount: 1, byteCount: 0 })
    }
    const { readKernelDrops, ...opened } = await this.#openQueued(connector, port, onDropped)
    const takeDrops = async (): ReturnType<SyslogListener['takeDrops']> => {
      const kernelTotal = await readKernelDrops()
      const taken = { ownCount: drops.ownCount, kernelCount: Math.max(0, kernelTotal - drops.kernelCount) }
      drops.ownCount = 0
      drops.kernelCount = kernelTotal
      if (taken.kernelCount > 0) record({ receivedCount: 0, refusedCount: taken.kernelCount, byteCount: 0 })
      return taken
    }
    return {
      ...opened, takeDrops,
      close: async () => {
        // What the kernel dropped since the last check is forgotten with the socket.
        await takeDrops()
        await opened.close()
      },
    }
  }

  async #openQueued(
    connector: SyslogConnector, port: number, onDropped: () => void,
  ): Promise<Pick<SyslogListener, 'port' | 'place' | 'close'> & Pick<SyslogSockets, 'readKernelDrops'>> {
    const { config } = connector
    let resume = (): void => {}
    const connections = this.#connections.openListener(getConnectionBounds(config))
    const queue = this.#openQueue(connector, () => resume())
    const sockets = await openSyslogSockets({
      host: this.#places.host, port, transport: syslogTransports.find((transport) => transport === config['transport']) ?? 'udp',
      framing: syslogFramings.find((framing) => framing === config['framing']) ?? 'auto',
      ...(typeof config['tls_cert'] === 'string' && typeof config['tls_key'] === 'string' && {
        tls: { cert: config['tls_cert'], key: config['tls_key'] },
      }),
      isAllowed: createAddressTest(config), take: (message, address) => queue.add(message, address), onDropped, now: this.#deps.now,
      connections, onError: (error) => this.#logFailure(connector, error),
    })
    resume = () => sockets.resume()
    return {
      port: sockets.port, place: sockets.place, readKernelDrops: () => sockets.readKernelDrops(),
      close: async () => {
        await sockets.close()
        this.#connections.closeListener(connections)
        await this.#closeQueue(queue, connector)
      },
    }
  }

  #logFailure({ id }: SyslogConnector, error: Error): void {
    this.#deps.log.error('a listener of syslog failed', { connector: id, error: getErrorMessage(error) })
  }

  #openQueue({ tenant, id, config, record }: SyslogConnector, onRoom: () => void): MessageQueue {
    const format = syslogFormats.find((known) => known === config['format']) ?? 'auto'
    return new MessageQueue(this.#deps, { tenant, connectorId: id, format, record, onRoom })
  }

  async #closeQueue(queue: MessageQueue, { id, record }: SyslogConnector): Promise<void> {
    const lostCount = await queue.close()
    if (lostCount === 0) return
    record({ receivedCount: 0, refusedCount: lostCount, byteCount: 0 })
    this.#deps.log.warn('messages of syslog were lost, because no events were accepted', { connector: id, messages: lostCount })
  }
}

function createAddressTest({ allowed_cidrs: ranges }: ConnectorConfig): (address: string) => boolean {
  if (!Array.isArray(ranges)) return () => true
  const networks = ranges.map((range) => parseNetwork(String(range))).filter((network) => network !== undefined)
  return (address) => networks.some((network) => containsAddress(network, address))
}

function getConnectionBounds({ connections_max: max, connections_per_address_max: perAddressMax }: ConnectorConfig): ConnectionBounds {
  const { listenerConnectionsMax, addressConnectionsMax } = limits.syslog
  const isSet = (value: unknown): value is number => typeof value === 'number'
  return { max: isSet(max) ? max : listenerConnectionsMax, perAddressMax: isSet(perAddressMax) ? perAddressMax : addressConnectionsMax }
}
