import { BackupError } from './blob-store.ts'
import type { Repository } from './repository.ts'

/** The result of verifying backups. */
type BackupVerification = {
  readonly backupCount: number
  readonly chunkCount: number
  readonly byteCount: number
  /** Each damaged or missing object, with the first file that needs it. */
  readonly problems: readonly { readonly backup: string; readonly file: string | undefined; readonly problem: string }[]
}

/** Reads backups whole, all or some, and checks every byte of them. */
export async function verifyBackups(repository: Repository, ids: readonly string[]): Promise<BackupVerification> {
  const problems: BackupVerification['problems'][number][] = []
  const checked = new Set<string>()
  let byteCount = 0
  for (const backup of ids) {
    const manifest = await collect(() => repository.readManifest(backup), (problem) => problems.push({ backup, file: undefined, problem }))
    for (const { path, size, chunks } of manifest?.files ?? []) {
      const report = (problem: string) => void problems.push({ backup, file: path, problem })
      let length: number | undefined = 0
      for (const hash of chunks) {
        const isKnown = checked.has(hash)
        checked.add(hash)
        const bytes = isKnown ? undefined : await collect(() => repository.readChunk(hash), report)
        byteCount += bytes?.length ?? 0
        length = bytes === undefined || length === undefined ? undefined : length + bytes.length
      }
      if (length !== undefined && length !== size) report(`its chunks have ${length} bytes, and it has ${size}`)
    }
  }
  return { backupCount: ids.length, chunkCount: checked.size, byteCount, problems }
}

async function collect<Value>(read: () => Promise<Value>, report: (problem: string) => void): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    report(error.message)
    return undefined
  }
}
