import type { Runtime } from '@tripline/common/runtime'
import type { TokenPrincipal } from '../../access/tokens/token-principal.ts'
import { limits } from '../limits.ts'

const prefix = 'wt_'

/**
 * Single-use tickets for WebSocket connections, so that no token appears in a URL
 * (docs/reference/console-api.md#live-push). They are kept in memory: after a restart a client requests another.
 */
export class Tickets {
  readonly #io: Pick<Runtime, 'elapsedMs' | 'randomBytes'>
  /** In order of expiry. */
  readonly #tickets = new Map<string, { readonly identity: TokenPrincipal; readonly endsMs: number }>()

  constructor(io: Pick<Runtime, 'elapsedMs' | 'randomBytes'>) {
    this.#io = io
  }

  /** Issues a ticket that is valid once within `limits.push.ticketMs`. */
  issue(identity: TokenPrincipal): string {
    this.#removeExpired()
    if (this.#tickets.size >= limits.push.ticketsMax) {
      const [oldest] = this.#tickets.keys()
      if (oldest !== undefined) this.#tickets.delete(oldest)
    }
    const ticket = prefix + Buffer.from(this.#io.randomBytes(32)).toString('base64url')
    this.#tickets.set(ticket, { identity, endsMs: this.#io.elapsedMs() + limits.push.ticketMs })
    return ticket
  }

  /** Redeems a ticket; returns its principal, or undefined if it is unknown, expired or used. */
  redeem(ticket: string): TokenPrincipal | undefined {
    const found = this.#tickets.get(ticket)
    this.#tickets.delete(ticket)
    return found !== undefined && this.#io.elapsedMs() < found.endsMs ? found.identity : undefined
  }

  #removeExpired(): void {
    for (const [ticket, { endsMs }] of this.#tickets) {
      if (this.#io.elapsedMs() < endsMs) return
      this.#tickets.delete(ticket)
    }
  }
}

/** Whether a text looks like a ticket: user tokens have dots and no such prefix. */
export function isTicketText(text: string): boolean {
  return text.startsWith(prefix) && text.length === prefix.length + 43
}
