import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { resolve } from 'node:path'
import type { Repository } from '@tripline/server/admin'
import { dataDirOptions } from '../data-dir/with-data-dir.ts'
import { usageError } from '../framework/command-error.ts'
import { defineCommand } from '../framework/command.ts'
import type { Command } from '../framework/command.ts'
import type { Context } from '../framework/context.ts'
import { escapeControl } from '../framework/escape-control.ts'
import { writeText } from '../framework/write-text.ts'

const placeOptions = {
  repository: { kind: 'text', value: '<folder|s3://bucket/prefix>', required: true, help: 'Where backups are.' },
  'passphrase-file': {
    kind: 'text', value: '<file>', default: '', help: 'The file with the passphrase that encrypts them, 12 characters or more.',
  },
  'age-identity': {
    kind: 'text', value: '<file>', default: '', help: 'A file with an age identity that encrypts them, instead of a passphrase.',
  },
  's3-endpoint': { kind: 'text', value: '<url>', default: '', help: 'The S3-compatible store, such as https://s3.example.' },
  's3-region': { kind: 'text', value: '<region>', default: 'us-east-1', help: 'Its region.' },
  's3-credentials-file': {
    kind: 'text', value: '<file>', default: '', help: 'aws_access_key_id and aws_secret_access_key, as in ~/.aws/credentials.',
  },
} as const
const json = { kind: 'flag', help: 'Prints one JSON object.' } as const
const exitNote = 'Exit codes: 0 done; 1 refused, or damage found; 2 wrong arguments.'

type PlaceOptions = { readonly [Name in keyof typeof placeOptions]: string }

