import { getErrorCode } from '@tripline/common/error-code'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AdminDataDir } from '@tripline/server/admin'
import { unreadableError } from '../framework/command-error.ts'
import type { Context } from '../framework/context.ts'

/** The data directory to work on. */
export const dataDirOptions = {
  'data-dir': { kind: 'text', value: '<dir>', default: './tripline-data', help: "The server's data directory; the server may be running." },
} as const

/** The issuer of tokens. */
export const publicUrlOption = {
  'public-url': { kind: 'text', value: '<url>', help: "The server's --public-url, if it has one: the issuer of its tokens." },
} as const

/** How to open a data directory. */
type DataDirAccess = {
  readonly directory: string
  readonly creates: boolean
  /** Only `change` writes. */
  readonly use?: 'change' | 'read' | 'inspect'
  /** The public URL of the server; empty without one. */
  readonly publicUrl?: string
}

/**
 * Opens a data directory, calls a function with it, and closes it. A server may be running on it.
 *
 * @throws ExitError (66) for a directory that does not exist or cannot be used; (2) for arguments that the function
 *   rejects; (1) for what it refuses.
 */
export async function withDataDir<Result>(
  use: DataDirAccess, context: Context, work: (installation: AdminDataDir) => Promise<Result>,
): Promise<Result> {
  // Loaded only here: the other commands start faster without the server.
  const { openAdminDataDir, getStateFile } = await import('@tripline/server/admin')
  const dataDir = resolve(context.cwd, use.directory)
  if (!use.creates) checkStateFile(use.directory, getStateFile(dataDir))
  const io = { now: context.wallClock, elapsedMs: context.now, randomBytes: (count: number) => randomBytes(count) }
  // A server without a public URL has this issuer name.
  const issuerName = use.publicUrl?.replace(/\/+$/, '') || 'tripline'
  const installation = await openAdminDataDir({ dataDir, issuerName, use: use.use ?? 'change' }, io).catch((error: unknown) => {
    throw unreadableError('data directory', use.directory, error)
  })
  try {
    return await convertRefusals(() => work(installation))
  } finally {
    await installation.close()
  }
}

/** Converts errors of the server's application layer to errors of a command. */
export async function convertRefusals<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const { toAppError } = await import('@tripline/server/admin')
  try {
    return await work()
  } catch (error) {
    const refusal = toAppError(error)
    if (refusal === undefined) throw error
    const isUsage = refusal.code === 'INVALID_BODY' || refusal.code === 'INVALID_PARAMETER'
    throw new ExitError(isUsage ? exitCodes.usage : exitCodes.refused, refusal.message, { cause: error })
  }
}

function checkStateFile(directory: string, file: string): void {
  try {
    statSync(file)
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') throw unreadableError('data directory', directory, error)
    const message = `data directory '${directory}' holds no state; create it with 'tripline serve' or 'tripline admin tenant create'`
    throw new ExitError(exitCodes.unreadable, message)
  }
}
