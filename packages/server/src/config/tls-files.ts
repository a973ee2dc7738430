import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { configurationError } from '../runtime/configuration-error.ts'
import type { Config } from './settings.ts'

/** What the listener needs to speak TLS, as PEM text. */
export type TlsFiles = {
  readonly cert: string
  readonly key: string
  /** Authorities of the certificates that senders of events present; without it, none is asked for. */
  readonly ca: string | undefined
  /** When the certificate of the server ends, in milliseconds since the epoch. */
  readonly expiresAt: number
}

type TlsConfig = Pick<Config, 'tlsCert' | 'tlsKey' | 'tlsClientCa'>

/**
 * Reads certificate and key; undefined where TLS is not configured.
 *
 * @throws ExitError (78) for files that cannot be read or do not belong together.
 */
export async function readTlsFiles(
  { tlsCert, tlsKey, tlsClientCa }: TlsConfig, io: Pick<Runtime, 'readText'>,
): Promise<TlsFiles | undefined> {
  if (tlsCert === '') return undefined
  const read = async (option: string, path: string): Promise<string> => await io.readText(path).catch((error: unknown) => {
    throw configurationError(`${option} cannot be read: ${getErrorMessage(error)}`, { cause: error })
  })
  const [cert, key] = [await read('--tls-cert', tlsCert), await read('--tls-key', tlsKey)]
  const ca = tlsClientCa === '' ? undefined : await read('--tls-client-ca', tlsClientCa)
  const certificate = attempt('--tls-cert', () => new X509Certificate(cert))
  const privateKey = attempt('--tls-key', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey)) throw configurationError('--tls-key is not the key of the certificate in --tls-cert')
  if (ca !== undefined) attempt('--tls-client-ca', () => new X509Certificate(ca))
  attempt('--tls-cert', () => createSecureContext({ cert, key, ca }))
  return { cert, key, ca, expiresAt: certificate.validToDate.getTime() }
}

function attempt<Value>(option: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw configurationError(`${option} cannot be used: ${getErrorMessage(error)}`, { cause: error })
  }
}

type TlsReloaderOptions = {
  readonly config: TlsConfig
  /** The files in use. */
  readonly files: TlsFiles
  readonly io: Pick<Runtime, 'readText'>
  readonly log: Log
  /** Uses files for connections from now on. */
  readonly use: (files: TlsFiles) => void
}

/**
 * Creates a function that reads the files again and uses them if they changed. Files that cannot be used, such as a new certificate
 * whose key has not been written yet, are reported once, and the ones before stay in use.
 */
export function createTlsReloader({ config, files, io, log, use }: TlsReloaderOptions): () => Promise<void> {
  let current = files
  let problem: string | undefined
  return async () => {
    try {
      const read = await readTlsFiles(config, io)
      problem = undefined
      if (read === undefined || (read.cert === current.cert && read.key === current.key && read.ca === current.ca)) return
      current = read
      use(read)
      log.info('the TLS certificate was reloaded', { valid_until: new Date(read.expiresAt).toISOString() })
    } catch (error) {
      if (problem === getErrorMessage(error)) return
      problem = getErrorMessage(error)
      log.error('the TLS certificate could not be reloaded; the one before stays in use', { problem })
    }
  }
}
