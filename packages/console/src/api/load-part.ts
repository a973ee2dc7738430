import { ApiError } from './api-error.ts'

/** Code of the pages that did not arrive: the network failed, or the server has pages of another version by now. */
export class LoadError extends ApiError {
  constructor(cause: unknown) {
    super({ status: 0, code: 'NETWORK', message: String(cause) })
  }
}

/**
 * Loads code when it is wanted. @throws LoadError where it does not arrive: the router would reload the page at once, and without a
 * server a browser then shows an error of its own in place of what the user has written.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    throw new LoadError(error)
  }
}

/** Loads the whole page again once the server answers: browsers and React keep an import that failed. */
export async function reloadPage(): Promise<void> {
  const { ok } = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(() => ({ ok: false }))
  if (ok) location.reload()
}
