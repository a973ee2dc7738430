import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerOptions } from 'smtp-server'

/** A mail as a server took it. */
type ReceivedMail = { readonly isSecure: boolean; readonly user: string; readonly to: readonly string[]; readonly text: string }

/** A mail server on this machine. */
export type MailServer = {
  readonly port: number
  readonly mails: ReceivedMail[]
  /** Connections that it accepted. */
  readonly getConnectionCount: () => number
  readonly close: () => Promise<void>
}

/** A certificate for this machine that signs itself, with its key. */
export function createCertificate(names = 'DNS:localhost,IP:127.0.0.1'): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-mail-'))
  try {
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`]
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30', ...files, ...subject]
    execFileSync('openssl', args, { stdio: 'ignore' })
    return { key: readFileSync(join(folder, 'key.pem'), 'utf8'), cert: readFileSync(join(folder, 'cert.pem'), 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Opens a mail server that knows one user, `tripline` with the password `horse`. */
export async function openMailServer(options: SMTPServerOptions, port = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let connectionCount = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: [],
    onConnect(_session, callback) {
      connectionCount++
      callback()
    },
    onAuth({ username, password }, _session, callback) {
      if (username === 'tripline' && password === 'horse') callback(null, { user: username })
      else callback(new Error('Invalid username or password'))
    },
    onData(stream, session, callback) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => void pieces.push(piece))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ isSecure: session.secure, user: String(session.user ?? ''), to, text: Buffer.concat(pieces).toString() })
        callback()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    mails, port: (server.server.address() as AddressInfo).port, getConnectionCount: () => connectionCount,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
