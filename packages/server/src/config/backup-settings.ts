import { printRange, readInteger, readSingleText, readUrl } from './read-setting.ts'
import type { Setting } from './setting.ts'

/** The settings of scheduled backups. */
export type BackupConfig = {
  readonly backupTo: string
  readonly backupHours: number
  readonly backupKeep: number
  readonly backupPassphraseFile: string
  readonly backupAgeIdentityFile: string
  readonly backupS3Endpoint: string
  readonly backupS3Region: string
  readonly backupS3CredentialsFile: string
}

const hoursRange = { min: 1, max: 500 }
const keepRange = { min: 1, max: 10_000 }

export const backupSettings: { readonly [Name in keyof BackupConfig]: Setting<BackupConfig[Name]> } = {
  backupTo: {
    argument: 'folder|s3://bucket/prefix',
    default: '',
    description: 'Where the server backs its data directory up by itself. Default: it does not.',
    read: (texts) => readSingleText(texts),
  },
  backupHours: {
    argument: 'hours',
    default: 24,
    bound: printRange(hoursRange),
    description: 'Hours between two backups.',
    read: (texts) => readInteger(readSingleText(texts), hoursRange),
  },
  backupKeep: {
    argument: 'count',
    default: 30,
    bound: printRange(keepRange),
    description: 'Backups that stay; older ones are removed after a new one.',
    read: (texts) => readInteger(readSingleText(texts), keepRange),
  },
  backupPassphraseFile: {
    argument: 'file',
    default: '',
    description: 'File with the passphrase that encrypts backups.',
    read: (texts) => readSingleText(texts),
  },
  backupAgeIdentityFile: {
    argument: 'file',
    default: '',
    description: 'File with an age identity that encrypts backups, instead of a passphrase.',
    read: (texts) => readSingleText(texts),
  },
  backupS3Endpoint: {
    argument: 'url',
    default: '',
    description: 'URL of the S3-compatible store of backups.',
    read: (texts) => readUrl(readSingleText(texts)),
  },
  backupS3Region: {
    argument: 'region',
    default: 'us-east-1',
    description: 'Region of the S3-compatible store of backups.',
    read: (texts) => readSingleText(texts),
  },
  backupS3CredentialsFile: {
    argument: 'file',
    default: '',
    description: 'File with aws_access_key_id and aws_secret_access_key, as in ~/.aws/credentials.',
    read: (texts) => readSingleText(texts),
  },
}
