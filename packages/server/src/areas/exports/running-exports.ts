import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'

/** The exports that run: one for each user and each key at a time, because each holds a snapshot of the database. */
export class RunningExports {
  readonly #running = new Set<string>()

  /** Returns the end of the export. @throws AppError CONFLICT while the same principal has another one. */
  begin({ tenant, actor }: Pick<Principal, 'tenant' | 'actor'>): () => void {
    const key = JSON.stringify([tenant, actor.type, actor.id])
    if (this.#running.has(key)) {
      throw new AppError('CONFLICT', 'an export of yours is running; one runs at a time, so wait for its end or cancel it')
    }
    this.#running.add(key)
    return () => void this.#running.delete(key)
  }
}
