import type { ExportFormat } from '@tripline/contract/public/export'
import { toProfileName } from '@tripline/contract/public/profile'
import type { Profile } from '@tripline/contract/public/profile'
import type { Shape } from '@tripline/contract/public/shape'
import type { Principal } from '@tripline/model/access/principal'
import type { AuditRecorder } from '@tripline/model/audit'
import { z } from 'zod'
import { recordAudit } from '../../audit/record-audit.ts'
import { limits } from '../../limits.ts'
import type { ExportSource, ExportSources } from './export-resources.ts'
import { fileFormats } from './print-file.ts'
import type { RunningExports } from './running-exports.ts'
import { watchCaller } from './watch-caller.ts'

/** What exports need of the server. */
export type ExportDeps = ExportSources & {
  readonly running: RunningExports
  readonly trail: AuditRecorder
}

/** An export, as it is recorded too. */
type ExportRequest = ExportSource & {
  readonly format: ExportFormat
  /** The parameters as they were sent. */
  readonly stated: { readonly [name: string]: unknown }
}

/** A file whose rows are not printed yet: the profile names and words them. */
export type ExportFile = {
  readonly name: string
  readonly mediaType: string
  /** The file; `onEnd` is called with the number of rows before its last byte was taken. */
  readonly print: (profile: Profile, onEnd?: (rowCount: number) => void) => ReadableStream<Uint8Array>
  /** Ends an export that is not printed. */
  readonly cancel: () => Promise<void>
}

/**
 * Begins an export: records it, takes a snapshot of the list, and reads its first rows, so that what can fail at once is
 * answered as an error. The stream reads on as fast as the client does, in memory that does not grow.
 *
 * @throws AppError CONFLICT while the same principal has another one, and as the list for a selection.
 */
export async function beginExport(deps: ExportDeps, caller: Principal, request: ExportRequest): Promise<ExportFile> {
  const { resource, permission, format, stated } = request
  const at = deps.clock.now()
  const release = deps.running.begin(caller)
  const aborting = new AbortController()
  const watched = watchCaller(deps, caller, permission)
  const signal = AbortSignal.any([aborting.signal, watched.signal, AbortSignal.timeout(limits.exports.durationMs)])
  const chunks = request.scan(signal)[Symbol.asyncIterator]()
  const target = { type: 'export', id: resource }
  const end = (rowCount: number, outcome: 'success' | 'failed'): void => {
    release()
    watched.stop()
    aborting.abort()
    const { tenant, actor, ip, userAgent, requestId } = caller
    const figures = { rows: rowCount }
    deps.trail.note({ tenant, actor, action: 'export.end', target, outcome, figures, circumstances: { ip, userAgent, requestId } })
  }
  try {
    await deps.state.transaction((stores) => recordAudit(stores, caller, { at, action: 'export.run', target, diff: { format, ...stated } }))
    const first = await chunks.next()
    return {
      name: `${resource}-${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}.${format}`,
      mediaType: fileFormats[format].mediaType,
      print(profile, onEnd) {
        const pieces = toFileChunks({ ...request, profile }, first, chunks)
        return streamFile(pieces, watched.signal, (rowCount, outcome) => {
          if (outcome === 'success') onEnd?.(rowCount)
          end(rowCount, outcome)
        })
      },
      cancel: async () => {
        end(0, 'failed')
        await chunks.return?.()
      },
    }
  } catch (error) {
    end(0, 'failed')
    throw error
  }
}

type FileForm = Pick<ExportRequest, 'row' | 'format'> & { readonly profile: Profile }
type Chunks = AsyncIterator<readonly unknown[]>

/** A piece of the file, and the rows in it. */
type Piece = { readonly text: string; readonly rowCount: number }

async function* toFileChunks(
  { row: shape, format, profile }: FileForm, first: IteratorResult<readonly unknown[]>, chunks: Chunks,
): AsyncGenerator<Piece> {
  const { begin, printRow, end } = fileFormats[format]
  yield { text: begin(listColumns(shape, profile)), rowCount: 0 }
  let isFirst = true
  for (let next = first; next.done !== true; next = await chunks.next()) {
    let text = ''
    for (const row of next.value) {
      text += printRow(shape.render(profile, row) as object, isFirst)
      isFirst = false
    }
    yield { text, rowCount: next.value.length }
  }
  yield { text: end, rowCount: 0 }
}

function listColumns(shape: Shape<unknown>, profile: Profile): readonly string[] {
  const schema = shape.toSchema(profile)
  return schema instanceof z.ZodObject ? Object.keys(schema.shape).map((name) => toProfileName(profile, name)) : []
}

type EndOfFile = (rowCount: number, outcome: 'success' | 'failed') => void

/**
 * Streams pieces as they are read. An error or the end of the caller breaks the response off, also while the client takes
 * nothing, so that a client never takes a part for the whole.
 */
function streamFile(pieces: AsyncGenerator<Piece>, callerEnded: AbortSignal, onEnd: EndOfFile): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let rowCount = 0
  let isOver = false
  const finish = (outcome: 'success' | 'failed'): void => {
    if (isOver) return
    isOver = true
    onEnd(rowCount, outcome)
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      callerEnded.addEventListener('abort', () => {
        if (isOver) return
        finish('failed')
        controller.error(callerEnded.reason)
      })
    },
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (isOver) return
        if (done === true) {
          finish('success')
          controller.close()
          return
        }
        rowCount += value.rowCount
        if (value.text !== '') controller.enqueue(encoder.encode(value.text))
        else await this.pull?.(controller)
      } catch (error) {
        finish('failed')
        throw error
      }
    },
    async cancel() {
      finish('failed')
      await pieces.return(undefined)
    },
  }, { highWaterMark: 1 })
}
