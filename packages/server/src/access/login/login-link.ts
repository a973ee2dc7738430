import type { Runtime } from '@tripline/common/runtime'
import type { TenantId } from '@tripline/model/tenant'
import { createHash } from 'node:crypto'
import { limits } from '../../limits.ts'
import { isConstantTimeEqual } from '../constant-time-equal.ts'

/** The user that a login link logs in. */
export type LinkedUser = { readonly tenant: TenantId; readonly userId: string }

type Link = LinkedUser & { readonly hash: string; readonly endsAt: number }

/**
 * A link that logs its user in once, for the first visit to a new server. Its token has 256 random bits; the server holds the
 * token's hash in memory, so that a restart ends the link and a copy of the disk has none.
 */
export class LoginLink {
  readonly #io: Pick<Runtime, 'now' | 'randomBytes'>
  #link: Link | undefined

  constructor(io: Pick<Runtime, 'now' | 'randomBytes'>) {
    this.#io = io
  }

  /** Creates the token of a link for a user; the one before is no longer valid. */
  create(user: LinkedUser): string {
    const token = Buffer.from(this.#io.randomBytes(limits.auth.linkTokenBytes)).toString('base64url')
    this.#link = { ...user, hash: hashToken(token), endsAt: this.#io.now() + limits.auth.linkMs }
    return token
  }

  /** Uses a token up and returns its user; undefined for a wrong, used or expired one. A wrong token leaves the link valid. */
  use(token: string): LinkedUser | undefined {
    const link = this.#link
    if (link === undefined || !isConstantTimeEqual(hashToken(token), link.hash)) return undefined
    this.#link = undefined
    return this.#io.now() < link.endsAt ? link : undefined
  }
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
