import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BackupError } from './blob-store.ts'
import type { BlobStore } from './blob-store.ts'
import { openFolderStore } from './folder-store.ts'
import type { BackupSecret } from './repository-key.ts'
import { Repository } from './repository.ts'

/** Where backups are, and the files with what opens them. Paths are absolute, or relative to the process. */
export type RepositoryPlace = {
  /** A folder, or `s3://bucket/prefix`. */
  readonly repository: string
  /** Exactly one of both is not empty. */
  readonly passphraseFile: string
  readonly ageIdentityFile: string
  readonly s3Endpoint: string
  readonly s3Region: string
  /** In the form of `~/.aws/credentials`. */
  readonly s3CredentialsFile: string
}

/** What the thread of a backup is given. */
export type BackupTask = { readonly place: RepositoryPlace; readonly dataDir: string; readonly keep: number }

/**
 * Opens a repository of backups.
 *
 * @throws BackupError for a place or a secret that cannot be used, with what to do.
 */
export async function openRepository(place: RepositoryPlace, options: { readonly creates?: boolean } = {}): Promise<Repository> {
  return await Repository.open(await openStore(place), await readSecret(place), options)
}

async function openStore({ repository, s3Endpoint: endpoint, s3Region: region, s3CredentialsFile }: RepositoryPlace): Promise<BlobStore> {
  if (!repository.startsWith('s3://')) return openFolderStore(resolve(repository))
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/*$/.exec(repository) ?? []
  if (bucket === '') throw new BackupError(`'${repository}' names no bucket; write s3://bucket or s3://bucket/prefix`)
  if (endpoint === '') throw new BackupError(`'${repository}' needs the address of the object store: --s3-endpoint`)
  if (!/^https?:\/\/[^/]+/.test(endpoint)) throw new BackupError(`'${endpoint}' is not the URL of an object store; it begins with https://`)
  if (s3CredentialsFile === '') throw new BackupError(`'${repository}' needs an access key: --s3-credentials-file`)
  const text = await readText(s3CredentialsFile)
  const read = (key: string): string => {
    const [, value = ''] = new RegExp(`^\\s*${key}\\s*=\\s*(\\S+)\\s*$`, 'm').exec(text) ?? []
    if (value === '') throw new BackupError(`'${s3CredentialsFile}' has no line '${key} = ...'`)
    return value
  }
  const [accessKeyId, secretAccessKey] = [read('aws_access_key_id'), read('aws_secret_access_key')]
  // Loaded where it is used: most repositories are folders.
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store({ endpoint, bucket, prefix, region, accessKeyId, secretAccessKey })
}

async function readSecret({ passphraseFile, ageIdentityFile }: RepositoryPlace): Promise<BackupSecret> {
  if ((passphraseFile === '') === (ageIdentityFile === '')) {
    throw new BackupError('backups are encrypted; name a passphrase file or an age identity, and not both')
  }
  if (passphraseFile !== '') return { kind: 'passphrase', text: (await readText(passphraseFile)).replace(/\r?\n$/, '') }
  const lines = (await readText(ageIdentityFile)).split('\n').map((line) => line.trim())
  const identity = lines.find((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identity === undefined) throw new BackupError(`'${ageIdentityFile}' holds no age identity; age-keygen makes one`)
  return { kind: 'age', text: identity }
}

async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((error: unknown) => {
    throw new BackupError(`'${path}' cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  })
}
