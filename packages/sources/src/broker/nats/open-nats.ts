import { getErrorMessage } from '@tripline/common/error-message'
import {
  AuthorizationError, ConnectionError, TimeoutError, UserAuthenticationExpiredError, credsAuthenticator,
} from '@nats-io/nats-core'
import type { NatsConnection } from '@nats-io/nats-core'
import { NatsConnectionImpl, setTransportFactory } from '@nats-io/nats-core/internal'
import { limits } from '../../limits.ts'
import type { BrokerOutside, BrokerTarget } from '../broker.ts'
import { parseBrokerAddress, printTarget } from '../broker-address.ts'
import { BrokerError } from '../broker-error.ts'
import { GuardedTransport } from './guarded-transport.ts'
import type { GuardedOptions } from './guarded-transport.ts'
import type { NatsSettings } from './nats-settings.ts'

/** A connection, and the server that it leads to. */
type OpenedNats = { readonly connection: NatsConnection; readonly target: BrokerTarget; readonly isEncrypted: boolean }

/**
 * Connects to the first server that answers. The library does not reconnect: each connection goes to addresses that were checked for
 * it, and servers that a server names are not followed.
 *
 * @throws BrokerError for the last server, or the first that refuses the login.
 */
export async function openNats(settings: NatsSettings, { resolve }: BrokerOutside): Promise<OpenedNats> {
  let problem = new BrokerError('connectivity', 'no server is configured')
  for (const server of settings.servers) {
    const parsed = parseBrokerAddress('nats', server)
    // A certificate to trust is one to ask for.
    const target = { ...parsed, isSecure: parsed.isSecure || settings.tlsCa !== undefined }
    try {
      const addresses = await resolve(target)
      return await connectTo(target, addresses, settings)
    } catch (error) {
      problem = toBrokerError(error, target)
      if (problem.stage === 'authentication') throw problem
    }
  }
  throw problem
}

async function connectTo(target: BrokerTarget, addresses: readonly string[], settings: NatsSettings): Promise<OpenedNats> {
  // What counts is the class: all connections share the factory.
  setTransportFactory({ factory: () => new GuardedTransport() })
  const { isSecure } = target
  const { username: user, password: pass, token, credentials, tlsCa: ca } = settings
  const tls = { host: target.host, ...(ca !== undefined && { ca }) }
  const options: GuardedOptions = {
    servers: addresses.map((address) => `${address.includes(':') ? `[${address}]` : address}:${target.port}`),
    name: 'tripline', timeout: limits.broker.connectMs, reconnect: false, ignoreClusterUpdates: true, resolve: false, noRandomize: true,
    noAsyncTraces: true, serverName: target.host, pingInterval: limits.broker.pollMs, maxPingOut: 2,
    // Without TLS where the server offers none, unless the address asks for it.
    ...(isSecure && { tls }),
    ...(user !== undefined && { user }), ...(pass !== undefined && { pass }), ...(token !== undefined && { token }),
    ...(credentials !== undefined && { authenticator: credsAuthenticator(Buffer.from(credentials)) }),
  }
  const connection = await NatsConnectionImpl.connect(options)
  return { connection, target, isEncrypted: isSecure || connection.info?.tls_required === true }
}

/** What went wrong with a server, without what the server says. */
export function toBrokerError(error: unknown, target: BrokerTarget): BrokerError {
  if (error instanceof BrokerError) return error
  const place = `'${printTarget(target)}'`
  const cause = { cause: error }
  const inner = error instanceof ConnectionError && error.cause instanceof Error ? error.cause : error
  if (inner instanceof AuthorizationError || inner instanceof UserAuthenticationExpiredError) {
    return new BrokerError('authentication', `${place} refuses the login: check username, password, token or credentials`, cause)
  }
  // The library does not export its class.
  if (inner instanceof Error && inner.name === 'JetStreamNotEnabled') {
    return new BrokerError('data_flow', `${place} has no JetStream, so that messages cannot be acknowledged; enable it`, cause)
  }
  if (inner instanceof TimeoutError) {
    return new BrokerError('connectivity', `${place} did not answer within ${limits.broker.connectMs} ms`, cause)
  }
  return new BrokerError('connectivity', `${place}: ${getErrorMessage(inner)}`.slice(0, 300), cause)
}
