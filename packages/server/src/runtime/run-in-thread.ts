import { Worker } from 'node:worker_threads'
import type { ResourceLimits } from 'node:worker_threads'

/**
 * Runs a module in a thread of its own, with `input` as its `workerData`; resolves with the first message that it posts. Aborting
 * the signal ends the thread; the result is undefined then. The module is named by its source.
 *
 * @throws Error where the thread fails, or needs more memory than `resourceLimits` allow.
 */
export async function runInThread<Result>(
  source: URL, input: unknown, signal: AbortSignal, resourceLimits: ResourceLimits = {},
): Promise<Result | undefined> {
  if (signal.aborted) return undefined
  // In the repository the sources run directly; a published package is compiled.
  const module = import.meta.url.endsWith('.ts') ? source : new URL(source.href.replace(/\.ts$/, '.js'))
  const worker = new Worker(module, { execArgv: [], workerData: input, resourceLimits })
  const end = (): void => void worker.terminate()
  signal.addEventListener('abort', end, { once: true })
  try {
    return await new Promise<Result | undefined>((resolve, reject) => {
      worker.on('message', resolve)
      worker.on('error', reject)
      worker.on('exit', () => (signal.aborted ? resolve(undefined) : reject(new Error('the thread ended without a result'))))
    })
  } finally {
    signal.removeEventListener('abort', end)
  }
}
