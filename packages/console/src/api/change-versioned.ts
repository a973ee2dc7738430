import { t } from '../i18n/translate.ts'
import { ApiError } from './api-error.ts'

/** A change of something that other users change too. */
type VersionedChange<Known extends { readonly etag: string | undefined }, Answer> = {
  /** What the page read before; a change starts by reading it without one. */
  readonly known: Known | undefined
  readonly read: () => Promise<Known>
  /** Whether another user changed what the user decides about. */
  readonly isConflict: (now: Known) => boolean
  /** Sends the change for this version. */
  readonly send: (etag: string | undefined) => Promise<Answer>
}

/** Edits by others that may come between before a change is given up. */
const triesMax = 5

/**
 * Sends a change under the version that was read. Where another edit came between, reads again, and sends again as long as what
 * the user saw still stands: a comment is no conflict, another user's decision is one.
 *
 * @throws ApiError: of status 412 (`isOutdated`) on a conflict, or what the server refuses.
 */
export async function changeVersioned<Known extends { readonly etag: string | undefined }, Answer>(
  { known, read, isConflict, send }: VersionedChange<Known, Answer>,
): Promise<Answer> {
  let now = known === undefined || isConflict(known) ? await read() : known
  for (let tries = 1; !isConflict(now); tries++) {
    try {
      return await send(now.etag)
    } catch (error) {
      if (!isOutdated(error) || tries === triesMax) throw error
      now = await read()
    }
  }
  throw new ApiError({ status: 412, code: 'PRECONDITION_FAILED', message: t('conflict') })
}

/** Whether a change was refused because something else changed meanwhile. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412
}
