import { AppError } from '@tripline/contract/app-error'
import type { MiddlewareHandler } from 'hono'
import { TLSSocket } from 'node:tls'
import { getSocket } from '../client-address.ts'
import type { Env } from '../route.ts'

/** Refuses requests whose connection presented no certificate of a trusted authority (mutual TLS, RFC 8446, 4.3.2). */
export const requireCertificate: MiddlewareHandler<Env> = async (c, next) => {
  const socket = getSocket(c)
  if (!(socket instanceof TLSSocket) || !socket.authorized) {
    throw new AppError('FORBIDDEN', 'senders of events need a client certificate of an authority in --tls-client-ca')
  }
  await next()
}
