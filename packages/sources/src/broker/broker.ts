import { createHash } from 'node:crypto'

/** A host of a broker, as it is configured or as the broker names it. */
export type BrokerTarget = {
  readonly host: string
  readonly port: number
  /** Whether the connection is refused without TLS. */
  readonly isSecure: boolean
}

/** What a session needs of its program. */
export type BrokerOutside = {
  /** The addresses of a host that may be connected to. @throws Error that names why there is none. */
  readonly resolve: (target: BrokerTarget) => Promise<readonly string[]>
}

/** A message of a broker. */
export type BrokerMessage = {
  /** The same for the same message, whenever it is delivered. */
  readonly id: string
  readonly bytes: Buffer
  /** When the broker stored it. */
  readonly storedAt: number
}

/** What a session does with messages. */
export type BrokerConsumer = {
  /** Called when the session is up: messages will come. */
  readonly onConnected: () => void
  /** Makes messages durable, however long that takes; they are acknowledged only afterwards. */
  readonly take: (messages: readonly BrokerMessage[]) => Promise<void>
}

/** What a test of settings found: a sentence about the connection, and messages that were neither kept nor acknowledged. */
export type BrokerProbe = {
  readonly connection: string
  readonly authentication: string
  readonly messages: readonly BrokerMessage[]
  /** Why no messages can be shown; undefined where they can. */
  readonly sampleProblem?: string
}

/**
 * Names a message by its place and what it is: a topic that was made anew counts from the beginning, and its messages are not those
 * of the one before it.
 */
export function createMessageId(place: readonly (string | number)[], bytes: Uint8Array): string {
  return createHash('sha256').update(JSON.stringify(place)).update('\0').update(bytes).digest('base64url').slice(0, 27)
}
