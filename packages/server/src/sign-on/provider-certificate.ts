import { AppError } from '@tripline/contract/app-error'
import { X509Certificate } from 'node:crypto'
import { limits } from '../limits.ts'

/**
 * Parses a certificate of a provider, in PEM or as the base64 of its metadata, and prints it in PEM. Only its key counts: providers
 * go on signing with a certificate that has expired, and administrators replace it with the key.
 *
 * @throws AppError INVALID_PARAMETER
 */
export function normalizeCertificate(text: string): string {
  const base64 = text.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----|\s+/g, '')
  const certificate = parseCertificate(base64)
  if (certificate === undefined) {
    throw refuse("a certificate must be in PEM, with 'BEGIN CERTIFICATE', or the base64 of the provider's metadata")
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0 } = {} } = certificate.publicKey
  if (type !== 'rsa' || modulusLength < limits.signOn.rsaBitsMin) {
    throw refuse(`the key of a certificate must be RSA with at least ${limits.signOn.rsaBitsMin} bits`)
  }
  return certificate.toString().trim()
}

/** What names certificates on the audit trail. */
export function listFingerprints(certificates: readonly string[]): readonly string[] {
  return certificates.map((pem) => new X509Certificate(pem).fingerprint256)
}

function parseCertificate(base64: string): X509Certificate | undefined {
  if (!/^[\w+/]+={0,2}$/.test(base64)) return undefined
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    // Any error of it is about the text.
    return undefined
  }
}

function refuse(message: string): AppError {
  return new AppError('INVALID_PARAMETER', message, { parameter: 'certificates' })
}
