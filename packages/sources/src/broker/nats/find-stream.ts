import { getErrorMessage } from '@tripline/common/error-message'
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamManager } from '@nats-io/jetstream'
import { PermissionViolationError } from '@nats-io/nats-core'
import type { NatsConnection } from '@nats-io/nats-core'
import { limits } from '../../limits.ts'
import { BrokerError } from '../broker-error.ts'

type FoundStream = { readonly manager: JetStreamManager; readonly stream: string }

/** Finds the stream that keeps a subject. @throws BrokerError where none does, or the login may not ask. */
export async function findStream(connection: NatsConnection, subject: string): Promise<FoundStream> {
  const manager = await jetstreamManager(connection, { timeout: limits.broker.requestMs })
  try {
    return { manager, stream: await manager.streams.find(subject) }
  } catch (error) {
    if (isPermissionProblem(error)) {
      const message = `the login may not ask for the stream of '${subject}': allow it $JS.API.STREAM.NAMES`
      throw new BrokerError('authentication', message, { cause: error })
    }
    const message = `no stream keeps the subject '${subject}' (${getErrorMessage(error)}): create one, for what no stream keeps is lost ` +
      'when nothing listens'
    throw new BrokerError('data_flow', message, { cause: error })
  }
}

export function isPermissionProblem(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return false
  return error instanceof PermissionViolationError || (error instanceof Error && error.cause instanceof PermissionViolationError)
}