/** Commands that back a data directory up and restore it. */
export const backupCommands: readonly Command[] = [
  defineCommand({
    name: 'backup create',
    needsServer: true,
    summary: 'Backs a data directory up, while its server runs.',
    options: {
      ...dataDirOptions,
      ...placeOptions,
      keep: { kind: 'text', value: '<count>', help: 'Removes older backups than so many, and what only they needed.' },
      json,
    },
    notes: [
      'Holds state, keys, events and bus as they were at one moment. Only what the repository lacks is sent, so a backup that was '
        + 'interrupted continues when it is made again. One backup at a time may be made to a repository.',
      'The server does the same on a schedule: tripline serve --backup-to.',
      exitNote,
    ],
    async run({ options }, context) {
      const keep = options.keep === undefined ? undefined : Number(options.keep)
      if (keep !== undefined && !(Number.isSafeInteger(keep) && keep >= 1)) {
        throw usageError(`'--keep' is '${options.keep}'; it takes a whole number from 1 on`)
      }
      const { createBackup } = await import('@tripline/server/admin')
      const dataDir = resolve(context.cwd, options['data-dir'])
      const report = await withRepository(options, context, { creates: true }, (repository) =>
        createBackup(repository, { dataDir, keep, now: context.wallClock }))
      const { id, takenAt, fileCount, byteCount, sentBytes, removedCount } = report
      const counts = { files: fileCount, bytes: byteCount, sent_bytes: sentBytes, removed: removedCount }
      const printed = { id, taken_at: printInstant(takenAt), ...counts }
      const line = `${id}: ${fileCount} files, ${printSize(byteCount)}, ${printSize(sentBytes)} sent`
      await writeText(context.stdout, options.json ? `${JSON.stringify(printed)}\n` : `${line}\n`)
      return exitCodes.ok
    },
  }),
  defineCommand({
    name: 'backup list',
    needsServer: true,
    summary: 'Lists the backups in a repository, oldest first.',
    options: { ...placeOptions, json },
    notes: [exitNote],
    async run({ options }, context) {
      const found = await withRepository(options, context, {}, async (repository) => {
        const manifests = []
        for (const id of await repository.listIds()) manifests.push(await repository.readManifest(id))
        return manifests.map(({ id, takenAt, files }) =>
          ({ id, taken_at: printInstant(takenAt), files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) }))
      })
      const lines = found.map(({ id, taken_at, files, bytes }) => `${id}  ${taken_at}  ${files} files  ${printSize(bytes)}\n`).join('')
      await writeText(context.stdout, options.json ? `${JSON.stringify({ backups: found })}\n` : lines)
      return exitCodes.ok
    },
  }),
  defineCommand({
    name: 'backup verify',
    needsServer: true,
    summary: 'Reads backups whole and checks every byte of them.',
    operands: { usage: '[<id>...]', help: 'The backups, or latest; without one, all of them.' },
    options: { ...placeOptions, json },
    notes: [
      'A damaged chunk is named with the file that needs it. Delete it: the next backup stores it again if it is still there.', exitNote,
    ],
    async run({ options, operands }, context) {
      const { verifyBackups } = await import('@tripline/server/admin')
      const { backupCount, chunkCount, byteCount, problems } = await withRepository(options, context, {}, async (repository) => {
        const ids = operands.length === 0 ? await repository.listIds() : await Promise.all(operands.map((id) => findId(repository, id)))
        return await verifyBackups(repository, ids)
      })
      const printed = { ok: problems.length === 0, backups: backupCount, chunks: chunkCount, bytes: byteCount, problems }
      const lines = problems.map(({ backup, file, problem }) => escapeControl([backup, file, problem].filter(Boolean).join(': ')))
      const last = problems.length === 0 ? 'all is well' : `${problems.length} damaged`
      const total = `${backupCount} backups, ${chunkCount} chunks, ${printSize(byteCount)}: ${last}`
      const text = [...lines, total].map((line) => `${line}\n`).join('')
      await writeText(context.stdout, options.json ? `${JSON.stringify(printed)}\n` : text)
      return problems.length === 0 ? exitCodes.ok : exitCodes.found
    },
  }),
  defineCommand({
    name: 'backup restore',
    needsServer: true,
    summary: 'Restores a backup into a new directory and verifies it.',
    operands: { usage: '[<id>]', help: 'The backup; without one, the latest.' },
    options: {
      ...placeOptions, into: { kind: 'text', value: '<dir>', required: true, help: 'A directory that does not exist, or is empty.' }, json,
    },
    notes: ['Start tripline serve on the directory then. What it had accepted and not evaluated yet is evaluated first.', exitNote],
    async run({ options, operands: [id = 'latest', second] }, context) {
      if (second !== undefined) throw usageError(`unexpected argument '${second}'; one backup is taken`)
      const { restoreBackup, verifyData } = await import('@tripline/server/admin')
      const target = resolve(context.cwd, options.into)
      const report = await withRepository(options, context, {}, async (repository) =>
        restoreBackup(repository, await findId(repository, id), target))
      const { damagedCount, firstDamage, events } = await verifyData(target)
      const printed = {
        id: report.id, taken_at: printInstant(report.takenAt), files: report.fileCount, bytes: report.byteCount,
        events: events?.eventCount ?? null, damaged: damagedCount,
      }
      const damage = damagedCount === 0 ? 'all is well' : `${damagedCount} damaged, first ${firstDamage?.file}: ${firstDamage?.problem}`
      const restored = `${report.fileCount} files, ${printSize(report.byteCount)}, restored into '${options.into}'`
      const line = escapeControl(`${report.id}: ${restored}; ${damage}`)
      await writeText(context.stdout, options.json ? `${JSON.stringify(printed)}\n` : `${line}\n`)
      return damagedCount === 0 ? exitCodes.ok : exitCodes.found
    },
  }),
]

async function withRepository<Result>(
  options: PlaceOptions, context: Context, use: { readonly creates?: boolean }, work: (repository: Repository) => Promise<Result>,
): Promise<Result> {
  const { BackupError, openRepository } = await import('@tripline/server/admin')
  const locate = (path: string) => (path === '' ? '' : resolve(context.cwd, path))
  const place = {
    repository: options.repository.startsWith('s3://') ? options.repository : locate(options.repository),
    passphraseFile: locate(options['passphrase-file']), ageIdentityFile: locate(options['age-identity']),
    s3Endpoint: options['s3-endpoint'], s3Region: options['s3-region'], s3CredentialsFile: locate(options['s3-credentials-file']),
  }
  try {
    return await work(await openRepository(place, use))
  } catch (error) {
    if (error instanceof BackupError) throw new ExitError(exitCodes.refused, error.message, { cause: error })
    throw error
  }
}

async function findId(repository: Repository, id: string): Promise<string> {
  if (id !== 'latest') return id
  const latest = (await repository.listIds()).at(-1)
  if (latest === undefined) throw new ExitError(exitCodes.refused, `'${repository.name}' holds no backups`)
  return latest
}

function printInstant(instant: number): string {
  return new Date(instant).toISOString()
}

function printSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
