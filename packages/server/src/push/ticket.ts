import type { TokenPrincipal } from '../auth/token-principal.ts'
import { limits } from '../limits.ts'
import type { Runtime } from '../runtime.ts'

/**
 * Tickets that open one connection each, so that no token has to stand in an address (D-36). They are in memory: a
 * restart ends them, and a client asks for another.
 */
export class Tickets {
  readonly #io: Pick<Runtime, 'elapsedMs' | 'randomBytes'>
  /** In the order in which they end. */
  readonly #tickets = new Map<string, { readonly identity: TokenPrincipal; readonly endsMs: number }>()

  constructor(io: Pick<Runtime, 'elapsedMs' | 'randomBytes'>) {
    this.#io = io
  }

  /** Makes a ticket for whoever this is, good once within `limits.push.ticketMs`. */
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

  /** Takes a ticket; whose it is, or undefined where it is none, has ended or was taken before. */
  take(ticket: string): TokenPrincipal | undefined {
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

/** Whether a text looks like a ticket: a token of a user has dots and no such beginning. */
export function isTicketText(text: string): boolean {
  return text.startsWith(prefix) && text.length === prefix.length + 43
}

const prefix = 'wt_'
