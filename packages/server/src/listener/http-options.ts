import type { IncomingMessage } from 'node:http'
import { limits } from '../limits.ts'

const { headersMs, checkMs, keepAliveMs } = limits.connections

/** Options of Node's HTTP server: the deadlines of headers and bodies, and which upgrades are taken. */
export const httpOptions = {
  headersTimeout: headersMs,
  connectionsCheckingInterval: checkMs,
  keepAliveTimeout: keepAliveMs,
  // Reading the body has a deadline of its own, which answers with a code; this one is its backstop.
  requestTimeout: limits.request.arrivalMs + headersMs,
  // Another upgrade would wait for an answer forever: requests are upgraded to WebSocket alone.
  shouldUpgradeCallback: ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket',
}
